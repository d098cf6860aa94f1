// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/rule.h"

#include <cstdint>
#include <limits>

/// The watershed from markers as three rules (rule.h), one after the other: altitudes, hops over
/// plateaus, labels. Each is monotone once the one before it is at rest.
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

/// Label L less 1, so that the least wins and kNone is the highest: the smallest that arrives over
/// optimal predecessors, from a lower altitude where the hops are 0, else from one hop less. Starts
/// at a marker's own, else at kNone.
template <typename Cell, typename Hops>
struct BasinRule {
  using State = std::uint16_t;
  static constexpr State kNone = std::numeric_limits<State>::max();
  static constexpr bool kOnlyLoses = true;

  const Cell* altitudes;
  const Hops* hops;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (takes[edge.to] == 0) return kNone;
    const Cell altitude_e = altitudes[edge.from];
    const Cell altitude_c = altitudes[edge.to];
    const Hops hops_c = hops[edge.to];
    // Where the water comes in, f(c) = C(c): from all that is lower.
    const bool nearest = hops_c == 0 ? altitude_e < altitude_c
                                     : altitude_e == altitude_c && hops[edge.from] == hops_c - 1;
    return nearest ? from : kNone;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

}  // namespace seedwave
