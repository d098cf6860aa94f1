// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace seedwave {

/// Erosion is the dual of dilation: the marker lies above the mask and is lowered onto it.
enum class ReconstructionDirection { Dilation, Erosion };

/// Morphological reconstruction of a mask image I from a marker J on the same grid, of the same
/// type, with one value per voxel: J <- (J dilated by the neighbourhood) AND I, until nothing
/// changes.
struct ReconstructionProblem {
  Volume marker;
  Volume mask;
  Connectivity connectivity = Connectivity::C4;
  ReconstructionDirection direction = ReconstructionDirection::Dilation;
};

struct Reconstruction {
  /// The result, of the mask's type; -0.0 becomes +0.0.
  Volume image;
  /// Number of voxels where the marker lay beyond the mask (above it; for erosion below) and was
  /// clipped to it.
  std::int64_t clipped = 0;
  /// Notes for the user on how the result was computed.
  std::vector<std::string> notes{};
};

/// reconstruct_by_tiles() and other solvers, on any backend.
using ReconstructionSolver = std::function<Reconstruction(const ReconstructionProblem&, Context&)>;

/// Throws InputError if grids or types differ or a value is NaN. Every solver calls it first.
void check_reconstruction(const ReconstructionProblem& problem);

/// `tiles`, the default: the tile engine, on all threads. Exact. Respects the context's memory
/// limit, in slabs if necessary (reconstruction_in_slabs.h). Throws InputError if grids or types
/// differ or a value is NaN, UnavailableError if the limit is too small for any slab, and
/// Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem,
                                                  Context& context);

/// Returns the smallest working memory of reconstruct_by_tiles() besides marker, mask and result:
/// cells and limits on tiles, and a slab's own result. Excludes the memory of each thread for its
/// current tile, and the waiting cells of a flood, which depend on the length of its fronts.
[[nodiscard]] std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type,
                                                      Connectivity connectivity);

// The sequential algorithms of L. Vincent, Morphological grayscale reconstruction in image
// analysis: applications and efficient algorithms, IEEE Trans. Image Process. 2(2), 1993. They use
// one thread, are exact and give the same result. They throw as reconstruct_by_tiles() does.

/// `sr`: raster and anti-raster scans of the whole image until one changes nothing. The number of
/// scans is that of the turns of the longest path.
[[nodiscard]] Reconstruction reconstruct_by_scans(const ReconstructionProblem& problem,
                                                  Context& context);
/// `qb`: breadth first from the marker's regional maxima.
[[nodiscard]] Reconstruction reconstruct_by_queue(const ReconstructionProblem& problem,
                                                  Context& context);
/// `fh`, the paper's fastest: one raster scan, one anti-raster scan that records where work
/// remains, and from there breadth first.
[[nodiscard]] Reconstruction reconstruct_by_hybrid(const ReconstructionProblem& problem,
                                                   Context& context);

// The parallel forms for CPU cores of G. Teodoro, T. Pan, T. M. Kurc, J. Kong, L. A. D. Cooper,
// J. H. Saltz, Efficient irregular wavefront propagation algorithms on hybrid CPU-GPU machines,
// Parallel Computing 39, 2013, section 5.1: baselines, exact for any number of threads.

/// `tp-bp`: a band of the image for each thread. A tile pass does the work of `fh` in each band;
/// when all have ended, a border pass shows each what its neighbours have, and another tile pass
/// spreads that, until no band has work.
[[nodiscard]] Reconstruction reconstruct_by_passes(const ReconstructionProblem& problem,
                                                   Context& context);
/// `cas`, the paper's form without tiles: the two scans of `fh` on one thread; then threads share
/// the cells where work remains round-robin, and raise others by compare-and-swap.
[[nodiscard]] Reconstruction reconstruct_by_shared_waves(const ReconstructionProblem& problem,
                                                         Context& context);

}  // namespace seedwave
