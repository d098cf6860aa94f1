// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/reconstruction_by_runs.h"
#include "core/morphology/reconstruction_in_slabs.h"
#include "core/morphology/rimmed_grid.h"
#include "core/parallel/fetch_pages.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

bool is_turned(const ReconstructionProblem& problem) {
  return problem.direction == ReconstructionDirection::Erosion;
}

/// Loads the cells of `count` voxels from `offset` on: limits, and the marker clipped to them.
/// Returns the number of clipped voxels.
template <typename Voxel>
std::int64_t load(const ReconstructionProblem& problem, std::int64_t offset, std::int64_t count,
                  CellOf<Voxel>* __restrict cells, CellOf<Voxel>* __restrict limits) {
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
  std::vector<T> marker;
  std::vector<T> mask;
  std::int64_t clipped = 0;

  [[nodiscard]] std::span<const std::int64_t> all() const { return grid.neighbours(); }
  [[nodiscard]] std::span<const std::int64_t> before() const {
    return all().first(grid.neighbours_before());
  }
  [[nodiscard]] std::span<const std::int64_t> after() const {
    return all().subspan(grid.neighbours_before());
  }
};

template <typename Voxel>
Rising<CellOf<Voxel>> rise(const ReconstructionProblem& problem) {
  using Cell = CellOf<Voxel>;
  Rising<Cell> rising{RimmedGrid(problem.mask.geometry().size, problem.connectivity), {}, {}};
  const RimmedGrid& grid = rising.grid;
  rising.marker.assign(grid.cell_count(), Rising<Cell>::kLowest);
  rising.mask = rising.marker;
  for (std::int64_t row = 0; row < grid.row_count(); ++row) {
    const std::int64_t cell = grid.row_start(row);
    rising.clipped += load<Voxel>(problem, row * grid.row_length(), grid.row_length(),
                                  rising.marker.data() + cell, rising.mask.data() + cell);
  }
  return rising;
}

template <typename Voxel>
Reconstruction finished(const ReconstructionProblem& problem, const Rising<CellOf<Voxel>>& rising) {
  const RimmedGrid& grid = rising.grid;
  std::vector<Voxel> voxels(static_cast<std::size_t>(problem.mask.geometry().voxel_count()));
  for (std::int64_t row = 0; row < grid.row_count(); ++row) {
    from_cells(rising.marker.data() + grid.row_start(row), grid.row_length(), is_turned(problem),
               voxels.data() + row * grid.row_length());
  }
  return {Volume(problem.mask.geometry(), std::move(voxels)), rising.clipped};
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

/// Returns the cells of the marker's regional maxima: plateaus with no higher neighbour.
template <typename T>
std::vector<std::int64_t> regional_maxima(const Rising<T>& rising, Context& context) {
  std::vector<char> seen(rising.grid.cell_count(), 1);  // cells of the rim remain marked as seen
  scan(rising, Order::Raster, context, [&](std::int64_t cell) { seen[cell] = 0; });
  std::vector<std::int64_t> maxima;
  std::vector<std::int64_t> plateau;
  scan(rising, Order::Raster, context, [&](std::int64_t start) {
    if (seen[start] != 0) return;
    const T value = rising.marker[start];
    bool highest = true;
    plateau.assign(1, start);
    seen[start] = 1;
    for (std::size_t i = 0; i < plateau.size(); ++i) {
      if (i % kCellsPerCheck == kCellsPerCheck - 1) context.checkpoint(0.0);
      for (const std::int64_t step : rising.all()) {
        const std::int64_t to = plateau[i] + step;
        highest &= rising.marker[to] <= value;
        if (seen[to] != 0 || rising.marker[to] != value) continue;
        seen[to] = 1;
        plateau.push_back(to);
      }
    }
    if (highest) maxima.insert(maxima.end(), plateau.begin(), plateau.end());
  });
  return maxima;
}

struct Scans {
  template <typename T>
  void operator()(Rising<T>& rising, Context& context) const {
    // The first raster scan is not a stopping criterion: no anti-raster scan has been made yet.
    sweep(rising, Order::Raster, context);
    while (sweep(rising, Order::AntiRaster, context) && sweep(rising, Order::Raster, context)) {
    }
  }
};

struct Queue {
  template <typename T>
  void operator()(Rising<T>& rising, Context& context) const {
    std::vector<std::int64_t> maxima = regional_maxima(rising, context);
    // Every other cell is reached from a maximum along a descending path, and regains at least its
    // value.
    std::vector<T> only(rising.marker.size(), Rising<T>::kLowest);
    for (const std::int64_t cell : maxima)
      only[cell] = rising.marker[cell];
    rising.marker = std::move(only);
    spread(rising, std::move(maxima), context);
  }
};

struct Hybrid {
  template <typename T>
  void operator()(Rising<T>& rising, Context& context) const {
    sweep(rising, Order::Raster, context);
    std::vector<std::int64_t> left;
    scan(rising, Order::AntiRaster, context, [&](std::int64_t cell) {
      const T value = taken(rising, cell, rising.after());
      rising.marker[cell] = value;
      const auto after = rising.after();
      if (std::any_of(after.begin(), after.end(),
                      [&](std::int64_t step) { return rises(rising, cell + step, value); })) {
        left.push_back(cell);
      }
    });
    spread(rising, std::move(left), context);
  }
};

/// Checks the problem, then calls solve.template operator()<Voxel>() with the voxels' type.
template <typename Solve>
Reconstruction solved(const ReconstructionProblem& problem, Solve solve) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    return solve.template operator()<typename decltype(voxels)::value_type>();
  });
}

