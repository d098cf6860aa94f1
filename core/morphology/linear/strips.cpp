// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/strips.h"

#include "core/base/large_memory.h"
#include "core/morphology/linear/strip_worker.h"
#include "core/morphology/linear/turned_band.h"
#include "core/morphology/linear/turned_cells.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace linear {
namespace {

template <typename Cell>
void open_strips(const LinearOpeningProblem& problem, const StripLines& lines,
                 const CellGrid<Cell>& grid, const Kernel<Cell>& kernel, Context& context) {
  const std::int64_t count = StripWorker<Cell>::count(lines);
  parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
    StripWorker<Cell> worker(problem, lines, grid, kernel);
    for (std::int64_t i = begin; i < end; ++i)
      worker.open(i);
  });
}

/// Prefetches a row while the previous one is processed. Otherwise a copy waited for memory for two
/// fifths of the time.
template <typename Cell>
void fetch_row(const Cell* row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += kLineBytes / std::int64_t{sizeof(Cell)})
    __builtin_prefetch(row + i, 0, 2);
}

/// Along x a row's cells have no adjacent lines.
template <typename Cell>
void open_rows(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
               const Kernel<Cell>& kernel, Context& context) {
  const std::int64_t count = grid.size[0];
  const std::int64_t length = least_length(problem.border, problem.length, count);
  const LineMargins beyond = margins(problem.border, length);
  const Cell outside = always<Cell>(problem.filter);
  const auto room =
      static_cast<std::size_t>(beyond.front + count + beyond.behind + length + kRowRoom);
  const auto offset_of = [&](std::int64_t row) {
    return row % grid.size[1] * grid.row + row / grid.size[1] * grid.plane;
  };
  parallel_for(context, grid.size[1] * grid.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Cell> cells(room, outside);
    std::vector<Cell> memory(2 * room);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t offset = offset_of(i);
      std::copy_n(grid.from + offset, count, cells.begin() + beyond.front);
      fetch_row(grid.from + offset_of(std::min(i + 1, end - 1)), count);
      kernel.open_row({cells.data(), beyond.front, count, beyond.behind, length, memory.data(),
                       grid.to + offset});
    }
  });
}

template <typename Cell>
void open_turned(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                 const Kernels<Cell>& kernels, const Kernel<Cell>& kernel, Context& context) {
  const CellsWithMargins<Cell> turned =
      turned_cells(grid, StripWorker<Cell>::kWidth,
                   outside_value<Cell>(problem.border, problem.filter), kernels.transpose, context);
  open_strips(problem, turned_strip_lines(problem.lines), turned.grid(), kernel, context);
  turn(turned.grid().to, turned.grid(), grid.to, grid, kernels.transpose, context);
}

/// Opens lines along x and y, but not z. Each thread has its own part of a plane. Where two parts
/// meet, rows are transposed twice.
template <typename Cell>
void open_bands(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                const Kernels<Cell>& kernels, Context& context) {
  const StripLines lines = turned_strip_lines(problem.lines);
  const std::int64_t planes = grid.size[2];
  const std::int64_t pieces = planes >= context.threads() ? 1 : context.threads();
  parallel_for(context, planes * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    TurnedBand<Cell> band(problem, lines, grid, kernels);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t piece = i % pieces;
      band.open(i / pieces, piece * band.count() / pieces, (piece + 1) * band.count() / pieces,
                context);
    }
  });
}

template <typename Cell>
void open_cells(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                const KernelSet& set, Context& context) {
  const Kernels<Cell>& kernels = set.of<Cell>();
  const Kernel<Cell>& kernel = kernels.of(problem.filter);
  if (problem.lines.major() != 0) {
    open_strips(problem, strip_lines(problem.lines), grid, kernel, context);
  } else if (is_straight(problem.lines)) {
    open_rows(problem, grid, kernel, context);
  } else if (is_diagonal(problem.lines)) {
    open_strips(problem, diagonals_along_y(problem.lines), grid, kernel, context);
  } else if (problem.lines.shifts(2).back() == 0) {
    open_bands(problem, grid, kernels, context);
  } else {
    open_turned(problem, grid, kernels, kernel, context);
  }
}

}  // namespace
}  // namespace linear

Volume linear_opening(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_in_strips(problem, linear::best_kernels(), context);
}

Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                const linear::KernelSet& kernels, Context& context) {
  check(problem);
  const auto stage = context.stage(problem.filter == LineFilter::Opening ? "opening" : "closing");
  const Geometry& geometry = problem.image.geometry();
  const Index3& size = geometry.size;
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    using Cell = CellOf<Voxel>;
    auto opened = large_array<Voxel>(context, voxels.size());
    if constexpr (std::is_same_v<Voxel, Cell>) {
      linear::open_cells<Cell>(problem,
                               {voxels.data(), opened.get(), size, size[0], size[0] * size[1]},
                               kernels, context);
    } else {
      constexpr std::int64_t kGrain = 1 << 16;
      const auto cells = large_array<Cell>(context, voxels.size());
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        to_cells(voxels.data() + begin, end - begin, false, cells.get() + begin);
      });
      linear::open_cells<Cell>(
          problem, {cells.get(), cells.get(), size, size[0], size[0] * size[1]}, kernels, context);
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          opened[i] = linear::filtered_voxel<Voxel>(cells[i], problem.filter);
      });
    }
    return Volume(geometry, std::move(opened));
  });
}

}  // namespace seedwave
