// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/flat_morphology.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

enum class Way { Dilate, Erode };

/// A block of the result: cells in [lo, hi).
using Block = Box;

constexpr std::int64_t kRowBytes = 2048;
constexpr std::int64_t kFewestRows = 64;
constexpr std::int64_t kFewestPlanes = 8;

std::int64_t pieces(std::int64_t length, std::int64_t each) {
  return (length + each - 1) / each;
}

/// Returns the sides of a block. They are long compared with the reach of the element, so little is
/// computed twice. They are small enough for the active rows to stay in the cache.
Index3 block_size(const Index3& size, const Index3& reach, std::int64_t bytes_each) {
  return {std::min(size[0], std::max(kRowBytes / bytes_each, 4 * reach[0])),
          std::min(size[1], std::max(kFewestRows, 2 * reach[1])),
          std::min(size[2], std::max(kFewestPlanes, 2 * reach[2]))};
}

// Separate loops on pointers declared free of overlap, so that they are vectorised.
template <typename Cell>
void raise(Cell* __restrict to, const Cell* __restrict from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = std::max(to[i], from[i]);
}
template <typename Cell>
void highest_of_three(const Cell* a, const Cell* b, const Cell* c, std::int64_t count,
                      Cell* __restrict to) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = std::max(std::max(a[i], b[i]), c[i]);
}

/// A row with the highest cell of a window around each position. The window widens on request.
///
/// Three windows of half width w, the outer ones shifted by d <= 2w + 1, make one of half width w +
/// d. So each step from one width of the element to the next mostly takes one operation.
template <typename Cell>
class WideningRow {
 public:
  /// Prepares a row. The cells at the positions -reach .. count + reach - 1 are set through
  /// cells().
  void begin(std::int64_t count, std::int64_t reach) {
    row_.resize(static_cast<std::size_t>(count + 2 * reach));
    next_.resize(row_.size());
    count_ = count;
    reach_ = reach;
    half_width_ = 0;
  }
  [[nodiscard]] Cell* cells() { return row_.data(); }

  /// Returns the row's positions 0 .. count - 1 in windows of that half width, which must not
  /// decrease.
  const Cell* widened(std::int64_t half_width) {
    while (half_width_ < half_width) {
      const std::int64_t step = std::min(half_width - half_width_, 2 * half_width_ + 1);
      half_width_ += step;
      // Positions closer to the ends than the new width have no whole window and are never read.
      const std::int64_t first = half_width_;
      const std::int64_t last = static_cast<std::int64_t>(row_.size()) - half_width_;
      const Cell* row = row_.data() + first;
      highest_of_three(row - step, row, row + step, last - first, next_.data() + first);
      row_.swap(next_);
    }
    return row_.data() + reach_;
  }

 private:
  std::vector<Cell> row_;
  std::vector<Cell> next_;
  std::int64_t count_ = 0;
  std::int64_t reach_ = 0;
  std::int64_t half_width_ = 0;
};

template <typename Voxel>
class FlatDilation {
 public:
  using Cell = CellOf<Voxel>;

  FlatDilation(const Volume& image, const FlatElement& element, Way way)
      : geometry_(image.geometry()),
        voxels_(image.voxels<Voxel>().data()),
        element_(element),
        turned_(way == Way::Erode) {}

