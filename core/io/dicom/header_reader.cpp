// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/io/dicom/dcmtk_environment.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/header_parts.h"
#include "core/io/dicom/pixel_layout.h"
#include "core/io/dicom/tags.h"
#include "core/io/dicom/warnings.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcistrmb.h>
#include <dcmtk/dcmdata/dcsequen.h>
#include <dcmtk/dcmdata/dcuid.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace seedwave::io::dicom {
namespace {

struct KnownSyntax {
  const char* uid;
  Compression compression;
};

constexpr KnownSyntax kKnownSyntaxes[] = {
    {"1.2.840.10008.1.2", Compression::None},           // implicit little endian
    {"1.2.840.10008.1.2.1", Compression::None},         // explicit little endian
    {"1.2.840.10008.1.2.1.99", Compression::None},      // deflated
    {"1.2.840.10008.1.2.2", Compression::None},         // explicit big endian
    {"1.2.840.10008.1.2.5", Compression::Rle},          //
    {"1.2.840.10008.1.2.4.50", Compression::Jpeg},      // baseline
    {"1.2.840.10008.1.2.4.51", Compression::Jpeg},      // extended
    {"1.2.840.10008.1.2.4.53", Compression::Jpeg},      // spectral selection, retired
    {"1.2.840.10008.1.2.4.55", Compression::Jpeg},      // progressive, retired
    {"1.2.840.10008.1.2.4.57", Compression::Jpeg},      // lossless, process 14
    {"1.2.840.10008.1.2.4.70", Compression::Jpeg},      // lossless, process 14, selection value 1
    {"1.2.840.10008.1.2.4.80", Compression::JpegLs},    // lossless
    {"1.2.840.10008.1.2.4.81", Compression::JpegLs},    // near lossless
    {"1.2.840.10008.1.2.4.90", Compression::Jpeg2000},  // lossless
    {"1.2.840.10008.1.2.4.91", Compression::Jpeg2000},  // lossy
};

/// Returns the compression of a transfer syntax. Throws InputError that names an unsupported one
/// (video, JPEG XL, high-throughput JPEG 2000).
Compression compression_of(const std::string& transfer_syntax) {
  for (const KnownSyntax& known : kKnownSyntaxes) {
    if (transfer_syntax == known.uid) return known.compression;
  }
  throw InputError("compressed by an unsupported method (transfer syntax " + transfer_syntax + ")");
}

/// The items that may contain a frame's attribute, the frame's own first (PS3.3, C.7.6.16).
struct FrameSources {
  DcmItem* own = nullptr;
  DcmItem* shared = nullptr;
  DcmItem* dataset = nullptr;

