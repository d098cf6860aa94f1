// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/scene.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/filters/gaussian.h"
#include "core/parallel/fetch_pages.h"
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

/// Returns an image of 8 or 16 bits as u16: each intensity minus `first`.
Volume greys_of(const Volume& image, int first, Context& context) {
  if (image.type() == VoxelType::U16) return image;
  auto greys = large_array<std::uint16_t>(context, static_cast<std::size_t>(image.value_count()));
  visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        greys[i] = static_cast<std::uint16_t>(static_cast<int>(voxels[i]) - first);
    });
  });
  return {image.geometry(), std::move(greys)};
}

template <typename T>
std::vector<std::uint16_t> mapped(std::span<const T> voxels, const GreyScale& scale,
                                  Context& context) {
  auto greys = large_vector<std::uint16_t>(voxels.size());
  parallel_for(context, static_cast<std::int64_t>(voxels.size()), kGrain,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const double grey = std::floor(
                       (static_cast<double>(voxels[i]) - scale.first) / scale.step + 0.5);
                   greys[i] = static_cast<std::uint16_t>(std::clamp(grey, 0.0, kLastGrey));
                 }
               });
  return greys;
}

std::string mapping_note(const AffinityImage& image, const GreyScale& scale) {
  const double last = scale.value_of(kLastGrey);
  // The margin of half a step covers the rounding of the value at the last level.
  const bool cut = image.range.low < scale.first || image.range.high > last + 0.5 * scale.step;
  const bool shifted = image.wide.type() == VoxelType::I32 && scale.step == 1.0;
  std::ostringstream text;
  text << "the " << name_of(image.wide.type()) << " image was "
       << (shifted ? "shifted onto 16 bits" : "mapped linearly onto 16 bits for the affinity");
  if (cut) text << " from " << scale.first << " to " << last;
  if (!shifted) text << "; one grey step is " << scale.step;
  if (cut) {
    text << "; voxels outside have an affinity of 0";
  } else if (shifted) {
    text << "; no value was changed";
  }
  return text.str();
}

std::shared_ptr<const std::vector<std::uint8_t>> mask_cells(const LabelMap& mask) {
  if (mask.empty()) return nullptr;
  auto cells = std::make_shared<std::vector<std::uint8_t>>(mask.labels().size());
  visit_labels(mask.labels(), [&](auto labels) {
    std::transform(labels.begin(), labels.end(), cells->begin(),
                   [](auto label) { return static_cast<std::uint8_t>(label != 0); });
  });
  return cells;
}

}  // namespace

AffinityImage read_affinity_image(const Volume& image, const LabelMap& mask, const Vec3& smooth,
                                  Context& context) {
  if (image.components() != 1) {
    throw InputError("fuzzy connectedness needs one channel: choose one of the colour image");
  }
  refuse_nan(image, "the image");
  refuse_infinite(image, "the image");
  AffinityImage result;
  result.geometry = image.geometry();
  result.mask = mask_cells(mask);
  const bool smooths = smooth[0] > 0.0 || smooth[1] > 0.0 || smooth[2] > 0.0;
  if (bytes_of(image.type()) > 2) {
    result.wide = smooths ? gaussian(image, smooth, context) : image;
    result.range = value_range(result.wide);
    return result;
  }
  const int first =
      image.type() == VoxelType::I16 ? int{std::numeric_limits<std::int16_t>::min()} : 0;
  result.greys = greys_of(image, first, context);
  if (smooths) result.greys = gaussian(result.greys, smooth, context);
  result.first = first;
  return result;
}

GreyScale scale_for(const AffinityImage& image, const ValueRange& needed) {
  if (!image.greys.empty()) return {image.first, 1.0};
  const bool integer = image.wide.type() == VoxelType::I32;
  double low = std::max(image.range.low, needed.low);
  double high = std::min(image.range.high, needed.high);
  if (low > high) {  // the needed range lies entirely outside the range of the image
    low = needed.low;
    high = needed.high;
  }
  if (integer) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  const double span = high - low;
  if (image.range.low == image.range.high || (integer && span <= kLastGrey)) return {low, 1.0};
  // A finer step would not be resolved by a double.
  const double finest = std::max(std::abs(low), std::abs(high)) * 0x1p-52;
  return {low, std::max({span / kLastGrey, finest, std::numeric_limits<double>::min()})};
}

ScaledScene make_scene(const AffinityImage& image, const GreyScale& scale, Context& context) {
  ScaledScene result;
  result.scale = scale;
  result.scene.geometry = image.geometry;
  result.scene.mask = image.mask;
  result.scene.grey = image.greys;
  if (!image.greys.empty()) return result;
  result.scene.grey = image.visit(
      [&](auto values) { return Volume(image.geometry, mapped(values, scale, context)); });
  result.warnings.push_back(mapping_note(image, scale));
  return result;
}

}  // namespace seedwave::fuzzy
