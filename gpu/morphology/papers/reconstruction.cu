// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/image/connectivity.h"
#include "core/morphology/reconstruction.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/cells_in_place.cuh"
#include "gpu/morphology/papers/neighbours.cuh"
#include "gpu/morphology/papers/reconstruction.h"
#include "gpu/morphology/papers/waves.cuh"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/rounds.h"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace seedwave::gpu {
namespace {

// Marker and mask of an image on a device in the layout of the papers' algorithms: row by row,
// without tiles.

/// The mask has been applied as the marker's limit: marker <= mask, in cells (ordered_cells.h).
template <typename Cell>
struct CellPlane {
  Cell* marker;
  const Cell* mask;
  int nx;
  int ny;
};

/// A reconstruction's image on the device, with upload and download.
template <typename Voxel>
class PlaneInRows {
 public:
  using Cell = CellOf<Voxel>;

  PlaneInRows(const ReconstructionProblem& problem, const Stream& stream)
      : nx_(static_cast<int>(problem.mask.geometry().size[0])),
        ny_(static_cast<int>(problem.mask.geometry().size[1])),
        turned_(problem.direction == ReconstructionDirection::Erosion),
        marker_(whole_words(count()), stream),
        mask_(count(), stream) {
    marker_.copy_from(bits_of<Voxel>(problem.marker), stream);
    mask_.copy_from(bits_of<Voxel>(problem.mask), stream);
  }

  /// Call once, before anything else.
  [[nodiscard]] CellPlane<Cell> begin(DeviceCounter& clipped, const Stream& stream) {
    to_cells<Voxel>(marker_.data(), mask_.data(), count(), turned_, clipped, stream);
    return {marker_.data(), mask_.data(), nx_, ny_};
  }
  /// Call once, when the marker has become the result.
  void end(const Stream& stream) { to_voxels<Voxel>(marker_.data(), count(), turned_, stream); }
  /// Enqueues the download.
  void download(std::span<Cell> to, const Stream& stream) const { marker_.copy_to(to, stream); }

 private:
  [[nodiscard]] std::int64_t count() const { return std::int64_t{nx_} * ny_; }
  /// Narrow cells are raised by atomic operations on the word that contains them.
  [[nodiscard]] static std::int64_t whole_words(std::int64_t cells) { return (cells + 3) / 4 * 4; }

