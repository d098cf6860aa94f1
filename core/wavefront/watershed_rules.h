// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/rule.h"

#include <cstdint>
#include <limits>

/// The watershed from markers as three successive rules (rule.h): altitudes, hops over plateaus,
/// labels. Each is monotone once the previous one is at its fixpoint. Predecessors, which the third
/// reads, depend only on altitudes and hops.
///
/// `f` holds the image's cells (ordered_cells.h). `takes` is 0 for a cell that takes no offer: at
/// markers and outside the mask.
namespace seedwave {

/// Altitude C: the lowest pass on the way from a marker, that is, the minimum over paths of the
/// highest f on them. Starts at f on markers, else at kNotReached, which is also a valid height. An
/// unreached cell has no reached neighbour, so it cannot be mistaken for one of that height.
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

/// Hops D: the number of steps since the water entered a plateau of equal altitude, by the shortest
/// path. Starts at 0 on markers and where the water enters (comes_in), else at kFar. kFar also
/// stands for more hops than the type holds: if kFar - 1 results, a wider type is needed.
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

/// Returns whether the water enters a plateau at a cell: it rises to the cell's own height, over a
/// lower neighbour.
template <typename Cell>
SEEDWAVE_HD bool comes_in(Cell f, Cell altitude, bool takes, bool has_lower_neighbour) {
  return takes && has_lower_neighbour && f == altitude;
}

/// Finds the optimal predecessors of a cell once altitudes and hops are at their fixpoint. These
/// are its neighbours with the smallest (C, D), compared in that order, if that is below the cell's
/// own. The water arrives first from them. So a cell where it enters takes only from its lowest
/// neighbours, and of these from the ones reached first. On a plateau all predecessors have one hop
/// less.
template <typename Cell, typename Hops>
class Predecessors {
 public:
  SEEDWAVE_HD Predecessors(Cell altitude, Hops hops) : altitude_(altitude), hops_(hops) {}

  /// Adds a neighbour from which `step` leads to the cell.
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
  /// Returns the steps of the predecessors: bit s is set if the cell takes over step s.
  [[nodiscard]] SEEDWAVE_HD std::uint32_t steps() const { return steps_; }

 private:
  Cell altitude_;
  Hops hops_;
  std::uint32_t steps_ = 0;
};

/// Label L - 1, so the smallest wins and kNone is the highest: the smallest label that arrives over
/// optimal predecessors. Starts at the marker's own label, else at kNone.
/// T: an unsigned type that holds the largest label.
template <typename T>
struct BasinRule {
  using State = T;
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
