// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/geometry.h"
#include "core/morphology/linear/line_family.h"
#include "core/parallel/ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// Images larger than the memory, of a device or of the run, in slabs. A slab is a number of layers
/// along the slowest axis, contiguous in the image. It is loaded with the layers that windows of
/// its cells reach, so each slab is solved once, as an image of its own. Its lines are those of the
/// whole image. Windows cut off at its ends contain none of its own cells.
namespace seedwave::linear {

/// Returns the axis along which an image is divided.
[[nodiscard]] inline int slab_axis(const Index3& size) {
  return size[2] > 1 ? 2 : 1;
}

/// Returns the maximum distance, in layers, at which a window of `length` cells can contain a cell.
[[nodiscard]] inline std::int64_t reach_of(const LineFamily& lines, std::int64_t length) {
  const int axis = slab_axis(lines.size());
  const double slope = std::abs(lines.step()[axis]);
  const auto steps = static_cast<double>(length - 1);
  // Shifts are rounded, so the difference of two may be one cell more.
  const std::int64_t rounded = slope == 0.0 || slope == 1.0 ? 0 : 1;
  return std::min(lines.size()[axis], static_cast<std::int64_t>(slope * steps) + rounded);
}

/// Layers first .. first + count - 1. The image from layer `from` to `from + layers - 1` is needed
/// for them.
struct LineSlab {
  std::int64_t first;
  std::int64_t count;
  std::int64_t from;
  std::int64_t layers;
};
/// Divides the layers of a range, of all `layers`, into slabs of at most `thickness`.
[[nodiscard]] inline std::vector<LineSlab> slabs_of(const LayerRange& range, std::int64_t layers,
                                                    std::int64_t thickness, std::int64_t reach) {
  std::vector<LineSlab> slabs;
  for (std::int64_t first = range.begin; first < range.end; first += thickness) {
    const std::int64_t end = std::min(range.end, first + thickness);
    const std::int64_t from = std::max<std::int64_t>(0, first - reach);
    slabs.push_back({first, end - first, from, std::min(layers, end + reach) - from});
  }
  return slabs;
}

/// Returns a thickness with which a slab and the layers it reaches need at most `memory`; 0 if
/// there is none. bytes_of(layers): memory of this number of layers.
template <typename BytesOf>
[[nodiscard]] std::int64_t thickness_for(std::int64_t layers, std::int64_t reach,
                                         std::int64_t memory, const BytesOf& bytes_of) {
  for (std::int64_t thickness = layers; thickness > 0; thickness /= 2) {
    if (bytes_of(std::min(layers, thickness + 2 * reach)) <= memory) return thickness;
  }
  return 0;
}

/// Returns the number of layers that must be in memory at once: one, and those that windows of
/// its cells reach.
[[nodiscard]] inline std::int64_t least_layers(std::int64_t layers, std::int64_t reach) {
  return std::min(layers, 1 + 2 * reach);
}

/// Divides all `layers` into slabs that need at most `memory`, including the layers they reach.
/// bytes_of(layers): memory of this number of layers. Throws UnavailableError, which names `what`,
/// if the memory is too small.
template <typename BytesOf>
[[nodiscard]] std::vector<LineSlab> slabs_within(std::int64_t memory, std::int64_t layers,
                                                 std::int64_t reach, const BytesOf& bytes_of,
                                                 const std::string& what) {
  const std::int64_t thickness = thickness_for(layers, reach, memory, bytes_of);
  if (thickness == 0) {
    throw UnavailableError(in_bytes(memory) + " of memory is too little for " + what +
                           ": at least " + in_bytes(bytes_of(least_layers(layers, reach))) +
                           " are needed");
  }
  return slabs_of({0, layers}, layers, thickness, reach);
}

}  // namespace seedwave::linear
