// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/parallel/ranks.h"

#include <cstdint>
#include <functional>
#include <string>

namespace seedwave {

/// A range of layers of a grid, without and with the halo. The halo is one more layer on each side,
/// if there is one.
struct Slab {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t halo_begin = 0;
  std::int64_t halo_end = 0;

  [[nodiscard]] std::int64_t layers() const noexcept { return end - begin; }
  [[nodiscard]] std::int64_t layers_with_halo() const noexcept { return halo_end - halo_begin; }
};

/// A grid divided into slabs along its slowest axis. A layer is a slice of a volume, a row of an
/// image or a cell of a line. So each slab is contiguous in memory and touches at most two others.
/// If ranks share a grid, each has slabs of the layers that it owns; the halos at both ends of
/// these belong to others.
class SlabGrid {
 public:
  /// `most_layers` is the largest number of layers of a slab without its halo; at least 1. Slabs
  /// are about equally thick.
  SlabGrid(const Index3& size, std::int64_t most_layers);
  /// Divides only the layers that are `own`.
  SlabGrid(const Index3& size, std::int64_t most_layers, const LayerRange& own);

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] Slab slab(std::int64_t number) const noexcept;
  /// Returns these layers with their halo.
  [[nodiscard]] Slab part(std::int64_t begin, std::int64_t end) const noexcept;
  /// Returns the box of voxels of these layers; layer_cells() is the number per layer.
  [[nodiscard]] Box box(std::int64_t begin, std::int64_t end) const noexcept;
  [[nodiscard]] std::int64_t layer_cells() const noexcept { return layer_cells_; }
  [[nodiscard]] const Index3& size() const noexcept { return size_; }
  /// The layers that are divided into slabs.
  [[nodiscard]] const LayerRange& own() const noexcept { return own_; }
  [[nodiscard]] std::int64_t layers() const noexcept {
    return size_[static_cast<std::size_t>(axis_)];
  }

 private:
  Index3 size_;
  int axis_;
  std::int64_t layer_cells_;
  LayerRange own_;
  std::int64_t count_;
};

/// Working memory, in bytes, of a solver on a grid of that size. Must not decrease with the size.
using BytesForSize = std::function<std::int64_t(const Index3& size)>;

/// Returns the thickest slabs, halos included, that fit into `budget` bytes. If the whole grid
/// fits, it is one slab.
///
/// `fixed` is the memory needed besides the slabs throughout. Throws UnavailableError, which states
/// the smallest budget, if one layer with its halo does not fit.
[[nodiscard]] SlabGrid slabs_within(std::int64_t budget, const Index3& size,
                                    const BytesForSize& bytes, std::int64_t fixed = 0);

/// Returns this rank's slabs within the context's memory, of no more layers than it allows, and
/// enough of them for its workers, each of which needs the memory of one. `fixed` is 0 if arrays
/// lie in files.
[[nodiscard]] SlabGrid slabs_for(const Context& context, const Index3& size,
                                 const BytesForSize& bytes, std::int64_t fixed = 0);

/// Returns this rank's slabs of that thickness or thinner ones: of no more layers than the context
/// allows, or else no fewer than its workers should have to share, several each, so that none waits
/// long for the last one.
[[nodiscard]] SlabGrid for_sharers(const SlabGrid& slabs, const Context& context);

/// Returns the smallest budget that slabs_within() accepts.
[[nodiscard]] std::int64_t least_budget(const Index3& size, const BytesForSize& bytes,
                                        std::int64_t fixed = 0);

}  // namespace seedwave
