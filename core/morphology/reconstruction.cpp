// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction.h"

#include "core/base/error.h"
#include "core/base/fetch_ahead.h"
#include "core/base/large_memory.h"
#include "core/morphology/reconstruction_by_runs.h"
#include "core/morphology/reconstruction_in_slabs.h"
#include "core/morphology/rising.h"
#include "core/parallel/fetch_pages.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

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
    spread(rising, scan_twice(rising, context), context);
  }
};

/// `last` is Exact if memory is counted. Then runs are not used: their memory depends on the
/// image's content, which no budget can predict.
Reconstruction on_tiles(const ReconstructionProblem& problem, LastPage last, Context& context) {
  return solved(problem, [&]<typename Voxel>() -> Reconstruction {
    using Cell = CellOf<Voxel>;
    const Geometry& geometry = problem.mask.geometry();
    const bool has_runs = last == LastPage::Whole && has_two_values(problem);
    std::atomic<std::int64_t> clipped{0};
    const auto fill = [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      fetch_row_behind(problem.mask.voxels<Voxel>().data() + offset, count);
      fetch_row_behind(problem.marker.voxels<Voxel>().data() + offset, count);
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
