// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/morphology/rimmed_grid.h"
#include "core/parallel/context.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

/// Reconstruction by cells that rise one by one, in a whole image or in a part of it: what the
/// papers' algorithms share.
namespace seedwave {

[[nodiscard]] inline bool is_turned(const ReconstructionProblem& problem) {
  return problem.direction == ReconstructionDirection::Erosion;
}

/// Loads the cells of `count` voxels from `offset` on: limits, and the marker clipped to them.
/// Returns the number of clipped voxels.
template <typename Voxel>
[[nodiscard]] std::int64_t load(const ReconstructionProblem& problem, std::int64_t offset,
                                std::int64_t count, CellOf<Voxel>* __restrict cells,
                                CellOf<Voxel>* __restrict limits) {
  using Cell = CellOf<Voxel>;
  to_cells(problem.mask.voxels<Voxel>().data() + offset, count, is_turned(problem), limits);
  to_cells(problem.marker.voxels<Voxel>().data() + offset, count, is_turned(problem), cells);
  Cell beyond = 0;
  for (std::int64_t i = 0; i < count; ++i)
    beyond = static_cast<Cell>(beyond | (std::min(cells[i], limits[i]) ^ cells[i]));
  if (beyond == 0) return 0;
  // Counted separately, because otherwise the loop above would not be vectorised.
  std::int64_t cut = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    cut += cells[i] > limits[i] ? 1 : 0;
    cells[i] = std::min(cells[i], limits[i]);
  }
  return cut;
}

/// Marker and mask of a reconstruction by dilation, as cells, on a grid with a rim that nothing
/// passes.
template <typename T>
struct Rising {
  static constexpr T kLowest = std::numeric_limits<T>::lowest();

  RimmedGrid grid;
  std::vector<T> marker = std::vector<T>(grid.cell_count(), kLowest);
  std::vector<T> mask = marker;
  std::int64_t clipped = 0;

  [[nodiscard]] std::span<const std::int64_t> all() const { return grid.neighbours(); }
  [[nodiscard]] std::span<const std::int64_t> before() const {
    return all().first(grid.neighbours_before());
  }
  [[nodiscard]] std::span<const std::int64_t> after() const {
    return all().subspan(grid.neighbours_before());
  }
};

/// Loads `count` rows of the image from `first` on into the rows of the grid from `to` on.
template <typename Voxel>
void load_rows(const ReconstructionProblem& problem, std::int64_t first, std::int64_t count,
               std::int64_t to, Rising<CellOf<Voxel>>& rising) {
  const std::int64_t length = rising.grid.row_length();
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t cell = rising.grid.row_start(to + row);
    rising.clipped += load<Voxel>(problem, (first + row) * length, length,
                                  rising.marker.data() + cell, rising.mask.data() + cell);
  }
}

/// Stores `count` rows of the grid from `from` on as voxels.
template <typename Voxel>
void store_rows(const Rising<CellOf<Voxel>>& rising, std::int64_t from, std::int64_t count,
                bool turned, Voxel* voxels) {
  const std::int64_t length = rising.grid.row_length();
  for (std::int64_t row = 0; row < count; ++row) {
    from_cells(rising.marker.data() + rising.grid.row_start(from + row), length, turned,
               voxels + row * length);
  }
}

/// Returns the value that a cell takes from these neighbours, limited by the mask.
template <typename T>
T taken(const Rising<T>& rising, std::int64_t cell, std::span<const std::int64_t> neighbours) {
  T value = rising.marker[cell];
  for (const std::int64_t step : neighbours)
    value = std::max(value, rising.marker[cell + step]);
  return std::min(value, rising.mask[cell]);
}

enum class Order { Raster, AntiRaster };