  int nx_;
  int ny_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
};

/// Returns the device memory of a plane.
[[nodiscard]] std::int64_t bytes_of_plane(const Geometry& geometry, VoxelType type) {
  return geometry.voxel_count() * 2 * static_cast<std::int64_t>(bytes_of(type));
}

// A round of P. Karas, Efficient computation of morphological greyscale reconstruction, MEMICS
// 2010, as used by Teodoro et al. 2013 (Algorithm 5, lines 2 to 15): all rows, all columns, and
// both again in reverse, one thread per line; four launches.

enum class Way { Forward, Backward };

/// Lines of a block: one warp, so that few lines still spread over all multiprocessors.
constexpr int kLines = 32;

constexpr unsigned kAllLanes = 0xFFFFFFFFU;

/// Number of cells of a column that are loaded ahead of those being processed.
constexpr int kBatch = 8;

template <typename Cell>
constexpr int kLowest = std::numeric_limits<Cell>::lowest();

__device__ bool round_is_over(const Rounds::Flags& flags) {
  return __ldcg(flags.previous) == 0;
}

__device__ void note_change(const Rounds::Flags& flags, bool changed) {
  if (__any_sync(kAllLanes, changed) && threadIdx.x == 0) atomicOr(flags.own, 1);
}

/// Scans along rows: each cell takes from the one before it. A block owns 32 rows, one per lane,
/// and advances in squares of 32 x 32 cells that all lanes read and write row by row. Shared
/// memory: 8448 bytes, marker and mask of a square. No races.
template <typename Cell, Way way>
__global__ void __launch_bounds__(kLines)
    scan_rows_kernel(const CellPlane<Cell> plane, const Rounds::Flags flags) {
  __shared__ std::int32_t cells[kLines][kLines + 1];
  __shared__ std::int32_t limits[kLines][kLines + 1];
  if (round_is_over(flags)) return;
  const int lane = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.x) * kLines;
  const int rows = min(kLines, plane.ny - first_row);
  const int squares = (plane.nx + kLines - 1) / kLines;
  const auto square_at = [&](int i) { return way == Way::Forward ? i : squares - 1 - i; };
  const auto offset_of = [&](int row, int x) {
    return std::int64_t{first_row + row} * plane.nx + x;
  };
  Cell next_cells[kLines];
  Cell next_limits[kLines];
  const auto ask_for = [&](int square) {
    const int x = square * kLines + lane;
#pragma unroll
    for (int row = 0; row < kLines; ++row) {
      const bool inside = row < rows && x < plane.nx;
      next_cells[row] = inside ? plane.marker[offset_of(row, x)] : Cell(kLowest<Cell>);
      next_limits[row] = inside ? plane.mask[offset_of(row, x)] : Cell(kLowest<Cell>);
    }
  };
  ask_for(square_at(0));
  int before = kLowest<Cell>;
  bool ever_changed = false;
  for (int i = 0; i < squares; ++i) {
#pragma unroll
    for (int row = 0; row < kLines; ++row) {
      cells[row][lane] = next_cells[row];
      limits[row][lane] = next_limits[row];
    }
    __syncwarp();
    if (i + 1 < squares) ask_for(square_at(i + 1));
    bool changed = false;
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
      const int x = way == Way::Forward ? k : kLines - 1 - k;
      const int had = cells[lane][x];
      before = min(max(had, before), limits[lane][x]);
      changed |= before != had;
      cells[lane][x] = before;
    }
    __syncwarp();
    if (__any_sync(kAllLanes, changed)) {
      const int x = square_at(i) * kLines + lane;
      for (int row = 0; row < rows; ++row) {
        if (x < plane.nx) plane.marker[offset_of(row, x)] = static_cast<Cell>(cells[row][lane]);
      }
    }
    ever_changed |= changed;
    __syncwarp();  // the square is read before the next one overwrites it
  }
  note_change(flags, ever_changed);
}

/// Scans along columns: each cell takes from the previous row: one cell or, with 8 neighbours
/// (diagonal), three. A block owns 32 columns, one per lane. No shared memory. Races: columns next
/// to a block's belong to other blocks, which may be behind or ahead. A cell is stored whole, and a
/// value read too early is taken in the next round.
template <typename Cell, bool diagonal, Way way>
__global__ void __launch_bounds__(kLines)
    scan_columns_kernel(const CellPlane<Cell> plane, const Rounds::Flags flags) {
  if (round_is_over(flags)) return;
  const int lane = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kLines + lane;
  const bool inside = x < plane.nx;
  const int beside = lane == 0 ? x - 1 : x + 1;
  const bool at_side =
      diagonal && (lane == 0 || lane == kLines - 1) && beside >= 0 && beside < plane.nx;
  const auto row_at = [&](int i) { return way == Way::Forward ? i : plane.ny - 1 - i; };
  Cell next_cells[kBatch];
  Cell next_limits[kBatch];
  Cell next_beside[kBatch];
  const auto ask_for = [&](int first) {
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      const int i = first + k;
      const std::int64_t row = std::int64_t{row_at(i)} * plane.nx;
      const bool is_cell = inside && i < plane.ny;
      next_cells[k] = is_cell ? plane.marker[row + x] : Cell(kLowest<Cell>);
      next_limits[k] = is_cell ? plane.mask[row + x] : Cell(kLowest<Cell>);
      if constexpr (diagonal) {
        const bool is_beside = at_side && i > 0 && i < plane.ny;
        next_beside[k] =
            is_beside ? __ldcg(plane.marker + std::int64_t{row_at(i - 1)} * plane.nx + beside)
                      : Cell(kLowest<Cell>);
      }
    }
  };
  ask_for(0);
  int before = kLowest<Cell>;
  bool changed = false;
  for (int first = 0; first < plane.ny; first += kBatch) {
    int cells[kBatch];
    int limits[kBatch];
    int besides[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      cells[k] = next_cells[k];
      limits[k] = next_limits[k];
      if constexpr (diagonal) besides[k] = next_beside[k];
    }
    if (first + kBatch < plane.ny) ask_for(first + kBatch);
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      int offered = before;
      if constexpr (diagonal) {
        const int left = __shfl_up_sync(kAllLanes, before, 1);
        const int right = __shfl_down_sync(kAllLanes, before, 1);
        offered = max(offered,
                      max(lane == 0 ? besides[k] : left, lane == kLines - 1 ? besides[k] : right));
      }
      before = min(max(cells[k], offered), limits[k]);
      if (before == cells[k]) continue;
      changed = true;  // always inside: the limit outside is the lowest value
      plane.marker[std::int64_t{row_at(first + k)} * plane.nx + x] = static_cast<Cell>(before);
    }
  }
  note_change(flags, changed);
}

