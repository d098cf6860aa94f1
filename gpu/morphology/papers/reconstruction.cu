// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/papers/cell_plane.cuh"
#include "gpu/morphology/papers/line_scans.cuh"
#include "gpu/morphology/papers/neighbours.cuh"
#include "gpu/morphology/papers/reconstruction.h"
#include "gpu/morphology/papers/waves.cuh"

#include <limits>
#include <utility>

namespace seedwave::gpu {
namespace {

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
