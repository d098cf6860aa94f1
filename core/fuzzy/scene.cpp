// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/scene.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/fuzzy/smoothing.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

namespace seedwave::fuzzy {
namespace {

constexpr double kLastGrey = 65535.0;
constexpr std::int64_t kGrain = 1 << 18;

/// Throws InputError when a voxel is infinite; NaN was refused before.
void refuse_infinite(std::span<const float> voxels, const Geometry& geometry) {
  const auto first =
      std::find_if(voxels.begin(), voxels.end(), [](float v) { return std::isinf(v); });
  if (first == voxels.end()) return;
  const auto count = std::count_if(first, voxels.end(), [](float v) { return std::isinf(v); });
  const Index3 at = geometry.index_of(first - voxels.begin());
  std::ostringstream text;
  text << "the image has " << count << " infinite value" << (count == 1 ? "" : "s")
       << ", the first at (" << at[0] << ", " << at[1] << ", " << at[2] << ")";
  throw InputError(text.str());
}

/// The scale that takes the image onto 0..65535 as closely as its type allows.
template <typename T>
GreyScale scale_for(const Volume& image) {
  if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t>) {
    return {0.0, 1.0};
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    return {static_cast<double>(std::numeric_limits<std::int16_t>::min()), 1.0};
  } else {
    const ValueRange range = value_range(image);
    const double span = range.high - range.low;
    const bool only_shifted = span == 0.0 || (std::is_integral_v<T> && span <= kLastGrey);
    return {range.low, only_shifted ? 1.0 : span / kLastGrey};
  }
}

template <typename T>
std::vector<std::uint16_t> greys_of(std::span<const T> voxels, const GreyScale& scale,
                                    Context& context) {
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    // As they are, in one go: to set memory to zeros first takes as long as the copy.
    return large_copy(voxels);
  }
  auto greys = large_vector<std::uint16_t>(voxels.size());
  parallel_for(
      context, static_cast<std::int64_t>(voxels.size()), kGrain,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          if constexpr (sizeof(T) <= 2) {
            greys[i] = static_cast<std::uint16_t>(voxels[i] - static_cast<int>(scale.first));
          } else {
            const double grey =
                std::floor((static_cast<double>(voxels[i]) - scale.first) / scale.step + 0.5);
            greys[i] = static_cast<std::uint16_t>(std::clamp(grey, 0.0, kLastGrey));
          }
        }
      });
  return greys;
}

std::string mapping_note(const Volume& image, const GreyScale& scale) {
  std::ostringstream text;
  text << "the " << name_of(image.type()) << " image was ";
  if (image.type() == VoxelType::I32 && scale.step == 1.0) {
    text << "shifted onto 16 bits; no value was changed";
  } else {
    text << "mapped linearly onto 16 bits for the affinity; one grey step is " << scale.step;
  }
  return text.str();
}

std::shared_ptr<const std::vector<std::uint8_t>> mask_cells(const LabelMap& mask) {
  if (mask.empty()) return nullptr;
  const auto labels = mask.labels();
  auto cells = std::make_shared<std::vector<std::uint8_t>>(labels.size());
  std::transform(labels.begin(), labels.end(), cells->begin(),
                 [](std::uint16_t label) { return static_cast<std::uint8_t>(label != 0); });
  return cells;
}

}  // namespace

ScaledScene make_scene(const Volume& image, const LabelMap& mask, double smooth, Context& context) {
  if (image.components() != 1) {
    throw InputError("fuzzy connectedness needs one channel: choose one of the colour image");
  }
  refuse_nan(image, "the image");
  if (image.type() == VoxelType::F32) refuse_infinite(image.voxels<float>(), image.geometry());
  ScaledScene result;
  std::vector<std::uint16_t> greys =
      visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
        result.scale = scale_for<T>(image);
        return greys_of(voxels, result.scale, context);
      });
  if (bytes_of(image.type()) > 2) result.warnings.push_back(mapping_note(image, result.scale));
  if (smooth > 0.0) greys = gaussian_smoothed(greys, image.geometry(), smooth, context);
  result.scene.geometry = image.geometry();
  result.scene.grey = std::make_shared<const std::vector<std::uint16_t>>(std::move(greys));
  result.scene.mask = mask_cells(mask);
  return result;
}

}  // namespace seedwave::fuzzy
