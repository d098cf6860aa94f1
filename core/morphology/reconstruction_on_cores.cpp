// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction.h"
#include "core/morphology/rising.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A layer is a row of an image or a slice of a volume.
struct Layers {
  Index3 size;

  [[nodiscard]] bool are_slices() const { return size[2] > 1; }
  [[nodiscard]] std::int64_t count() const { return size[are_slices() ? 2 : 1]; }
  [[nodiscard]] std::int64_t rows_each() const { return are_slices() ? size[1] : 1; }
  [[nodiscard]] Index3 grid_of(std::int64_t layers) const {
    Index3 grid = size;
    grid[are_slices() ? 2 : 1] = layers;
    return grid;
  }
};

/// Successive layers of the image, by themselves. Before the first and after the last lies one
/// more, which shows what the neighbour has there, and cannot rise.
template <typename T>
struct Band {
  std::int64_t first = 0;
  std::int64_t layers = 0;
  Rising<T> rising;
  /// Cells from which work remains.
  std::vector<std::int64_t> wave{};
};

/// Divides the image equally among as many bands as there are threads.
template <typename Voxel>
std::vector<Band<CellOf<Voxel>>> bands_of(const ReconstructionProblem& problem,
                                          const Layers& layers, Context& context) {
  const std::int64_t count = std::min<std::int64_t>(context.threads(), layers.count());
  std::vector<Band<CellOf<Voxel>>> bands;
  for (std::int64_t band = 0; band < count; ++band) {
    const std::int64_t first = layers.count() * band / count;
    const std::int64_t own = layers.count() * (band + 1) / count - first;
    bands.push_back({first, own, {RimmedGrid(layers.grid_of(own + 2), problem.connectivity)}});
  }
  parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = layers.rows_each();
    for (std::int64_t i = begin; i < end; ++i) {
      Band<CellOf<Voxel>>& band = bands[static_cast<std::size_t>(i)];
      load_rows<Voxel>(problem, band.first * rows, band.layers * rows, rows, band.rising);
    }
  });
  return bands;
}

/// Shows a band the layer of its neighbour, as one of its own outside layers. Cells that can raise
/// others by it join its wave.
template <typename T>
void show(const Band<T>& from, std::int64_t layer, Band<T>& to, std::int64_t outside,
          std::int64_t rows) {
  const std::int64_t length = to.rising.grid.row_length();
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* const values =
        from.rising.marker.data() + from.rising.grid.row_start(layer * rows + row);
    const std::int64_t start = to.rising.grid.row_start(outside * rows + row);
    for (std::int64_t x = 0; x < length; ++x) {
      T& shown = to.rising.marker[start + x];
      if (values[x] <= shown) continue;
      shown = values[x];
      const bool raises = std::ranges::any_of(to.rising.all(), [&](std::int64_t step) {
        return rises(to.rising, start + x + step, shown);
      });
      if (raises) to.wave.push_back(start + x);
    }
  }
}

/// The border pass. Returns whether a band has work.
template <typename T>
bool pass_borders(std::vector<Band<T>>& bands, std::int64_t rows) {
  for (std::size_t i = 1; i < bands.size(); ++i) {
    Band<T>& before = bands[i - 1];
    Band<T>& after = bands[i];
    show(before, before.layers, after, 0, rows);
    show(after, 1, before, before.layers + 1, rows);
  }
  return std::ranges::any_of(bands, [](const Band<T>& band) { return !band.wave.empty(); });
}

/// Calls settle(band) for all bands, on all threads.
template <typename T, typename Settle>
void pass_tiles(std::vector<Band<T>>& bands, Context& context, Settle settle) {
  parallel_for(context, std::ssize(bands), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      settle(bands[static_cast<std::size_t>(i)]);
  });
}

template <typename Voxel>
Reconstruction by_passes(const ReconstructionProblem& problem, Context& context) {
  using T = CellOf<Voxel>;
  const Geometry& geometry = problem.mask.geometry();
  const Layers layers{geometry.size};
  const std::int64_t rows = layers.rows_each();
  std::vector<Band<T>> bands = bands_of<Voxel>(problem, layers, context);
  pass_tiles(bands, context, [&](Band<T>& band) {
    spread(band.rising, scan_twice(band.rising, context), context);
  });
  while (pass_borders(bands, rows)) {
    pass_tiles(bands, context,
               [&](Band<T>& band) { spread(band.rising, std::exchange(band.wave, {}), context); });
  }
  std::vector<Voxel> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  Reconstruction result;
  for (const Band<T>& band : bands)
    result.clipped += band.rising.clipped;
  pass_tiles(bands, context, [&](const Band<T>& band) {
    store_rows(band.rising, rows, band.layers * rows, is_turned(problem),
               voxels.data() + band.first * rows * geometry.size[0]);
  });
  result.image = Volume(geometry, std::move(voxels));
  return result;
}

/// Raises a cell that others may raise at the same time. Returns whether it rose.
template <typename T>
bool raise_atomically(T& cell, T value) {
  const std::atomic_ref<T> shared(cell);
  T old = shared.load(std::memory_order_relaxed);
  while (old < value) {
    if (shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) return true;
  }
  return false;
}

/// The same as spread(), beside other threads that do so with waves of their own. Whoever raises a
/// cell offers its new value to the neighbours, so nothing is missed.
template <typename T>
void spread_atomically(Rising<T>& rising, std::vector<std::int64_t> wave, Context& context) {
  std::vector<std::int64_t> next;
  for (std::size_t taken = 0; !wave.empty(); wave.swap(next), next.clear()) {
    for (const std::int64_t cell : wave) {
      if (taken++ % kCellsPerCheck == 0) context.checkpoint(0.0);
      const T value = std::atomic_ref<T>(rising.marker[cell]).load(std::memory_order_relaxed);
      for (const std::int64_t step : rising.all()) {
        const std::int64_t to = cell + step;
        if (raise_atomically(rising.marker[to], std::min(value, rising.mask[to])))
          next.push_back(to);
      }
    }
  }
}

struct SharedWaves {
  template <typename T>
  void operator()(Rising<T>& rising, Context& context) const {
    const std::vector<std::int64_t> front = scan_twice(rising, context);
    const std::int64_t threads = context.threads();
    parallel_for(context, threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t thread = begin; thread < end; ++thread) {
        std::vector<std::int64_t> wave;
        for (std::int64_t i = thread; i < std::ssize(front); i += threads)
          wave.push_back(front[static_cast<std::size_t>(i)]);
        spread_atomically(rising, std::move(wave), context);
      }
    });
  }
};

}  // namespace

Reconstruction reconstruct_by_passes(const ReconstructionProblem& problem, Context& context) {
  return solved(problem, [&]<typename Voxel>() { return by_passes<Voxel>(problem, context); });
}

Reconstruction reconstruct_by_shared_waves(const ReconstructionProblem& problem, Context& context) {
  return solved_by(SharedWaves{}, problem, context);
}

}  // namespace seedwave
