// SPDX-License-Identifier: Apache-2.0
#include "core/ops/phase_picture.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/crop.h"
#include "core/image/shares_voxels.h"
#include "core/texture/tpcf.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

[[noreturn]] void refuse(double value) {
  throw InputError("phases are whole numbers from 1 to " + std::to_string(kMostPhases) +
                   ", 0 for none, but the image holds " + number_text(value) +
                   ": use labels, such as the output of `phases`");
}

/// Returns a value that is not a phase, or 0 if all are; and the largest value.
template <typename Voxel>
std::pair<Voxel, Voxel> extremes(std::span<const Voxel> voxels) {
  Voxel odd{};
  Voxel largest{};
  for (const Voxel voxel : voxels) {
    bool is_odd = false;
    if constexpr (std::is_floating_point_v<Voxel>) is_odd = !(voxel == std::floor(voxel));
    if constexpr (std::is_signed_v<Voxel>) is_odd = is_odd || voxel < Voxel{};
    odd = is_odd ? voxel : odd;
    largest = std::max(largest, voxel);
  }
  return {odd, largest};
}

struct CountedPhases {
  Volume image;
  std::int64_t count;
};

}  // namespace

std::optional<std::int64_t> phases_held(const Volume& image) {
  if (image.components() != 1) return std::nullopt;
  return visit_voxels(image, [](auto voxels) -> std::optional<std::int64_t> {
    const auto [odd, largest] = extremes(voxels);
    if (odd != 0 || !(largest > 0 && largest <= kMostPhases)) return std::nullopt;
    return static_cast<std::int64_t>(largest);
  });
}

std::int64_t count_phases(const Volume& image, Context& context) {
  constexpr const char* kKey = "number of phases";
  const auto kept = context.cache().find<CountedPhases>(kKey);
  if (kept != nullptr && shares_voxels(kept->image, image)) return kept->count;
  const std::int64_t count = visit_voxels(image, [](auto voxels) {
    const auto [odd, largest] = extremes(voxels);
    if (odd != 0) refuse(static_cast<double>(odd));
    if (largest > kMostPhases) refuse(static_cast<double>(largest));
    if (largest == 0) throw InputError("the image has no phases: all its values are 0");
    return static_cast<std::int64_t>(largest);
  });
  context.cache().put(kKey, std::make_shared<CountedPhases>(CountedPhases{image, count}),
                      image.bytes().size());
  return count;
}

LabelMap phases_in(const Volume& image, const Box& box) {
  const Volume part = crop(image, box);
  return visit_voxels(part, [&](auto voxels) {
    return LabelMap(part.geometry(), std::vector<std::uint16_t>(voxels.begin(), voxels.end()));
  });
}

}  // namespace seedwave
