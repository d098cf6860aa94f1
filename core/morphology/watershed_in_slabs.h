// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>

namespace seedwave {

/// A slab with its halo, as HopsRule reads it (watershed_rules.h). Arrays are as they are kept
/// between the visits; a solver may need them wider (wide()).
struct WatershedSlab {
  Index3 size{};
  Connectivity connectivity = Connectivity::C4;
  /// Altitudes at the fixpoint, as numbers that are equal where the altitudes are.
  using Altitudes = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                                 std::span<const std::int32_t>>;
  Altitudes altitudes;
  /// 0 for a cell that takes no offer.
  std::span<const std::uint8_t> takes;
  /// The largest number stands for HopsRule::kFar, and in 16 bits for all from there on.
  using Hops = std::variant<std::span<std::uint16_t>, std::span<std::uint32_t>>;
};

/// Solves a slab on any backend: each pass brings its states from their present values to the
/// fixpoint.
struct WatershedSlabSolver {
  /// Solves altitudes, as a reconstruction by erosion.
  ReconstructionSolver altitudes;
  std::function<void(const WatershedSlab&, const WatershedSlab::Hops& hops, Context&)> hops;
  /// Solves labels minus 1, from the predecessors that BasinRule reads for a slab of this size.
  using Predecessors = std::variant<std::span<const std::uint8_t>, std::span<const std::uint32_t>>;
  using Basins = std::variant<std::span<std::uint16_t>, std::span<std::uint32_t>>;
  std::function<void(const Index3& size, Connectivity connectivity,
                     const Predecessors& predecessors, const Basins& basins, Context&)>
      basins;
};

/// Computes the watershed slab by slab: altitudes until no slab gains, then hops, then labels. The
/// labels equal those of the whole image. Between the passes, cells that take water (a byte),
/// altitudes (of the image's type), hops (two bytes; four if a plateau has more than 65,534) and
/// then predecessors (a byte or four) are in host memory. Of ranks the first one has the labels.
/// Throws whatever the solver throws, InputError as for WatershedSolver, and Cancelled.
[[nodiscard]] LabelMap watershed_in_slabs(const WatershedProblem& problem,
                                          const WatershedSlabSolver& solver, const SlabGrid& slabs,
                                          Context& context, const NextSlab& next = {});

/// Returns the largest memory of the data kept between the passes.
[[nodiscard]] std::int64_t watershed_bytes_between(const Geometry& geometry, VoxelType type,
                                                   Connectivity connectivity);

namespace watershed {

/// Returns the solver of watershed_by_tiles(): each slab on tiles.
[[nodiscard]] WatershedSlabSolver slab_solver_on_tiles();

/// Hops as they are kept between the visits, in two bytes where these suffice. This one stands for
/// HopsRule::kFar, and in two bytes for all hops from there on.
template <typename Kept>
inline constexpr Kept kFarKept = sizeof(Kept) < sizeof(std::uint32_t)
                                     ? std::numeric_limits<Kept>::max()
                                     : HopsRule<std::int32_t, std::uint32_t>::kFar;

/// Returns hops that are kept in two bytes.
inline std::uint32_t wide_hops(std::uint16_t kept) {
  return kept == kFarKept<std::uint16_t> ? kFarKept<std::uint32_t> : std::uint32_t{kept};
}

/// Calls body(span of constant Wide) with the numbers of an array of narrower ones, or with that
/// array if it is one of Wide.
template <typename Wide, typename Arrays, typename Body>
void with_wide(const Arrays& arrays, Body&& body) {
  std::visit(
      [&]<typename T>(std::span<const T> array) {
        if constexpr (std::is_same_v<T, Wide>) {
          body(array);
        } else {
          auto copy = reserved_large<Wide>(array.size());
          copy.assign(array.begin(), array.end());
          body(std::span<const Wide>(copy));
        }
      },
      arrays);
}

/// Calls solve(hops of 32 bits), which changes them.
template <typename Solve>
void with_wide_hops(const WatershedSlab::Hops& hops, Solve&& solve) {
  if (const auto* wide = std::get_if<std::span<std::uint32_t>>(&hops)) return solve(*wide);
  const auto kept = std::get<std::span<std::uint16_t>>(hops);
  constexpr std::uint16_t kFarInTwoBytes = kFarKept<std::uint16_t>;
  auto wide = large_vector<std::uint32_t>(kept.size());
  std::ranges::transform(kept, wide.begin(), wide_hops);
  solve(std::span(wide));
  std::ranges::transform(wide, kept.begin(), [](std::uint32_t hop) {
    return static_cast<std::uint16_t>(std::min<std::uint32_t>(hop, kFarInTwoBytes));
  });
}

}  // namespace watershed

}  // namespace seedwave
