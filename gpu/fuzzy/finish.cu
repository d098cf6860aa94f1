// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/run.h"

namespace seedwave::gpu {
namespace {

/// Turns ties into background. One thread per vector; no shared memory; no races.
__global__ void __launch_bounds__(kBlockSize)
    drop_ties_kernel(std::uint16_t* __restrict__ labels, std::uint32_t vectors) {
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  U16Vector cells = load_vector(labels + std::int64_t{index} * kVector);
#pragma unroll
  for (int k = 0; k < kVector; ++k) {
    if (cells.cell[k] == fuzzy::kTie) cells.cell[k] = 0;
  }
  store_vector(labels + std::int64_t{index} * kVector, cells);
}

}  // namespace

void finish_labels(DeviceBuffer<std::uint16_t>& labels, const Run& run) {
  const std::uint32_t vectors = vector_count(run.grid);
  drop_ties_kernel<<<blocks_for(vectors), kBlockSize, 0, run.stream.get()>>>(labels.data(),
                                                                             vectors);
  check_launch(run.stream.get());
  run.seeds.mark_labels(run.grid, labels, run.stream);
}

}  // namespace seedwave::gpu
