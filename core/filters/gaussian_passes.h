// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/base/large_memory.h"
#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

/// The parts of a Gaussian that the gradient and the CUDA twins share.
namespace seedwave::filters {

/// The type stored between the axes: f64 for i32 images, else f32.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, std::int32_t>, double, float>;

/// Rounds a smoothed value half up. Values are within half of Out's range, because weights sum
/// to 1.
template <typename Out, typename Mid>
SEEDWAVE_HD Out rounded(Mid value) {
  constexpr auto kLow = static_cast<Mid>(std::numeric_limits<Out>::min());
  constexpr auto kHigh = static_cast<Mid>(std::numeric_limits<Out>::max());
  Mid moved = value + static_cast<Mid>(0.5);
  moved = moved < kLow ? kLow : (moved > kHigh ? kHigh : moved);
  const auto whole = static_cast<std::int32_t>(moved);  // towards 0
  return static_cast<Out>(whole - (static_cast<Mid>(whole) > moved ? 1 : 0));
}

/// The weights of offsets 0, 1, ... along each axis; {1} for an axis that is not smoothed.
using AxisWeights = std::array<std::vector<double>, 3>;

/// Returns the weights of a Gaussian. Throws InputError if a sigma is not in 0..kLargestSigma.
[[nodiscard]] AxisWeights gaussian_weights(const Vec3& sigma, const Geometry& geometry);

/// Throws InputError if the image has several channels, or values that are not finite. `filter`
/// begins the message.
void check_smoothable(const Volume& image, const char* filter);

/// Returns the smoothed image in the type stored between the axes, without rounding.
template <typename T>
[[nodiscard]] LargeArray<Stored<T>> smoothed(const Volume& image, const AxisWeights& weights,
                                             Context& context);

}  // namespace seedwave::filters