template <typename Cell, bool diagonal>
void scan_round(const CellPlane<Cell>& plane, const Rounds::Flags& flags, const Stream& stream) {
  const auto row_blocks = static_cast<unsigned>((plane.ny + kLines - 1) / kLines);
  const auto column_blocks = static_cast<unsigned>((plane.nx + kLines - 1) / kLines);
  scan_rows_kernel<Cell, Way::Forward><<<row_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_columns_kernel<Cell, diagonal, Way::Forward>
      <<<column_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_rows_kernel<Cell, Way::Backward><<<row_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_columns_kernel<Cell, diagonal, Way::Backward>
      <<<column_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
}

/// Launches one round: all rows and columns in both directions. In the round after one without
/// changes every launch ends at once.
template <typename Cell>
void scan_round(const CellPlane<Cell>& plane, Connectivity connectivity, const Rounds::Flags& flags,
                const Stream& stream) {
  if (has_corners(connectivity)) {
    scan_round<Cell, true>(plane, flags, stream);
  } else {
    scan_round<Cell, false>(plane, flags, stream);
  }
}

/// An atomicMax() for cells of any width. Returns the previous value.
template <typename Cell>
__device__ Cell raise(Cell* at, Cell to) {
  if constexpr (sizeof(Cell) == 4) {
    return atomicMax(at, to);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    auto* const word = reinterpret_cast<unsigned*>(address & ~std::uintptr_t{3});
    const unsigned shift = static_cast<unsigned>(address & 3U) * 8U;
    constexpr unsigned kOneCell = (1U << (8 * sizeof(Cell))) - 1U;
    unsigned seen = __ldcg(word);
    for (;;) {
      const auto had = static_cast<Cell>(seen >> shift & kOneCell);
      if (had >= to) return had;
      const unsigned raised = (seen & ~(kOneCell << shift)) | unsigned{to} << shift;
      const unsigned found = atomicCAS(word, seen, raised);
      if (found == seen) return had;
      seen = found;
    }
  }
}

/// Algorithm 5, lines 16 to 26: J(p) spreads as far as the mask allows.
template <typename Cell, bool diagonal>
struct ReconstructionWave {
  static constexpr int kSteps = diagonal ? 8 : 4;
  struct From {
    PlanePlace place;
    Cell value;
  };

  CellPlane<Cell> plane;

  [[nodiscard]] __device__ From look(std::uint32_t cell) const {
    return {PlanePlace::of(cell, plane.nx), __ldcg(plane.marker + cell)};
  }
  [[nodiscard]] __device__ bool would_pass(const From& from, int step) const {
    std::uint32_t to = 0;
    return neighbour(from, step, to) && __ldcg(plane.marker + to) < offer(from, to);
  }
  __device__ bool pass(const From& from, int step, std::uint32_t& to) const {
    if (!neighbour(from, step, to)) return false;
    const Cell offered = offer(from, to);
    return __ldcg(plane.marker + to) < offered && raise(plane.marker + to, offered) < offered;
  }

 private:
  [[nodiscard]] __device__ bool neighbour(const From& from, int step, std::uint32_t& to) const {
    return neighbour_of<diagonal>(from.place, plane.nx, plane.ny, step, to);
  }
  [[nodiscard]] __device__ Cell offer(const From& from, std::uint32_t to) const {
    return RiseRule<Cell>{plane.mask}.transfer(from.value, Edge{.to = to});
  }
};

