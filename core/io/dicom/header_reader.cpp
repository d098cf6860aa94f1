// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dcmtk_environment.h"
#include "core/io/dicom/frames.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/pixel_layout.h"
#include "core/io/dicom/tags.h"
#include "core/io/dicom/transfer_syntax.h"
#include "core/io/dicom/warnings.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcistrmb.h>
#include <dcmtk/dcmdata/dcuid.h>

#include <algorithm>

namespace seedwave::io::dicom {
namespace {

void refuse_kind(DcmItem& dataset, bool has_pixels) {
  const std::string sop = text_of(dataset, DCM_SOPClassUID);
  const std::string modality = text_of(dataset, DCM_Modality);
  if (sop == UID_SegmentationStorage || sop == UID_SurfaceSegmentationStorage) {
    throw InputError("a DICOM segmentation, not an image");
  }
  if (sop == UID_VLWholeSlideMicroscopyImageStorage || modality == "SM") {
    throw InputError("a whole-slide microscopy object, not a volume or a single image");
  }
  if (modality == "SR") throw InputError("a structured report without an image");
  if (!has_pixels) {
    throw InputError("holds no image (no pixel data" +
                     (modality.empty() ? std::string(")") : "; modality " + modality + ")"));
  }
}

/// Returns "Family, Given" from the parts that ^ separates, in the alphabetic form of the name.
std::string person(const std::string& name) {
  const std::string alphabetic = name.substr(0, name.find('='));
  std::vector<std::string> parts(1);
  for (const char c : alphabetic) {
    if (c == '^') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::string text = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    text += (text.empty() ? "" : i == 1 ? ", " : " ") + parts[i];
  }
  return text;
}

void parse(const FileStructure& structure, DcmDataset& dataset) {
  DcmInputBufferStream stream;
  stream.setBuffer(structure.header.data(), static_cast<offile_off_t>(structure.header.size()));
  stream.setEos();
  const E_TransferSyntax syntax = structure.coding.big_endian    ? EXS_BigEndianExplicit
                                  : structure.coding.explicit_vr ? EXS_LittleEndianExplicit
                                                                 : EXS_LittleEndianImplicit;
  dataset.transferInit();
  const OFCondition result = dataset.read(stream, syntax);
  dataset.transferEnd();
  if (!is_good(result))
    throw InputError(std::string("the DICOM header is damaged: ") + result.text());
}

}  // namespace

Header read_header(const std::filesystem::path& file) {
  prepare_dcmtk();
  FileStructure structure = read_structure(file);
  DcmDataset dataset;
  parse(structure, dataset);
  refuse_kind(dataset, structure.has_pixels);
  if (!structure.integer_pixels)
    throw InputError("the values are floating-point, which is not supported");

  Header header;
  header.file = file;
  header.instance_uid = text_of(dataset, DCM_SOPInstanceUID);
  header.series_uid = text_of(dataset, DCM_SeriesInstanceUID);
  header.study_uid = text_of(dataset, DCM_StudyInstanceUID);
  header.series_number = integer_of(dataset, DCM_SeriesNumber).value_or(0);
  header.modality = text_of(dataset, DCM_Modality);
  header.description = utf8_of(dataset, DCM_SeriesDescription);
  header.patient = person(utf8_of(dataset, DCM_PatientName));
  const Compression compression = compression_of(structure.transfer_syntax);
  if (structure.encapsulated != (compression != Compression::None)) {
    throw InputError("the pixel data do not match its transfer syntax " +
                     structure.transfer_syntax);
  }
  header.layout = read_layout(dataset, compression, header.warnings);
  const int count = read_frame_count(dataset);
  header.frame_count = count;
  if (structure.encapsulated) {
    check_expansion(header.layout, count, structure.pixel_bytes);
  } else {
    check_native_size(header.layout, count, structure.pixel_bytes);
  }
  if (header.layout.photometric == Photometric::Palette) header.palette = read_palette(dataset);
  header.frames = read_frames(dataset, count, header.modality, header.warnings);
  for (const Frame& frame : header.frames)
    check_rescale(header.layout, frame.rescale);
  if (texts_of(dataset, DCM_ImageType).size() > 0) {
    const std::vector<std::string> type = texts_of(dataset, DCM_ImageType);
    if (std::find(type.begin(), type.end(), "MOSAIC") != type.end()) {
      add_once(header.warnings,
               "this is a mosaic: many slices side by side in one image, shown as it is stored");
    }
  }
  header.place = {structure.coding.big_endian, structure.encapsulated, structure.transfer_syntax,
                  structure.pixel_begin,       structure.pixel_bytes,  nullptr};
  if (!structure.inflated.empty()) {
    header.place.inflated =
        std::make_shared<const std::vector<std::uint8_t>>(std::move(structure.inflated));
  }
  return header;
}

}  // namespace seedwave::io::dicom
