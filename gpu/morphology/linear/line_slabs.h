// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/geometry.h"
#include "core/morphology/linear/line_family.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// Images larger than a device, in slabs: layers along the slowest axis, which lie in one piece on
/// the host. What a window that holds a cell reaches beyond the cell's slab comes with it, so each
/// slab is solved once, as an image of its own: its lines are those of the whole, and windows that
/// are cut off at its ends hold none of its own cells.
namespace seedwave::gpu::linear {

/// Along which an image is cut.
[[nodiscard]] inline int slab_axis(const Index3& size) {
  return size[2] > 1 ? 2 : 1;
}

/// How many layers away a window of `length` cells can hold a cell.
[[nodiscard]] inline std::int64_t reach_of(const LineFamily& lines, std::int64_t length) {
  const int axis = slab_axis(lines.size());
  const double slope = std::abs(lines.step()[axis]);
  const auto steps = static_cast<double>(length - 1);
  // Shifts are rounded: from one to another it may be a cell more.
  const std::int64_t rounded = slope == 0.0 || slope == 1.0 ? 0 : 1;
  return std::min(lines.size()[axis], static_cast<std::int64_t>(slope * steps) + rounded);
}

/// Layers first .. first + count - 1, of which the image from `from` to `from + layers - 1` is
/// needed.
struct LineSlab {
  std::int64_t first;
  std::int64_t count;
  std::int64_t from;
  std::int64_t layers;
};
/// All of `layers`, at most `thickness` at a time.
[[nodiscard]] inline std::vector<LineSlab> slabs_of(std::int64_t layers, std::int64_t thickness,
                                                    std::int64_t reach) {
  std::vector<LineSlab> slabs;
  for (std::int64_t first = 0; first < layers; first += thickness) {
    const std::int64_t end = std::min(layers, first + thickness);
    const std::int64_t from = std::max<std::int64_t>(0, first - reach);
    slabs.push_back({first, end - first, from, std::min(layers, end + reach) - from});
  }
  return slabs;
}

/// A thickness with which a slab and what it reaches take at most `memory`; 0 where there is none.
/// bytes_of(layers): what so many take.
template <typename BytesOf>
[[nodiscard]] std::int64_t thickness_for(std::int64_t layers, std::int64_t reach,
                                         std::int64_t memory, const BytesOf& bytes_of) {
  for (std::int64_t thickness = layers; thickness > 0; thickness /= 2) {
    if (bytes_of(std::min(layers, thickness + 2 * reach)) <= memory) return thickness;
  }
  return 0;
}

/// How many layers must be on the device at once: one, and what windows of its cells reach.
[[nodiscard]] inline std::int64_t least_layers(std::int64_t layers, std::int64_t reach) {
  return std::min(layers, 1 + 2 * reach);
}

/// All of `layers` in slabs that with what they reach take at most `memory`. bytes_of(layers): what
/// so many take. Throws UnavailableError, which says of `what`, where there is too little.
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
  return slabs_of(layers, thickness, reach);
}

}  // namespace seedwave::gpu::linear