template <typename Cell>
QueueUse spread(const CellPlane<Cell>& plane, Connectivity connectivity,
                const QueueSettings& settings, Context& context, const Stream& stream) {
  const std::int64_t cells = std::int64_t{plane.nx} * plane.ny;
  if (has_corners(connectivity)) {
    using Wave = ReconstructionWave<Cell, true>;
    return Waves<Wave>(Wave{plane}, cells, settings, stream).run(context);
  }
  using Wave = ReconstructionWave<Cell, false>;
  return Waves<Wave>(Wave{plane}, cells, settings, stream).run(context);
}

template <typename Cell>
void scan(const CellPlane<Cell>& plane, Connectivity connectivity, int rounds,
          const Stream& stream) {
  DeviceBuffer<std::int32_t> flags(rounds + 1, stream);
  flags.fill_bytes(0, stream);
  CUDA_CHECK(cudaMemsetAsync(flags.data(), 1, sizeof(std::int32_t), stream.get()));
  for (int k = 0; k < rounds; ++k)
    scan_round(plane, connectivity, {flags.data() + k, flags.data() + k + 1}, stream);
}

/// Solves with rise(plane, run), which turns the marker into the result, from the stage
/// `first_stage` on.
template <typename Voxel, typename Rise>
Reconstruction reconstruct(const ReconstructionProblem& problem, const char* first_stage,
                           Context& context, Rise&& rise) {
  const Geometry& geometry = problem.mask.geometry();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  auto voxels = large_array<Voxel>(count);
  DeviceRun run(context);
  run.clock.begin("upload");
  PlaneInRows<Voxel> rows(problem, run.stream);
  DeviceCounter clipped(run.stream);
  run.clock.begin(first_stage);
  rise(rows.begin(clipped, run.stream), run);
  rows.end(run.stream);
  run.clock.begin("download");
  rows.download(bits_in<Voxel>({voxels.get(), count}), run.stream);
  run.clock.report();
  return {Volume(geometry, std::move(voxels)), clipped.read(run.stream)};
}

std::string note_of(const QueueUse& use) {
  return "the queue was too small: " + std::to_string(use.dropped) + " cells were dropped, and " +
         std::to_string(use.runs) + " runs were needed";
}

}  // namespace

Reconstruction reconstruct_by_line_scans(const ReconstructionProblem& problem, Context& context) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return reconstruct<Voxel>(problem, "propagate", context,
                              [&](const auto& plane, DeviceRun& run) {
                                Rounds rounds(context, run.stream);
                                rounds.run([&](std::int64_t, const Rounds::Flags& flags) {
                                  scan_round(plane, problem.connectivity, flags, run.stream);
                                });
                              });
  });
}

WaveRun run_reconstruction_waves(const ReconstructionProblem& problem, const WaveSettings& settings,
                                 Context& context) {
  check_reconstruction(problem);
  QueueUse queue;
  Reconstruction reconstruction = visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return reconstruct<Voxel>(problem, "scans", context, [&](const auto& plane, DeviceRun& run) {
      scan(plane, problem.connectivity, settings.scans, run.stream);
      run.clock.begin("propagate");
      queue = spread(plane, problem.connectivity, settings.queue, context, run.stream);
    });
  });
  if (queue.dropped > 0) reconstruction.notes.push_back(note_of(queue));
  return {std::move(reconstruction), queue};
}

Reconstruction reconstruct_by_waves(const ReconstructionProblem& problem, Context& context) {
  return run_reconstruction_waves(problem, {}, context).reconstruction;
}

std::string why_no_paper_reconstruction(const Geometry& geometry) {
  if (!geometry.is_2d()) return "knows images only, no volumes";
  if (geometry.voxel_count() > std::numeric_limits<std::uint32_t>::max()) {
    return "knows smaller images only";
  }
  return "";
}

std::int64_t line_scans_bytes(const Geometry& geometry, VoxelType type) {
  return bytes_of_plane(geometry, type);
}

std::int64_t reconstruction_waves_bytes(const Geometry& geometry, VoxelType type) {
  constexpr std::int64_t kQueuedOutOf = 10;
  return bytes_of_plane(geometry, type) +
         geometry.voxel_count() / kQueuedOutOf * 2 * std::int64_t{sizeof(std::uint32_t)};
}

}  // namespace seedwave::gpu
