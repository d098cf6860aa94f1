// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/lock_step.h"
#include "gpu/fuzzy/porfc.h"
#include "gpu/fuzzy/relative.cuh"
#include "gpu/fuzzy/run.h"
#include "gpu/wavefront/rounds.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::gpu {
namespace {

constexpr std::uint16_t kObjectSeed = TwoClassRule::pack(fuzzy::kFullStrength, 0);
constexpr std::uint16_t kOtherSeed = TwoClassRule::pack(fuzzy::kFullStrength, 1);

/// The paper's tracking kernel for neighbours along the axes: one thread updates kVector cells of a
/// row from the previous round. No shared memory: data that neighbours share comes from L1 and L2.
/// It is limited by device memory bandwidth, at 10 bytes per cell. No races: it reads one buffer
/// and writes another, and all threads write the same value to the flag.
__global__ void __launch_bounds__(kBlockSize)
    track_axes_kernel(const LockStepVector round, int axes, std::uint32_t vectors,
                      Rounds::Flags flags) {
  if (*flags.previous == 0) return;
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  if (round(index, axes)) *flags.own = 1;
}

/// Does the same for any neighbourhood, cell by cell.
__global__ void __launch_bounds__(kBlockSize)
    track_kernel(const LockStepCells round, std::uint32_t vectors, Rounds::Flags flags) {
  if (*flags.previous == 0) return;
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  if (round(index)) *flags.own = 1;
}

void launch_round(const std::uint16_t* before, std::uint16_t* after,
                  const DeviceAffinity& affinities, const Run& run, const Rounds::Flags& flags) {
  const std::uint32_t vectors = vector_count(run.grid);
  const Steps& steps = affinities.steps;
  const std::uint16_t* affinity = affinities.plane(0);
  const unsigned blocks = blocks_for(vectors);
  if (steps.count <= 3) {  // 4 or 6 neighbours: all along the axes
    track_axes_kernel<<<blocks, kBlockSize, 0, run.stream.get()>>>(
        LockStepVector{before, after, affinity, run.grid}, steps.count, vectors, flags);
  } else {
    track_kernel<<<blocks, kBlockSize, 0, run.stream.get()>>>(
        LockStepCells{before, after, affinity, run.grid, steps}, vectors, flags);
  }
  check_launch(run.stream.get());
}

/// Writes labels and strengths from words. One thread per vector; no shared memory; no races. Cells
/// that the object did not win keep their label, so that objects can be found in turn.
__global__ void __launch_bounds__(kBlockSize)
    unpack_kernel(const std::uint16_t* __restrict__ words, std::uint16_t object,
                  std::uint16_t* __restrict__ labels, std::uint16_t* __restrict__ strength,
                  std::uint32_t vectors) {
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  const std::int64_t first = std::int64_t{index} * kVector;
  const U16Vector in = load_vector(words + first);
  U16Vector label = load_vector(labels + first);
  U16Vector reached;
#pragma unroll
  for (int k = 0; k < kVector; ++k) {
    reached.cell[k] = TwoClassRule::strength_of(in.cell[k]);
    if (TwoClassRule::object_holds(in.cell[k])) label.cell[k] = object;
  }
  store_vector(labels + first, label);
  store_vector(strength + first, reached);
}

/// Converts words to strengths. One thread per vector; no shared memory; no races.
__global__ void __launch_bounds__(kBlockSize)
    strengths_kernel(std::uint16_t* words, std::uint32_t vectors) {
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  const std::int64_t first = std::int64_t{index} * kVector;
  U16Vector cells = load_vector(words + first);
#pragma unroll
  for (int k = 0; k < kVector; ++k)
    cells.cell[k] = TwoClassRule::strength_of(cells.cell[k]);
  store_vector(words + first, cells);
}

/// The words of both buffers; the first holds those of the last round.
using Words = std::array<DeviceBuffer<std::uint16_t>, 2>;

/// Tracks one object from its seeds to the fixpoint; all other seeds are labelled `other`.
void track(std::uint16_t object, std::uint16_t other, Words& words,
           const DeviceAffinity& affinities, const Run& run, Context& context) {
  words[0].fill_bytes(0, run.stream);
  run.seeds.mark_classes(object, kObjectSeed, other, run.grid, words[0], run.stream);
  // After a round without changes both buffers are equal, so the rounds after it may be left out.
  Rounds(context, run.stream).run([&](std::int64_t round, const Rounds::Flags& flags) {
    const std::size_t from = round % 2;
    launch_round(words[from].data(), words[1 - from].data(), affinities, run, flags);
  });
}

void unpack(const DeviceBuffer<std::uint16_t>& words, std::uint16_t object,
            DeviceBuffer<std::uint16_t>& labels, DeviceBuffer<std::uint16_t>& strength,
            const Run& run) {
  const std::uint32_t vectors = vector_count(run.grid);
  unpack_kernel<<<blocks_for(vectors), kBlockSize, 0, run.stream.get()>>>(
      words.data(), object, labels.data(), strength.data(), vectors);
  check_launch(run.stream.get());
}

std::vector<Label> objects_of(const fuzzy::Problem& problem) {
  if (problem.object != 0) return {problem.object};
  return fuzzy::labels_of(problem.seeds);
}

}  // namespace

fuzzy::Answer porfc_by_rounds(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinities = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  Words words{DeviceBuffer<std::uint16_t>(run.grid.cells(), run.stream),
              DeviceBuffer<std::uint16_t>(run.grid.cells(), run.stream)};
  auto labels = run.zeros();
  DeviceBuffer<std::uint16_t> strength(run.grid.cells(), run.stream);
  for (const Label object : objects_of(problem)) {
    track(static_cast<std::uint16_t>(object), kOtherSeed, words, *affinities, run, context);
    unpack(words[0], static_cast<std::uint16_t>(object), labels, strength, run);
  }
  run.seeds.mark_labels(run.grid, labels, run.stream);
  return run.download(labels, strength);
}

fuzzy::Answer prfc_by_rounds(const fuzzy::Problem& problem, Context& context) {
  constexpr std::uint16_t kNoSeed = 0;
  Run run(problem, context);
  const auto affinities = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  Words words{DeviceBuffer<std::uint16_t>(run.grid.cells(), run.stream),
              DeviceBuffer<std::uint16_t>(run.grid.cells(), run.stream)};
  auto best = run.zeros();
  auto labels = run.zeros();
  const std::uint32_t vectors = vector_count(run.grid);
  for (const Label label : fuzzy::labels_of(problem.seeds)) {
    track(label, kNoSeed, words, *affinities, run, context);
    strengths_kernel<<<blocks_for(vectors), kBlockSize, 0, run.stream.get()>>>(words[0].data(),
                                                                               vectors);
    check_launch(run.stream.get());
    join_relative(words[0], label, best, labels, run.stream);
  }
  run.seeds.mark_labels(run.grid, labels, run.stream);
  return run.download(labels, best);
}

std::int64_t porfc_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  constexpr std::int64_t kPlanes = 4;  // words twice, labels, strength
  return affinity_bytes(geometry, connectivity, masked) +
         Grid::of(geometry).cells() * kPlanes * static_cast<std::int64_t>(sizeof(std::uint16_t));
}

}  // namespace seedwave::gpu