template <typename Algorithm>
Reconstruction solved_by(Algorithm algorithm, const ReconstructionProblem& problem,
                         Context& context) {
  return solved(problem, [&]<typename Voxel>() {
    Rising<CellOf<Voxel>> rising = rise<Voxel>(problem);
    algorithm(rising, context);
    return finished<Voxel>(problem, rising);
  });
}

/// `last` is Exact if memory is counted. Then runs are not used: their memory depends on the
/// image's content, which no budget can predict.
Reconstruction on_tiles(const ReconstructionProblem& problem, LastPage last, Context& context) {
  return solved(problem, [&]<typename Voxel>() -> Reconstruction {
    using Cell = CellOf<Voxel>;
    const Geometry& geometry = problem.mask.geometry();
    const bool has_runs = last == LastPage::Whole && has_two_values(problem);
    std::atomic<std::int64_t> clipped{0};
    const auto fill = [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      const std::int64_t cut = load<Voxel>(problem, offset, count, cells, limits);
      if (cut != 0) clipped.fetch_add(cut, std::memory_order_relaxed);
    };
    std::optional<GeodesicTiles<Cell>> tiles(std::in_place, geometry.size, problem.connectivity,
                                             context.threads(), last);
    if (!has_runs) {
      tiles->run(context, fill);
    } else if (!tiles->run_while_short(context, fill)) {
      tiles.reset();  // frees their memory for runs
      return reconstruct_by_runs(problem, context);
    }
    auto voxels =
        large_array<Voxel>(context, static_cast<std::size_t>(geometry.voxel_count()), last);
    tiles->read(context, [&](std::int64_t offset, int count, const Cell* cells) {
      from_cells(cells, count, is_turned(problem), voxels.get() + offset);
    });
    return {Volume(geometry, std::move(voxels)), clipped.load()};
  });
}

Reconstruction on_tiles_counted(const ReconstructionProblem& problem, Context& context) {
  return on_tiles(problem, LastPage::Exact, context);
}

/// Memory of tiles and result.
BytesForSize bytes_on_tiles(VoxelType type, Connectivity connectivity) {
  const auto bytes = [&]<typename Cell>(Cell) -> BytesForSize {
    return [connectivity](const Index3& size) {
      return GeodesicTiles<Cell>::bytes(size, connectivity) +
             size[0] * size[1] * size[2] * static_cast<std::int64_t>(sizeof(Cell));
    };
  };
  if (bytes_of(type) == 1) return bytes(std::uint8_t{});
  if (bytes_of(type) == 2) return bytes(std::uint16_t{});
  return bytes(std::int32_t{});
}

}  // namespace

void check_reconstruction(const ReconstructionProblem& problem) {
  const Volume& marker = problem.marker;
  const Volume& mask = problem.mask;
  if (!same_grid(marker.geometry(), mask.geometry())) {
    throw InputError("the marker is on a different grid (" + describe(marker.geometry()) +
                     ") than the image (" + describe(mask.geometry()) + ")");
  }
  if (marker.type() != mask.type() || marker.components() != 1 || mask.components() != 1) {
    throw InputError("the marker is " + std::string(name_of(marker.type())) + " and the image " +
                     std::string(name_of(mask.type())) +
                     ": reconstruction needs one value per voxel, of the same type in both");
  }
  refuse_nan(marker, "the marker");
  refuse_nan(mask, "the image");
}

std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type,
                                        Connectivity connectivity) {
  return least_budget(geometry.size, bytes_on_tiles(type, connectivity));
}

Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem, Context& context) {
  if (!context.in_parts()) return on_tiles(problem, LastPage::Whole, context);
  const BytesForSize bytes = bytes_on_tiles(problem.mask.type(), problem.connectivity);
  const SlabGrid slabs = slabs_for(context, problem.mask.geometry().size, bytes);
  return reconstruct_within(slabs, problem, on_tiles_counted, context);
}

Reconstruction reconstruct_by_scans(const ReconstructionProblem& problem, Context& context) {
  return solved_by(Scans{}, problem, context);
}

Reconstruction reconstruct_by_queue(const ReconstructionProblem& problem, Context& context) {
  return solved_by(Queue{}, problem, context);
}

Reconstruction reconstruct_by_hybrid(const ReconstructionProblem& problem, Context& context) {
  return solved_by(Hybrid{}, problem, context);
}

}  // namespace seedwave