  /// Returns the item of a functional group, the frame's own before the shared one, or null.
  [[nodiscard]] DcmItem* group(const DcmTagKey& sequence) const {
    if (own != nullptr) {
      if (DcmItem* item = first_item(*own, sequence)) return item;
    }
    return shared != nullptr ? first_item(*shared, sequence) : nullptr;
  }
  /// Returns the group's item, or the data set if the file has no such group.
  [[nodiscard]] DcmItem& group_or_dataset(const DcmTagKey& sequence) const {
    DcmItem* item = group(sequence);
    return item != nullptr ? *item : *dataset;
  }
};

/// Returns unit axes from six direction cosines, made exactly perpendicular. Returns nothing if
/// they are not close to a pair of axes.
std::optional<std::array<Vec3, 2>> orthonormal(const std::vector<double>& cosines) {
  Vec3 row{cosines[0], cosines[1], cosines[2]};
  Vec3 column{cosines[3], cosines[4], cosines[5]};
  const double row_length = norm(row);
  const double column_length = norm(column);
  if (std::abs(row_length - 1) > 0.02 || std::abs(column_length - 1) > 0.02) return std::nullopt;
  for (double& x : row)
    x /= row_length;
  const double along = dot(row, column);
  if (std::abs(along) > 0.02) return std::nullopt;
  for (int i = 0; i < 3; ++i)
    column[i] -= along * row[i];
  const double rest = norm(column);
  for (double& x : column)
    x /= rest;
  return std::array<Vec3, 2>{row, column};
}

void read_spacing(DcmItem& item, DcmItem& dataset, Frame& frame,
                  std::vector<std::string>& warnings) {
  DcmItem* const places[] = {&item, &dataset, &dataset};
  const DcmTagKey tags[] = {DCM_PixelSpacing, DCM_ImagerPixelSpacing,
                            DCM_NominalScannedPixelSpacing};
  for (int i = 0; i < 3; ++i) {
    const std::string text = text_of(*places[i], tags[i]);
    if (text.empty()) continue;
    const auto spacing = numbers_of(*places[i], tags[i], 2);
    if (!spacing || (*spacing)[0] < 1e-6 || (*spacing)[1] < 1e-6 || (*spacing)[0] > 1e5 ||
        (*spacing)[1] > 1e5) {
      add_once(warnings, "the pixel spacing '" + text + "' is not usable");
      continue;
    }
    if (i == 1) {
      add_once(warnings,
               "the pixel spacing is that of the detector: lengths in the patient are shorter");
    }
    frame.pixel_spacing = {(*spacing)[1], (*spacing)[0]};
    return;
  }
}

void read_geometry(const FrameSources& sources, Frame& frame, std::vector<std::string>& warnings) {
  DcmItem& position_item = sources.group_or_dataset(DCM_PlanePositionSequence);
  if (const auto position = numbers_of(position_item, DCM_ImagePositionPatient, 3)) {
    const bool sane = std::all_of(position->begin(), position->begin() + 3,
                                  [](double x) { return std::abs(x) < 1e7; });
    if (sane) frame.position = {(*position)[0], (*position)[1], (*position)[2]};
  }
  if (!frame.position) {
    const std::string text = text_of(position_item, DCM_ImagePositionPatient);
    if (!text.empty()) add_once(warnings, "the position '" + text + "' is not usable");
  }
  DcmItem& orientation_item = sources.group_or_dataset(DCM_PlaneOrientationSequence);
  const std::string orientation_text = text_of(orientation_item, DCM_ImageOrientationPatient);
  if (const auto cosines = numbers_of(orientation_item, DCM_ImageOrientationPatient, 6)) {
    frame.orientation = orthonormal(*cosines);
  }
  if (!frame.orientation && !orientation_text.empty()) {
    add_once(warnings, "the orientation '" + orientation_text + "' is not usable");
  }
  DcmItem& measures = sources.group_or_dataset(DCM_PixelMeasuresSequence);
  read_spacing(measures, *sources.dataset, frame, warnings);
  const auto positive = [&](const DcmTagKey& tag) {
    const double value =
        number_of(measures, tag).value_or(number_of(*sources.dataset, tag).value_or(0.0));
    return value > 1e-6 && value < 1e5 ? value : 0.0;
  };
  frame.thickness = positive(DCM_SliceThickness);
  frame.between_slices = positive(DCM_SpacingBetweenSlices);
}

void read_rescale(const FrameSources& sources, const std::string& modality, Frame& frame,
                  std::vector<std::string>& warnings) {
  DcmItem& item = sources.group_or_dataset(DCM_PixelValueTransformationSequence);
  const auto value_or = [&](const DcmTagKey& tag, double fallback) {
    const std::string text = text_of(item, tag);
    if (text.empty()) return fallback;
    const std::optional<double> value = number_of(item, tag);
    if (value && (tag != DCM_RescaleSlope || *value != 0.0)) return *value;
    add_once(warnings,
             std::string(tag == DCM_RescaleSlope ? "RescaleSlope '" : "RescaleIntercept '") + text +
                 "' is not usable: " + (fallback == 1.0 ? "1" : "0") + " is assumed");
    return fallback;
  };
  frame.rescale.slope = value_or(DCM_RescaleSlope, 1.0);
  frame.rescale.intercept = value_or(DCM_RescaleIntercept, 0.0);
  if (first_item(*sources.dataset, DCM_ModalityLUTSequence) != nullptr) {
    add_once(warnings, "the file's Modality LUT is not applied: values are as stored");
  }
  frame.unit = text_of(item, DCM_RescaleType);
  if (frame.unit == "US" || frame.unit == "normalized") frame.unit.clear();
  // A CT's values are Hounsfield units unless it says otherwise (PS3.3, C.8.2.1.1.6).
  if (modality == "CT" && text_of(item, DCM_RescaleType).empty() &&
      !text_of(item, DCM_RescaleIntercept).empty()) {
    frame.unit = "HU";
  }
  if (frame.unit.empty() && modality == "PT") {
    frame.unit = text_of(*sources.dataset, DCM_Units);
    if (frame.unit == "BQML") frame.unit = "Bq/ml";
  }
}

void read_windows(const FrameSources& sources, Frame& frame) {
  DcmItem& item = sources.group_or_dataset(DCM_FrameVOILUTSequence);
  const auto centres = numbers_of(item, DCM_WindowCenter, 1);
  const auto widths = numbers_of(item, DCM_WindowWidth, 1);
  if (!centres || !widths) return;
  const std::vector<std::string> names = texts_of(item, DCM_WindowCenterWidthExplanation);
  for (std::size_t i = 0; i < std::min(centres->size(), widths->size()); ++i) {
    if ((*widths)[i] <= 0) continue;
    const bool named = i < names.size() && !names[i].empty();
    frame.windows.push_back(
        {named ? names[i] : "Window " + std::to_string(i + 1), (*centres)[i], (*widths)[i]});
  }
}

/// Returns the third and fourth value of FrameType, either of which vendors use, such as "M", "T1
/// M" or "FIELD_MAP"; and the complex part unless it is the magnitude.
std::string kind_of(const FrameSources& sources) {
  for (const DcmTagKey& tag :
       {DCM_MRImageFrameTypeSequence, DCM_CTImageFrameTypeSequence, DCM_PETFrameTypeSequence}) {
    DcmItem* item = sources.group(tag);
    if (item == nullptr) continue;
    const std::vector<std::string> type = texts_of(*item, DCM_FrameType);
    const std::vector<std::string> words(
        type.begin() + std::min<std::ptrdiff_t>(2, std::ssize(type)),
        type.begin() + std::min<std::ptrdiff_t>(4, std::ssize(type)));
    std::string kind;
    for (const std::string& word : words) {
      if (!word.empty() && word != "NONE") kind += (kind.empty() ? "" : " ") + word;
    }
    return kind;
  }
  return {};
}

std::vector<Discriminator> discriminators_of(const FrameSources& sources) {
  DcmItem& dataset = *sources.dataset;
  DcmItem& content = sources.group_or_dataset(DCM_FrameContentSequence);
  DcmItem* const type = sources.group(DCM_MRImageFrameTypeSequence);
  DcmItem* const echo = sources.group(DCM_MREchoSequence);
  DcmItem* const diffusion = sources.group(DCM_MRDiffusionSequence);
  DcmItem* const direction = diffusion != nullptr
                                 ? first_item(*diffusion, DCM_DiffusionGradientDirectionSequence)
                                 : nullptr;
  DcmItem* const trigger = sources.group(DCM_CardiacSynchronizationSequence);
  const auto either = [&](DcmItem* item, const DcmTagKey& tag, const DcmTagKey& plain) {
    const std::string text = item != nullptr ? text_of(*item, tag) : std::string();
    return text.empty() ? text_of(dataset, plain) : text;
  };
  std::string gradient = either(diffusion, DCM_DiffusionBValue, DCM_DiffusionBValue);
  const std::string axis =
      either(direction, DCM_DiffusionGradientOrientation, DCM_DiffusionGradientOrientation);
  if (!axis.empty()) gradient += " " + axis;
  return {
      {"complex part", either(type, DCM_ComplexImageComponent, DCM_ComplexImageComponent)},
      {"image type", text_of(dataset, DCM_ImageType)},
      {"echo", either(echo, DCM_EffectiveEchoTime, DCM_EchoNumbers)},
      {"echo time", text_of(dataset, DCM_EchoTime)},
      {"stack", text_of(content, DCM_StackID)},
      {"time point", either(&content, DCM_TemporalPositionIndex, DCM_TemporalPositionIdentifier)},
      {"trigger time", either(trigger, DCM_NominalCardiacTriggerDelayTime, DCM_TriggerTime)},
      {"diffusion", gradient},
      {"kernel", text_of(dataset, DCM_ConvolutionKernel)},
      {"acquisition", either(&content, DCM_FrameAcquisitionNumber, DCM_AcquisitionNumber)},
      {"acquisition time",
       text_of(dataset, DCM_AcquisitionDate) + text_of(dataset, DCM_AcquisitionTime)},
      {"content time", text_of(dataset, DCM_ContentDate) + text_of(dataset, DCM_ContentTime)}};
}

std::vector<DcmItem*> items_of(DcmItem& dataset, const DcmTagKey& tag, std::size_t most) {
  std::vector<DcmItem*> items;
  DcmSequenceOfItems* sequence = nullptr;
  if (!is_good(dataset.findAndGetSequence(tag, sequence)) || sequence == nullptr) return items;
  DcmObject* object = nullptr;
  while (items.size() < most && (object = sequence->nextInContainer(object)) != nullptr) {
    items.push_back(static_cast<DcmItem*>(object));
  }
  return items;
}

/// Returns the `count` frames of a data set: position, rescale, windows and distinguishing
/// attributes, from the functional groups if there are any (PS3.3, C.7.6.16), else from the data
/// set itself. Many frames without functional groups give one frame, without a position.
/// Throws InputError if the groups describe fewer frames.
std::vector<Frame> read_frames(DcmItem& dataset, int count, const std::string& modality,
                               std::vector<std::string>& warnings) {
  const std::vector<DcmItem*> own =
      items_of(dataset, DCM_PerFrameFunctionalGroupsSequence, static_cast<std::size_t>(count));
  DcmItem* const shared = first_item(dataset, DCM_SharedFunctionalGroupsSequence);
  if (!own.empty() && own.size() < static_cast<std::size_t>(count)) {
    throw InputError("describes " + std::to_string(own.size()) + " of its " +
                     std::to_string(count) + " frames");
  }
  // A film: many images without functional groups. The data set's own position would be that of
  // every image, so none gets it, and one frame represents all.
  const bool film = count > 1 && own.empty();
  std::vector<Frame> frames(film ? 1 : static_cast<std::size_t>(count));
  const std::int64_t instance = integer_of(dataset, DCM_InstanceNumber).value_or(0);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Frame& frame = frames[i];
    const FrameSources sources{own.empty() ? nullptr : own[i], shared, &dataset};
    read_geometry(sources, frame, warnings);
    read_rescale(sources, modality, frame, warnings);
    read_windows(sources, frame);
    frame.kind = own.empty() ? std::string() : kind_of(sources);
    frame.discriminators = discriminators_of(sources);
    if (film) frame.position.reset();
    frame.number = static_cast<int>(i);
    frame.instance = instance;
  }
  return frames;
}

