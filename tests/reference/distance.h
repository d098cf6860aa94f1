// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::reference {

/// The nearest source of a voxel: the square of its distance, in weights, and its name; -1, -1 if
/// there is no source.
struct Nearest {
  std::int64_t square = -1;
  std::int64_t name = -1;
  friend bool operator==(const Nearest&, const Nearest&) = default;
};

/// Returns the nearest source of each voxel, by comparing all sources; of equally near ones, the
/// one with the smallest name. names: x fastest; a negative name is no source. All arithmetic is in
/// integers.
[[nodiscard]] std::vector<Nearest> nearest_sources(const std::vector<std::int64_t>& names,
                                                   const Index3& size,
                                                   const std::array<std::int64_t, 3>& weights);

}  // namespace seedwave::reference