/// Calls body(cell) for the image's cells in that order.
template <typename T, typename Body>
void scan(const Rising<T>& rising, Order order, Context& context, Body&& body) {
  const std::int64_t rows = rising.grid.row_count();
  const std::int64_t length = rising.grid.row_length();
  const auto rows_per_check = static_cast<std::int64_t>(kCellsPerCheck) / length + 1;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i % rows_per_check == 0) context.checkpoint(0.0);
    if (order == Order::Raster) {
      const std::int64_t first = rising.grid.row_start(i);
      for (std::int64_t x = 0; x < length; ++x)
        body(first + x);
    } else {
      const std::int64_t first = rising.grid.row_start(rows - 1 - i);
      for (std::int64_t x = length - 1; x >= 0; --x)
        body(first + x);
    }
  }
}

/// Scans once. Returns whether anything changed.
template <typename T>
bool sweep(Rising<T>& rising, Order order, Context& context) {
  const auto neighbours = order == Order::Raster ? rising.before() : rising.after();
  bool changed = false;
  scan(rising, order, context, [&](std::int64_t cell) {
    const T value = taken(rising, cell, neighbours);
    changed |= value != rising.marker[cell];
    rising.marker[cell] = value;
  });
  return changed;
}

/// Returns whether `to`, adjacent to a cell of that value, can still rise by it.
template <typename T>
bool rises(const Rising<T>& rising, std::int64_t to, T value) {
  return rising.marker[to] < value && rising.marker[to] < rising.mask[to];
}

/// Scans once in either order. Returns the cells from which work remains: those that can raise a
/// neighbour after them.
template <typename T>
std::vector<std::int64_t> scan_twice(Rising<T>& rising, Context& context) {
  sweep(rising, Order::Raster, context);
  const auto after = rising.after();
  std::vector<std::int64_t> left;
  scan(rising, Order::AntiRaster, context, [&](std::int64_t cell) {
    const T value = taken(rising, cell, after);
    rising.marker[cell] = value;
    if (std::any_of(after.begin(), after.end(),
                    [&](std::int64_t step) { return rises(rising, cell + step, value); }))
      left.push_back(cell);
  });
  return left;
}

/// Propagates breadth first from these cells, wave by wave.
template <typename T>
void spread(Rising<T>& rising, std::vector<std::int64_t> wave, Context& context) {
  std::vector<std::int64_t> next;
  for (std::size_t taken = 0; !wave.empty(); wave.swap(next), next.clear()) {
    for (const std::int64_t cell : wave) {
      if (taken++ % kCellsPerCheck == 0) context.checkpoint(0.0);
      const T value = rising.marker[cell];
      for (const std::int64_t step : rising.all()) {
        const std::int64_t to = cell + step;
        if (!rises(rising, to, value)) continue;
        rising.marker[to] = std::min(value, rising.mask[to]);
        next.push_back(to);
      }
    }
  }
}

/// Checks the problem, then calls solve.template operator()<Voxel>() with the voxels' type.
template <typename Solve>
[[nodiscard]] Reconstruction solved(const ReconstructionProblem& problem, Solve solve) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    return solve.template operator()<typename decltype(voxels)::value_type>();
  });
}

/// The same with algorithm(rising, context) on the whole image.
template <typename Algorithm>
[[nodiscard]] Reconstruction solved_by(Algorithm algorithm, const ReconstructionProblem& problem,
                                       Context& context) {
  return solved(problem, [&]<typename Voxel>() {
    const Geometry& geometry = problem.mask.geometry();
    Rising<CellOf<Voxel>> rising{RimmedGrid(geometry.size, problem.connectivity)};
    const std::int64_t rows = rising.grid.row_count();
    load_rows<Voxel>(problem, 0, rows, 0, rising);
    algorithm(rising, context);
    std::vector<Voxel> voxels(static_cast<std::size_t>(geometry.voxel_count()));
    store_rows(rising, 0, rows, is_turned(problem), voxels.data());
    return Reconstruction{Volume(geometry, std::move(voxels)), rising.clipped};
  });
}

}  // namespace seedwave
