// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>
#include <functional>
#include <string>

namespace seedwave {

/// A run of layers of a grid, and the same with the halo: one layer more on each side that has one.
struct Slab {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t halo_begin = 0;
  std::int64_t halo_end = 0;
};

/// A grid cut into slabs along its slowest axis: a layer is a slice of a volume, a row of an image,
/// a cell of a line. So each slab lies in one piece in memory, and touches two others at most.
class SlabGrid {
 public:
  /// most_layers: of a slab, halo not counted; at least 1. Slabs are about equally thick.
  SlabGrid(const Index3& size, std::int64_t most_layers);

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] Slab slab(std::int64_t number) const noexcept;
  /// The voxels of those layers, and how many a layer has.
  [[nodiscard]] Box box(std::int64_t begin, std::int64_t end) const noexcept;
  [[nodiscard]] std::int64_t layer_cells() const noexcept { return layer_cells_; }

 private:
  Index3 size_;
  int axis_;
  std::int64_t layer_cells_;
  std::int64_t count_;
};

/// Working memory, in bytes, of a solver on a grid of that size: no less where it is larger.
using BytesForSize = std::function<std::int64_t(const Index3& size)>;

/// The thickest slabs, halos included, that `budget` bytes are enough for. A grid for which they
/// are enough as it stands is one slab.
///
/// fixed: what is needed beside the slabs, for as long as they take.
/// Throws UnavailableError that says the least budget, where one layer with its halo is too much.
[[nodiscard]] SlabGrid slabs_within(std::int64_t budget, const Index3& size,
                                    const BytesForSize& bytes, std::int64_t fixed = 0);

/// The least that slabs_within() takes.
[[nodiscard]] std::int64_t least_budget(const Index3& size, const BytesForSize& bytes,
                                        std::int64_t fixed = 0);

}  // namespace seedwave
