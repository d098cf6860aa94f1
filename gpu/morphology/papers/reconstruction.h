// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"
#include "gpu/morphology/papers/wave_queue.h"

#include <cstdint>
#include <string>

/// The papers' own reconstructions on a device, the baselines that the tile engine is measured
/// against: of images, exact, the bits that core's solvers give. They throw InputError as those do,
/// UnavailableError (no device, out of memory) and Cancelled.
namespace seedwave::gpu {

/// `sr-gpu`: all rows and columns there and back, a thread a line, until a round of these four
/// scans changes nothing. P. Karas, Efficient computation of morphological greyscale
/// reconstruction, MEMICS 2010. Stages: upload, propagate, download.
[[nodiscard]] Reconstruction reconstruct_by_line_scans(const ReconstructionProblem& problem,
                                                       Context& context);

/// `fh-gpu`: a round of these scans, then waves from what is still active, by the multi-level
/// queue. Teodoro et al. 2013, Algorithm 5. Cells that the queue had no room for are found again by
/// another run, from what there is; a note in the result says so. Stages: upload, scans, propagate,
/// download.
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
/// The same, with the choices that the paper's experiments make.
[[nodiscard]] WaveRun run_reconstruction_waves(const ReconstructionProblem& problem,
                                               const WaveSettings& settings, Context& context);

/// Why they cannot compute this; "" where they can.
[[nodiscard]] std::string why_no_paper_reconstruction(const Geometry& geometry);

/// Device memory: marker and mask; for waves also queues, for a tenth of all cells active at first.
[[nodiscard]] std::int64_t line_scans_bytes(const Geometry& geometry, VoxelType type);
[[nodiscard]] std::int64_t reconstruction_waves_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