  std::vector<Voxel> operator()(Context& context) {
    const Index3& size = geometry_.size;
    const Index3 each = block_size(size, element_.reach(), sizeof(Voxel));
    const Index3 blocks{pieces(size[0], each[0]), pieces(size[1], each[1]),
                        pieces(size[2], each[2])};
    auto result = large_vector<Voxel>(static_cast<std::size_t>(geometry_.voxel_count()));
    const std::int64_t count = blocks[0] * blocks[1] * blocks[2];
    parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
      WideningRow<Cell> row;
      std::vector<Cell> cells;
      for (std::int64_t i = begin; i < end; ++i) {
        const Index3 place{i % blocks[0], i / blocks[0] % blocks[1], i / (blocks[0] * blocks[1])};
        Block block;
        for (int axis = 0; axis < 3; ++axis) {
          block.lo[axis] = place[axis] * each[axis];
          block.hi[axis] = std::min(size[axis], block.lo[axis] + each[axis]);
        }
        const double done = static_cast<double>(i) / static_cast<double>(count);
        dilate(block, row, cells, [&] { context.checkpoint(done); });
        store(block, cells, result.data());
      }
    });
    return result;
  }

 private:
  static std::int64_t length(const Block& block, int axis) {
    return block.hi[axis] - block.lo[axis];
  }

  /// Each row of the image within the element's reach raises the block's rows.
  template <typename Check>
  void dilate(const Block& block, WideningRow<Cell>& row, std::vector<Cell>& cells, Check check) {
    const Index3& reach = element_.reach();
    const std::int64_t nx = length(block, 0);
    cells.assign(static_cast<std::size_t>(nx * length(block, 1) * length(block, 2)),
                 std::numeric_limits<Cell>::lowest());
    const Box around{{0, std::max<std::int64_t>(0, block.lo[1] - reach[1]),
                      std::max<std::int64_t>(0, block.lo[2] - reach[2])},
                     {0, std::min(geometry_.size[1], block.hi[1] + reach[1]),
                      std::min(geometry_.size[2], block.hi[2] + reach[2])}};
    for (std::int64_t z = around.lo[2]; z < around.hi[2]; ++z) {
      for (std::int64_t y = around.lo[1]; y < around.hi[1]; ++y) {
        check();
        load(block, y, z, row);
        for (const FlatElement::Row& part : element_.rows()) {
          const std::int64_t to_y = y + part.dy - block.lo[1];
          const std::int64_t to_z = z + part.dz - block.lo[2];
          if (to_y < 0 || to_y >= length(block, 1) || to_z < 0 || to_z >= length(block, 2))
            continue;
          raise(cells.data() + nx * (to_y + length(block, 1) * to_z), row.widened(part.half_width),
                nx);
        }
      }
    }
  }

  /// Loads the image's row beside the block, extended by the reach of the element.
  void load(const Block& block, std::int64_t y, std::int64_t z, WideningRow<Cell>& row) const {
    const std::int64_t reach = element_.reach()[0];
    row.begin(length(block, 0), reach);
    const std::int64_t first = block.lo[0] - reach;
    const std::int64_t last = block.hi[0] + reach;
    const std::int64_t from = std::max<std::int64_t>(0, first);
    const std::int64_t to = std::min(geometry_.size[0], last);
    std::fill(row.cells(), row.cells() + (from - first), std::numeric_limits<Cell>::lowest());
    to_cells(voxels_ + geometry_.offset({from, y, z}), to - from, turned_,
             row.cells() + (from - first));
    std::fill(row.cells() + (to - first), row.cells() + (last - first),
              std::numeric_limits<Cell>::lowest());
  }

  void store(const Block& block, const std::vector<Cell>& cells, Voxel* result) const {
    const std::int64_t nx = length(block, 0);
    const Cell* row = cells.data();
    for (std::int64_t z = block.lo[2]; z < block.hi[2]; ++z) {
      for (std::int64_t y = block.lo[1]; y < block.hi[1]; ++y, row += nx)
        from_cells(row, nx, turned_, result + geometry_.offset({block.lo[0], y, z}));
    }
  }

  const Geometry& geometry_;
  const Voxel* voxels_;
  const FlatElement& element_;
  bool turned_;
};

Volume moved(const Volume& image, const FlatElement& element, Way way, Context& context) {
  require(image.components() == 1);
  refuse_nan(image, "the image");
  return visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return Volume(image.geometry(), FlatDilation<Voxel>(image, element, way)(context));
  });
}

}  // namespace

FlatElement::FlatElement(std::vector<Row> rows) : rows_(std::move(rows)) {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.half_width < b.half_width; });
  for (const Row& row : rows_) {
    reach_[0] = std::max(reach_[0], row.half_width);
    reach_[1] = std::max(reach_[1], std::abs(row.dy));
    reach_[2] = std::max(reach_[2], std::abs(row.dz));
  }
}

FlatElement FlatElement::ball(double radius, const Geometry& geometry) {
  const Index3& size = geometry.size;
  return FlatElement(ball_rows(radius, geometry.spacing, {size[0] - 1, size[1] - 1, size[2] - 1}));
}

FlatElement FlatElement::box(const Index3& reach, const Geometry& geometry) {
  Index3 most{};
  for (int axis = 0; axis < 3; ++axis)
    most[axis] = std::min(reach[axis], geometry.size[axis] - 1);
  std::vector<Row> rows;
  for (std::int64_t dz = -most[2]; dz <= most[2]; ++dz) {
    for (std::int64_t dy = -most[1]; dy <= most[1]; ++dy)
      rows.push_back({dy, dz, most[0]});
  }
  return FlatElement(std::move(rows));
}

Volume dilated(const Volume& image, const FlatElement& element, Context& context) {
  return moved(image, element, Way::Dilate, context);
}

Volume eroded(const Volume& image, const FlatElement& element, Context& context) {
  return moved(image, element, Way::Erode, context);
}

Volume opened(const Volume& image, const FlatElement& element, Context& context) {
  return dilated(eroded(image, element, context), element, context);
}

Volume closed(const Volume& image, const FlatElement& element, Context& context) {
  return eroded(dilated(image, element, context), element, context);
}

}  // namespace seedwave
