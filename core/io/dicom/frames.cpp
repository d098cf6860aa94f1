// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/frames.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/io/dicom/tags.h"
#include "core/io/dicom/warnings.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcsequen.h>

#include <algorithm>
#include <cmath>

namespace seedwave::io::dicom {
namespace {

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

}  // namespace

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

}  // namespace seedwave::io::dicom
