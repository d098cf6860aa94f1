// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>
#include <functional>
#include <span>
#include <variant>

namespace seedwave {

/// A slab with its halo, as HopsRule reads it (watershed_rules.h).
struct WatershedSlab {
  Index3 size{};
  Connectivity connectivity = Connectivity::C4;
  /// Altitudes at the fixpoint, as ordered cells, widened.
  std::span<const std::int32_t> altitudes;
  std::span<const std::uint8_t> takes;
};

/// Solves a slab on any backend: each pass brings its states from their present values to the
/// fixpoint.
struct WatershedSlabSolver {
  /// Solves altitudes, as a reconstruction by erosion.
  ReconstructionSolver altitudes;
  std::function<void(const WatershedSlab&, std::span<std::uint32_t> hops, Context&)> hops;
  /// Solves labels minus 1, from the predecessors that BasinRule reads for a slab of this size.
  using Basins = std::variant<std::span<std::uint16_t>, std::span<std::uint32_t>>;
  std::function<void(const Index3& size, Connectivity connectivity,
                     std::span<const std::uint32_t> predecessors, const Basins& basins, Context&)>
      basins;
};

/// Computes the watershed slab by slab: altitudes until no slab gains, then hops, then labels. The
/// labels equal those of the whole image. Between the passes, altitudes (of the image's type), hops
/// (two bytes; four if a plateau has more than 65,534) and then predecessors (a byte or four) are
/// in host memory. Of ranks the first one has the labels. Throws whatever the solver throws,
/// InputError as for WatershedSolver, and Cancelled.
[[nodiscard]] LabelMap watershed_in_slabs(const WatershedProblem& problem,
                                          const WatershedSlabSolver& solver, const SlabGrid& slabs,
                                          Context& context, const NextSlab& next = {});

/// Returns the largest memory of the data kept between the passes.
[[nodiscard]] std::int64_t watershed_bytes_between(const Geometry& geometry, VoxelType type,
                                                   Connectivity connectivity);

namespace watershed {
/// Returns the solver of watershed_by_tiles(): each slab on tiles.
[[nodiscard]] WatershedSlabSolver slab_solver_on_tiles();
}  // namespace watershed

}  // namespace seedwave
