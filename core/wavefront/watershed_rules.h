// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/rule.h"

#include <cstdint>
#include <limits>

/// The watershed from markers as three rules (rule.h), one after the other: altitudes, hops over
/// plateaus, labels. Each is monotone once the one before it is at rest: Predecessors, which the
/// third reads, depend on altitudes and hops alone.
///
/// f: the image's cells (ordered_cells.h). takes: 0 where a cell takes no offer, at markers and
/// outside the mask.
namespace seedwave {

/// Altitude C: the lowest pass over which a path from a marker comes, min over paths of the
/// highest f on them. Starts at f where a marker is, else at kNotReached, which is also a height: a
/// cell that is not reached has no reached neighbour, so it cannot be taken for one of that height.
template <typename Cell>
struct AltitudeRule {
  using State = Cell;
  static constexpr State kNotReached = std::numeric_limits<Cell>::max();
  static constexpr bool kOnlyLoses = true;

  const Cell* f;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (takes[edge.to] == 0) return kNotReached;
    return from < f[edge.to] ? f[edge.to] : from;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

/// Hops D: how many steps ago the water came to a plateau of equal altitude, by the shortest way.
/// Starts at 0 where a marker is or the water comes in (comes_in), else at kFar, which also
/// stands for more hops than the type holds: where kFar - 1 came out, a wider type must have a go.
template <typename Cell, typename Hops>
struct HopsRule {
  using State = Hops;
  static constexpr State kFar = std::numeric_limits<Hops>::max() / 2;
  static constexpr bool kOnlyLoses = true;

  const Cell* altitudes;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (takes[edge.to] == 0 || altitudes[edge.from] != altitudes[edge.to]) return kFar;
    return static_cast<State>(from + 1);
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

/// Whether the water comes in at a cell: it rises to the cell's own height, over a neighbour that
/// is lower.
template <typename Cell>
SEEDWAVE_HD bool comes_in(Cell f, Cell altitude, bool takes, bool has_lower_neighbour) {
  return takes && has_lower_neighbour && f == altitude;
}

/// Finds the optimal predecessors of a cell, once altitudes and hops are at rest: its neighbours
/// with the least (C, D), compared in that order, where that is less than the cell's own. From
/// these the water comes first. So a cell at which it comes in takes from its lowest neighbours
/// alone, and of these from the ones that were reached first; on a plateau all have one hop less.
template <typename Cell, typename Hops>
class Predecessors {
 public:
  SEEDWAVE_HD Predecessors(Cell altitude, Hops hops) : altitude_(altitude), hops_(hops) {}

  /// A neighbour from which `step` leads to the cell.
  SEEDWAVE_HD void see(int step, Cell altitude, Hops hops) {
    const std::uint32_t bit = 1U << step;
    if (altitude < altitude_ || (altitude == altitude_ && hops < hops_)) {
      altitude_ = altitude;
      hops_ = hops;
      steps_ = bit;
    } else if (steps_ != 0 && altitude == altitude_ && hops == hops_) {
      steps_ |= bit;
    }
  }
  /// Bit s: the cell takes over step s.
  [[nodiscard]] SEEDWAVE_HD std::uint32_t steps() const { return steps_; }

 private:
  Cell altitude_;
  Hops hops_;
  std::uint32_t steps_ = 0;
};

/// Label L less 1, so that the least wins and kNone is the highest: the smallest that arrives over
/// optimal predecessors. Starts at a marker's own, else at kNone.
struct BasinRule {
  using State = std::uint16_t;
  static constexpr State kNone = std::numeric_limits<State>::max();
  static constexpr bool kOnlyLoses = true;

  /// Predecessors::steps() of each cell; 0 if it takes nothing.
  const std::uint32_t* predecessors;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    return (predecessors[edge.to] >> edge.step & 1U) != 0 ? from : kNone;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

}  // namespace seedwave
