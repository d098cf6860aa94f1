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

/// By erosion everything is upside down: the marker lies above the mask and sinks onto it.
enum class ReconstructionDirection { Dilation, Erosion };

/// Morphological reconstruction of a mask image I from a marker J on the same grid, of the same
/// type, one value per voxel: J <- (J dilated by the neighbourhood) AND I, until nothing changes.
struct ReconstructionProblem {
  Volume marker;
  Volume mask;
  Connectivity connectivity = Connectivity::C4;
  ReconstructionDirection direction = ReconstructionDirection::Dilation;
};

struct Reconstruction {
  /// Of the mask's type; -0.0 has become +0.0.
  Volume image;
  /// Voxels where the marker lay beyond the mask (above it, by erosion below) and was cut to it.
  std::int64_t clipped = 0;
  /// What a user should know of how it was computed.
  std::vector<std::string> notes{};
};

/// reconstruct_by_tiles() and its like, on any backend.
using ReconstructionSolver = std::function<Reconstruction(const ReconstructionProblem&, Context&)>;

/// Throws InputError where grids or types differ or a value is NaN: what every solver does first.
void check_reconstruction(const ReconstructionProblem& problem);

/// `tiles`, the default: the tile engine, on all threads. Exact. Keeps to the context's memory, in
/// slabs where it must (reconstruction_in_slabs.h).
/// Throws InputError where grids or types differ or a value is NaN, UnavailableError where the
/// context's memory is too little for any slab, and Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem,
                                                  Context& context);

/// Working memory of reconstruct_by_tiles() beyond marker, mask and result, at least: cells and
/// limits on tiles, and a slab's own result. Not counted: what each thread needs for the tile that
/// it works on, and the waiting cells of a flood, which go with the length of its fronts.
[[nodiscard]] std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type,
                                                      Connectivity connectivity);

// The sequential algorithms of L. Vincent, Morphological grayscale reconstruction in image
// analysis: applications and efficient algorithms, IEEE Trans. Image Process. 2(2), 1993: one
// thread, exact, the same result. They throw as reconstruct_by_tiles() does.

/// `sr`: raster and anti-raster scans of the whole image until one changes nothing. As many scans
/// as the longest path has turns.
[[nodiscard]] Reconstruction reconstruct_by_scans(const ReconstructionProblem& problem,
                                                  Context& context);
/// `qb`: breadth first from the marker's regional maxima.
[[nodiscard]] Reconstruction reconstruct_by_queue(const ReconstructionProblem& problem,
                                                  Context& context);
/// `fh`, the paper's fastest: one raster scan, one anti-raster scan that notes where something is
/// left to do, and from there breadth first.
[[nodiscard]] Reconstruction reconstruct_by_hybrid(const ReconstructionProblem& problem,
                                                   Context& context);

}  // namespace seedwave
