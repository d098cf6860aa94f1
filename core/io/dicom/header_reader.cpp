// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dcmtk_environment.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/tags.h"
#include "core/io/dicom/transfer_syntax.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcistrmb.h>
#include <dcmtk/dcmdata/dcsequen.h>
#include <dcmtk/dcmdata/dcuid.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace seedwave::io::dicom {
namespace {

constexpr int kMostFrames = 1'000'000;

/// The items in which a frame's attribute may stand, the frame's own first (PS3.3, C.7.6.16).
struct FrameSources {
  DcmItem* own = nullptr;
  DcmItem* shared = nullptr;
  DcmItem* dataset = nullptr;

  /// The item of a functional group, the frame's own before the shared one; else null.
  [[nodiscard]] DcmItem* group(const DcmTagKey& sequence) const {
    if (own != nullptr) {
      if (DcmItem* item = first_item(*own, sequence)) return item;
    }
    return shared != nullptr ? first_item(*shared, sequence) : nullptr;
  }
  /// The group's item, or the data set where the file has no such group.
  [[nodiscard]] DcmItem& group_or_dataset(const DcmTagKey& sequence) const {
    DcmItem* item = group(sequence);
    return item != nullptr ? *item : *dataset;
  }
};

void note(std::vector<std::string>& warnings, const std::string& text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// ---- refusals that depend on the kind of object

void refuse_kind(DcmItem& dataset, bool has_pixels) {
  const std::string sop = text_of(dataset, DCM_SOPClassUID);
  const std::string modality = text_of(dataset, DCM_Modality);
  if (sop == UID_SegmentationStorage || sop == UID_SurfaceSegmentationStorage) {
    throw InputError("a DICOM segmentation, not an image");
  }
  if (sop == UID_VLWholeSlideMicroscopyImageStorage || modality == "SM") {
    throw InputError("a whole-slide microscopy object, not a volume or a single picture");
  }
  if (modality == "SR") throw InputError("a structured report, without a picture");
  if (!has_pixels) {
    throw InputError("holds no picture (no pixel data" +
                     (modality.empty() ? std::string(")") : "; modality " + modality + ")"));
  }
}

// ---- pixel layout

int required(DcmItem& dataset, const DcmTagKey& tag, const char* name, int least, int most) {
  const std::optional<std::int64_t> value = integer_of(dataset, tag);
  if (!value) throw InputError(std::string("does not say its ") + name);
  if (*value < least || *value > most) {
    throw InputError(std::string(name) + " is " + std::to_string(*value) + "; possible are " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<int>(*value);
}

Photometric photometric_of(const std::string& name) {
  if (name == "MONOCHROME1") return Photometric::Monochrome1;
  if (name == "MONOCHROME2") return Photometric::Monochrome2;
  if (name == "PALETTE COLOR") return Photometric::Palette;
  if (name == "RGB") return Photometric::Rgb;
  if (name == "YBR_FULL") return Photometric::YbrFull;
  if (name == "YBR_FULL_422" || name == "YBR_PARTIAL_420") return Photometric::YbrFull422;
  if (name == "YBR_RCT" || name == "YBR_ICT") return Photometric::YbrReversible;
  throw InputError("the colours are coded in a way that is not read (PhotometricInterpretation '" +
                   name + "')");
}

void read_bits(DcmItem& dataset, PixelLayout& layout, std::vector<std::string>& warnings) {
  layout.bits_allocated = required(dataset, DCM_BitsAllocated, "BitsAllocated", 1, 64);
  if (layout.bits_allocated != 8 && layout.bits_allocated != 16) {
    throw InputError("BitsAllocated is " + std::to_string(layout.bits_allocated) +
                     "; 8 and 16 are read");
  }
  layout.bits_stored = required(dataset, DCM_BitsStored, "BitsStored", 1, layout.bits_allocated);
  const std::int64_t high = integer_of(dataset, DCM_HighBit).value_or(layout.bits_stored - 1);
  layout.high_bit = static_cast<int>(
      std::clamp<std::int64_t>(high, layout.bits_stored - 1, layout.bits_allocated - 1));
  if (layout.high_bit != high) {
    note(warnings, "HighBit is " + std::to_string(high) + ", which does not fit BitsStored; " +
                       std::to_string(layout.high_bit) + " is assumed");
  }
  layout.is_signed = integer_of(dataset, DCM_PixelRepresentation).value_or(0) == 1;
}

PixelLayout read_layout(DcmItem& dataset, Compression compression,
                        std::vector<std::string>& warnings) {
  PixelLayout layout;
  layout.compression = compression;
  layout.rows = required(dataset, DCM_Rows, "Rows", 1, 65535);
  layout.columns = required(dataset, DCM_Columns, "Columns", 1, 65535);
  layout.samples = static_cast<int>(integer_of(dataset, DCM_SamplesPerPixel).value_or(1));
  std::string name = text_of(dataset, DCM_PhotometricInterpretation);
  if (name.empty()) {
    name = layout.samples == 3 ? "RGB" : "MONOCHROME2";
    note(warnings, "the file does not say how its colours are coded: " + name + " is assumed");
  }
  layout.photometric = photometric_of(name);
  const bool grey = layout.photometric == Photometric::Monochrome1 ||
                    layout.photometric == Photometric::Monochrome2 ||
                    layout.photometric == Photometric::Palette;
  if (layout.samples != (grey ? 1 : 3)) {
    throw InputError("SamplesPerPixel is " + std::to_string(layout.samples) +
                     ", which does not fit " + name);
  }
  layout.planar =
      layout.samples == 3 && integer_of(dataset, DCM_PlanarConfiguration).value_or(0) == 1;
  read_bits(dataset, layout, warnings);
  if (layout.samples == 3 && layout.is_signed) throw InputError("the colours are signed numbers");
  if (layout.samples == 3 && layout.photometric != Photometric::Rgb && layout.bits_allocated != 8) {
    throw InputError("the colours are YBR with more than 8 bits, which is not read");
  }
  return layout;
}

int frame_count(DcmItem& dataset) {
  const std::string text = text_of(dataset, DCM_NumberOfFrames);
  if (text.empty()) return 1;
  const std::optional<std::int64_t> count = integer_of(dataset, DCM_NumberOfFrames);
  if (!count || *count < 1 || *count > kMostFrames) {
    throw InputError("NumberOfFrames is '" + text + "'");
  }
  return static_cast<int>(*count);
}

void check_native_size(const PixelLayout& layout, int frames, std::uint64_t bytes) {
  // Rows, columns < 2^16, samples and bytes <= 6, frames < 2^20: no overflow.
  const std::uint64_t needed = static_cast<std::uint64_t>(layout.native_bytes()) * frames;
  if (needed > bytes) {
    throw InputError("cut short or lies about its size: " + std::to_string(layout.columns) + " x " +
                     std::to_string(layout.rows) + " pixels, " + std::to_string(frames) +
                     (frames == 1 ? " frame, need " : " frames, need ") + in_bytes(needed) +
                     ", the pixel data are " + in_bytes(bytes));
  }
}

// ---- palette

std::vector<std::uint8_t> palette_channel(DcmItem& dataset, const DcmTagKey& descriptor_tag,
                                          const DcmTagKey& data_tag, int& first) {
  const auto descriptor = numbers_of(dataset, descriptor_tag, 3);
  const Uint16* words = nullptr;
  unsigned long count = 0;
  if (!descriptor || dataset.findAndGetUint16Array(data_tag, words, &count).bad() ||
      words == nullptr) {
    throw InputError("the palette is missing or of a kind that is not read");
  }
  const auto entries =
      (*descriptor)[0] == 0 ? std::size_t{65536} : static_cast<std::size_t>((*descriptor)[0]);
  first = static_cast<int>((*descriptor)[1]);
  const bool packed = (*descriptor)[2] <= 8 && count < entries;  // two 8-bit entries in a word
  if (entries > 65536 || (packed ? 2 * std::size_t{count} : std::size_t{count}) < entries) {
    throw InputError("the palette is shorter than it says");
  }
  std::vector<std::uint8_t> channel(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    if (packed) {
      channel[i] = static_cast<std::uint8_t>(words[i / 2] >> (8 * (i % 2)));
    } else {
      channel[i] = static_cast<std::uint8_t>((*descriptor)[2] <= 8 ? words[i] : words[i] >> 8);
    }
  }
  return channel;
}

Palette read_palette(DcmItem& dataset) {
  Palette palette;
  int ignored = 0;
  const auto red = palette_channel(dataset, DCM_RedPaletteColorLookupTableDescriptor,
                                   DCM_RedPaletteColorLookupTableData, palette.first);
  const auto green = palette_channel(dataset, DCM_GreenPaletteColorLookupTableDescriptor,
                                     DCM_GreenPaletteColorLookupTableData, ignored);
  const auto blue = palette_channel(dataset, DCM_BluePaletteColorLookupTableDescriptor,
                                    DCM_BluePaletteColorLookupTableData, ignored);
  if (green.size() != red.size() || blue.size() != red.size()) {
    throw InputError("the palette's tables differ in length");
  }
  for (std::size_t i = 0; i < red.size(); ++i)
    palette.entries.push_back({red[i], green[i], blue[i]});
  return palette;
}

// ---- geometry of a frame

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Unit axes from six direction cosines, made exactly perpendicular; nothing where they are not
/// near to a pair of axes.
std::optional<std::array<Vec3, 2>> orthonormal(const std::vector<double>& cosines) {
  Vec3 row{cosines[0], cosines[1], cosines[2]};
  Vec3 column{cosines[3], cosines[4], cosines[5]};
  const double row_length = std::sqrt(dot(row, row));
  const double column_length = std::sqrt(dot(column, column));
  if (std::abs(row_length - 1) > 0.02 || std::abs(column_length - 1) > 0.02) return std::nullopt;
  for (double& x : row)
    x /= row_length;
  const double along = dot(row, column);
  if (std::abs(along) > 0.02) return std::nullopt;
  for (int i = 0; i < 3; ++i)
    column[i] -= along * row[i];
  const double rest = std::sqrt(dot(column, column));
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
      note(warnings, "the pixel spacing '" + text + "' is not usable");
      continue;
    }
    if (i == 1) {
      note(warnings,
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
    if (!text.empty()) note(warnings, "the position '" + text + "' is not usable");
  }
  DcmItem& orientation_item = sources.group_or_dataset(DCM_PlaneOrientationSequence);
  const std::string orientation_text = text_of(orientation_item, DCM_ImageOrientationPatient);
  if (const auto cosines = numbers_of(orientation_item, DCM_ImageOrientationPatient, 6)) {
    frame.orientation = orthonormal(*cosines);
  }
  if (!frame.orientation && !orientation_text.empty()) {
    note(warnings, "the orientation '" + orientation_text + "' is not usable");
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

// ---- values and display

void read_rescale(const FrameSources& sources, const std::string& modality, Frame& frame,
                  std::vector<std::string>& warnings) {
  DcmItem& item = sources.group_or_dataset(DCM_PixelValueTransformationSequence);
  const auto value_or = [&](const DcmTagKey& tag, double fallback) {
    const std::string text = text_of(item, tag);
    if (text.empty()) return fallback;
    const std::optional<double> value = number_of(item, tag);
    if (value && (tag != DCM_RescaleSlope || *value != 0.0)) return *value;
    note(warnings, std::string(tag == DCM_RescaleSlope ? "RescaleSlope '" : "RescaleIntercept '") +
                       text + "' is not usable: " + (fallback == 1.0 ? "1" : "0") + " is assumed");
    return fallback;
  };
  frame.rescale.slope = value_or(DCM_RescaleSlope, 1.0);
  frame.rescale.intercept = value_or(DCM_RescaleIntercept, 0.0);
  if (first_item(*sources.dataset, DCM_ModalityLUTSequence) != nullptr) {
    note(warnings,
         "the file's table of values (Modality LUT) is not applied: values are as stored");
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

// ---- what tells frames apart

/// The third and fourth value of FrameType, as vendors use either: "M", "T1 M", "FIELD_MAP"; and
/// the complex part where it is not the magnitude.
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

std::vector<std::string> discriminators_of(const FrameSources& sources) {
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
  return {either(type, DCM_ComplexImageComponent, DCM_ComplexImageComponent),
          text_of(dataset, DCM_ImageType),
          either(echo, DCM_EffectiveEchoTime, DCM_EchoNumbers),
          text_of(dataset, DCM_EchoTime),
          text_of(content, DCM_StackID),
          either(&content, DCM_TemporalPositionIndex, DCM_TemporalPositionIdentifier),
          either(trigger, DCM_NominalCardiacTriggerDelayTime, DCM_TriggerTime),
          gradient,
          text_of(dataset, DCM_ConvolutionKernel),
          either(&content, DCM_FrameAcquisitionNumber, DCM_AcquisitionNumber),
          text_of(dataset, DCM_AcquisitionDate) + text_of(dataset, DCM_AcquisitionTime),
          text_of(dataset, DCM_ContentDate) + text_of(dataset, DCM_ContentTime)};
}

std::vector<DcmItem*> items_of(DcmItem& dataset, const DcmTagKey& tag, std::size_t most) {
  std::vector<DcmItem*> items;
  DcmSequenceOfItems* sequence = nullptr;
  if (dataset.findAndGetSequence(tag, sequence).bad() || sequence == nullptr) return items;
  DcmObject* object = nullptr;
  while (items.size() < most && (object = sequence->nextInContainer(object)) != nullptr) {
    items.push_back(static_cast<DcmItem*>(object));
  }
  return items;
}

std::vector<Frame> read_frames(DcmItem& dataset, int count, const std::string& modality,
                               std::vector<std::string>& warnings) {
  const std::vector<DcmItem*> own =
      items_of(dataset, DCM_PerFrameFunctionalGroupsSequence, static_cast<std::size_t>(count));
  DcmItem* const shared = first_item(dataset, DCM_SharedFunctionalGroupsSequence);
  if (!own.empty() && own.size() < static_cast<std::size_t>(count)) {
    throw InputError("describes " + std::to_string(own.size()) + " of its " +
                     std::to_string(count) + " frames");
  }
  // Without functional groups the data set's own position would be every frame's.
  const bool plain = count > 1 && own.empty();
  std::vector<Frame> frames(static_cast<std::size_t>(count));
  const std::int64_t instance = integer_of(dataset, DCM_InstanceNumber).value_or(0);
  for (int i = 0; i < count; ++i) {
    Frame& frame = frames[static_cast<std::size_t>(i)];
    if (plain && i > 0) {
      frame = frames[0];
    } else {
      const FrameSources sources{own.empty() ? nullptr : own[static_cast<std::size_t>(i)], shared,
                                 &dataset};
      read_geometry(sources, frame, warnings);
      read_rescale(sources, modality, frame, warnings);
      read_windows(sources, frame);
      frame.kind = own.empty() ? std::string() : kind_of(sources);
      frame.discriminators = discriminators_of(sources);
    }
    if (plain) frame.position.reset();
    frame.number = i;
    frame.instance = instance;
  }
  return frames;
}

/// "Family, Given" from the parts that ^ separates; the alphabetic form of the name.
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
  if (result.bad()) throw InputError(std::string("the DICOM header is damaged: ") + result.text());
}

}  // namespace

std::int64_t PixelLayout::native_bytes() const noexcept {
  // YBR_FULL_422 shares two chroma samples between two pixels (PS3.3, C.7.6.3.1.2).
  if (photometric == Photometric::YbrFull422 && compression == Compression::None) {
    return (columns + 1) / 2 * 4 * std::int64_t{rows};
  }
  return values() * (bits_allocated / 8);
}

const std::vector<std::string>& discriminator_names() {
  static const std::vector<std::string> kNames = {
      "image type",   "echo",      "echo time", "stack",       "time point",
      "trigger time", "diffusion", "kernel",    "acquisition", "acquisition time",
      "content time"};
  return kNames;
}

Header read_header(const std::filesystem::path& file) {
  prepare_dcmtk();
  FileStructure structure = read_structure(file);
  DcmDataset dataset;
  parse(structure, dataset);
  refuse_kind(dataset, structure.has_pixels);
  if (!structure.integer_pixels)
    throw InputError("the values are floating-point, which is not read");

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
    throw InputError("the pixel data do not fit its transfer syntax " + structure.transfer_syntax);
  }
  header.layout = read_layout(dataset, compression, header.warnings);
  const int count = frame_count(dataset);
  if (!structure.encapsulated) check_native_size(header.layout, count, structure.pixel_bytes);
  if (header.layout.photometric == Photometric::Palette) header.palette = read_palette(dataset);
  header.padding = number_of(dataset, DCM_PixelPaddingValue);
  header.frames = read_frames(dataset, count, header.modality, header.warnings);
  if (texts_of(dataset, DCM_ImageType).size() > 0) {
    const std::vector<std::string> type = texts_of(dataset, DCM_ImageType);
    if (std::find(type.begin(), type.end(), "MOSAIC") != type.end()) {
      note(header.warnings,
           "this is a mosaic: many slices side by side in one picture, shown as it is stored");
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
