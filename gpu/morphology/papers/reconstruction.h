// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"
#include "gpu/morphology/papers/wave_queue.h"

#include <cstdint>
#include <string>

/// The papers' reconstructions of 2-D images on a device, the baselines for the tile engine; exact,
/// bit-identical to core's solvers. They throw InputError like those, UnavailableError (no device,
/// out of memory) and Cancelled.
namespace seedwave::gpu {

/// `sr-gpu`: scans all rows and columns in both directions, one thread per line, until a round of
/// these four scans changes nothing. P. Karas, Efficient computation of morphological greyscale
/// reconstruction, MEMICS 2010. Stages: upload, propagate, download.
[[nodiscard]] Reconstruction reconstruct_by_line_scans(const ReconstructionProblem& problem,
                                                       Context& context);

/// `fh-gpu`: a round of these scans, then waves from the cells still active, with the multi-level
/// queue. Teodoro et al. 2013, Algorithm 5. If the queue has no room for some cells, another run
/// finds them again from the current state; a note in the result reports this. Stages: upload,
/// scans, propagate, download.
[[nodiscard]] Reconstruction reconstruct_by_waves(const ReconstructionProblem& problem,
                                                  Context& context);

struct WaveSettings {
  /// Rounds of scans before the waves; 0: none.
  int scans = 1;
  QueueSettings queue{};
};
struct WaveRun {
  Reconstruction reconstruction;
  QueueUse queue;
};
/// Does the same with the choices of the paper's experiments.
[[nodiscard]] WaveRun run_reconstruction_waves(const ReconstructionProblem& problem,
                                               const WaveSettings& settings, Context& context);

/// Returns why they cannot compute this; "" if they can.
[[nodiscard]] std::string why_no_paper_reconstruction(const Geometry& geometry);

/// Device memory: marker and mask; for waves also queues, for a tenth of all cells
/// initially active.
[[nodiscard]] std::int64_t line_scans_bytes(const Geometry& geometry, VoxelType type);
[[nodiscard]] std::int64_t reconstruction_waves_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
