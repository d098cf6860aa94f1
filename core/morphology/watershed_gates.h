// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed_in_slabs.h"
#include "core/wavefront/gated/kernel.h"
#include "core/wavefront/watershed_rules.h"

#include <array>
#include <cstdint>
#include <span>

/// Hops and labels of a watershed through gates (core/wavefront/gated), with 4 or 8 neighbours.
namespace seedwave::watershed {

/// The limit of HopsRule, so both fail at the same number of hops.
inline constexpr std::uint16_t kFarInPlane = HopsRule<std::uint8_t, std::uint16_t>::kFar;
/// The most hops that a state holds. A longer way passes a cell of so many.
inline constexpr std::uint16_t kMostInPlane = kFarInPlane - 1;

struct Away {
  int dx;
  int dy;
};
/// The places of the neighbours, by gated::From.
inline constexpr std::array<Away, 8> kAways{
    {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

/// States of 32 bits take two passes of 16: the upper halves, then the lower ones through the edges
/// between equal upper ones.
///
/// Blocks the edges between cells of different upper halves. `upper` is a padded tile's first cell.
[[gnu::noinline]] inline void block_other_halves(const std::uint16_t* upper,
                                                 gated::Neighbours neighbours,
                                                 std::uint8_t* __restrict gates) {
  using gated::kPaddedRow;
  using gated::kSide;
  for (int from = 0; from < static_cast<int>(neighbours); ++from) {
    const Away away = kAways[static_cast<std::size_t>(from)];
    for (int y = 0; y < kSide; ++y) {
      const std::uint16_t* own = upper + y * kPaddedRow;
      const std::uint16_t* other = own + away.dx + away.dy * kPaddedRow;
      for (int x = 0; x < kSide; ++x) {
        const int differ = own[x] != other[x] ? 1 : 0;
        gates[y * kSide + x] = static_cast<std::uint8_t>(gates[y * kSide + x] | differ << from);
      }
    }
  }
}

/// Does what WatershedSlabSolver::hops does. Returns false, and leaves the hops as they are, if
/// there are more than 16 bits hold.
[[nodiscard]] bool lower_hops_by_gates(const WatershedSlab& slab, const WatershedSlab::Hops& hops,
                                       Context& context);
/// Does what WatershedSlabSolver::basins does.
void lower_basins_by_gates(const Index3& size, Connectivity connectivity,
                           const WatershedSlabSolver::Predecessors& predecessors,
                           const WatershedSlabSolver::Basins& basins, Context& context);

}  // namespace seedwave::watershed