void refuse_kind(DcmItem& dataset, bool has_pixels) {
  const std::string sop = text_of(dataset, DCM_SOPClassUID);
  const std::string modality = text_of(dataset, DCM_Modality);
  if (sop == UID_SegmentationStorage || sop == UID_SurfaceSegmentationStorage) {
    throw InputError("a DICOM segmentation, not an image");
  }
  if (is_slide(dataset)) throw SlideObject();
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

bool is_slide(DcmItem& dataset) {
  return text_of(dataset, DCM_SOPClassUID) == UID_VLWholeSlideMicroscopyImageStorage ||
         text_of(dataset, DCM_Modality) == "SM";
}

FileStructure read_data_set(const std::filesystem::path& file, DcmDataset& dataset) {
  prepare_dcmtk();
  FileStructure structure = read_structure(file);
  parse(structure, dataset);
  return structure;
}

Header read_pixel_header(const std::filesystem::path& file, FileStructure structure,
                         DcmDataset& dataset) {
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
  header.place = {structure.coding.big_endian, structure.encapsulated, structure.transfer_syntax,
                  structure.pixel_begin,       structure.pixel_bytes,  nullptr};
  if (!structure.inflated.empty()) {
    header.place.inflated =
        std::make_shared<const std::vector<std::uint8_t>>(std::move(structure.inflated));
  }
  return header;
}

Header read_header(const std::filesystem::path& file) {
  DcmDataset dataset;
  FileStructure structure = read_data_set(file, dataset);
  refuse_kind(dataset, structure.has_pixels);
  Header header = read_pixel_header(file, std::move(structure), dataset);
  header.frames = read_frames(dataset, header.frame_count, header.modality, header.warnings);
  for (const Frame& frame : header.frames)
    check_rescale(header.layout, frame.rescale);
  if (texts_of(dataset, DCM_ImageType).size() > 0) {
    const std::vector<std::string> type = texts_of(dataset, DCM_ImageType);
    if (std::find(type.begin(), type.end(), "MOSAIC") != type.end()) {
      add_once(header.warnings,
               "this is a mosaic: many slices side by side in one image, shown as it is stored");
    }
  }
  return header;
}

}  // namespace seedwave::io::dicom
