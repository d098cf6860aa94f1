// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/irfc_on_planes.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/line_sweep.h"
#include "gpu/fuzzy/passes.h"
#include "gpu/fuzzy/run.h"
#include "gpu/fuzzy/sweeps.h"
#include "gpu/wavefront/rounds.h"

#include <algorithm>

namespace seedwave::gpu {
namespace {

/// Sweeps the lines of one step that leaves a row. One thread per line; no shared memory. No races:
/// the lines of a step have no cell in common, and all threads write the same value to the flag.
template <typename Pass>
__global__ void __launch_bounds__(kBlockSize)
    wrapped_lines_kernel(Pass pass, const std::uint16_t* __restrict__ affinity, Grid grid,
                         NeighbourStep step, Rounds::Flags flags) {
  if (*flags.previous == 0) return;
  const std::int64_t line = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (line >= WrappedLine::count(grid, step)) return;
  if (sweep_wrapped_line(pass, affinity, grid, step, line)) *flags.own = 1;
}

/// Sweeps the rows. One thread per row, 16 bytes at a time. The remaining half of a sector is read
/// from L1 in the next step. No shared memory; no races, as above.
template <typename Pass>
__global__ void __launch_bounds__(kBlockSize)
    rows_kernel(Pass pass, const std::uint16_t* __restrict__ affinity, Grid grid,
                Rounds::Flags flags) {
  if (*flags.previous == 0) return;
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= grid.ny * grid.nz) return;
  if (sweep_row(pass, affinity, grid, row)) *flags.own = 1;
}

/// Launches one round: the lines of every step, one step after the other.
template <typename Pass>
void launch_round(const Pass& pass, const DeviceAffinity& affinity, const Rounds::Flags& flags,
                  const Stream& stream) {
  const Grid& grid = affinity.grid;
  for (int s = 0; s < affinity.steps.count; ++s) {
    const NeighbourStep& step = affinity.steps.step[s];
    if (step.dy == 0 && step.dz == 0) {
      rows_kernel<<<blocks_for(grid.ny * grid.nz), kBlockSize, 0, stream.get()>>>(
          pass, affinity.plane(s), grid, flags);
    } else {
      wrapped_lines_kernel<<<blocks_for(WrappedLine::count(grid, step)), kBlockSize, 0,
                             stream.get()>>>(pass, affinity.plane(s), grid, step, flags);
    }
    check_launch(stream.get());
  }
}

template <typename Pass>
void to_fixpoint(const Pass& pass, const DeviceAffinity& affinity, const Run& run,
                 Context& context) {
  Rounds(context, run.stream).run([&](std::int64_t, const Rounds::Flags& flags) {
    launch_round(pass, affinity, flags, run.stream);
  });
}

}  // namespace

fuzzy::Answer rfc_by_sweeps(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto best = run.zeros();
  auto label = run.zeros();
  auto second = run.zeros();
  run.seeds.mark(fuzzy::kFullStrength, run.grid, best, run.stream);
  run.seeds.mark_labels(run.grid, label, run.stream);
  to_fixpoint(RelativePass{best.data(), label.data(), second.data()}, *affinity, run, context);
  finish_labels(label, run);
  return run.download(label, best);
}

fuzzy::Answer irfc_by_sweeps(const fuzzy::Problem& problem, Context& context) {
  using Plane = DeviceBuffer<std::uint16_t>;
  return irfc_on_planes(
      problem, context,
      [&](const DeviceAffinity& affinity, Plane& strength, const Run& run) {
        to_fixpoint(StrengthPass{strength.data()}, affinity, run, context);
      },
      [&](const DeviceAffinity& affinity, const Plane& strength, Plane& labels, const Run& run) {
        to_fixpoint(LabelPass{strength.data(), labels.data()}, affinity, run, context);
      });
}

std::int64_t sweeps_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  constexpr std::int64_t kPlanes = 3;  // rfc: best, label, second
  return affinity_bytes(geometry, connectivity, masked) +
         Grid::of(geometry).cells() * kPlanes * static_cast<std::int64_t>(sizeof(std::uint16_t));
}

}  // namespace seedwave::gpu
