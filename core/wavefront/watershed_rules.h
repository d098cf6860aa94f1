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
/// highest f on them. Starts at f where a marker is, else at the highest value there is, which also
/// stands for "not reached": such a cell has no reached neighbour that it could be taken for.
template <typename Cell>
struct AltitudeRule {
  using State = Cell;

  const Cell* f;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (takes[edge.to] == 0) return std::numeric_limits<Cell>::max();
    return from < f[edge.to] ? f[edge.to] : from;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

/// Whether e precedes c on an optimal path, max(C(e), f(c)) = C(c), c not a marker. `hops_e + 1`
/// or, from a lower altitude, 0 are then c's hops.
template <typename Cell>
SEEDWAVE_HD bool precedes(Cell altitude_e, Cell f_c, Cell altitude_c) {
  return altitude_e == altitude_c || (altitude_e < altitude_c && f_c == altitude_c);
}

/// Hops D: how many steps a plateau of equal altitude was entered ago, by the shortest way. Starts
/// at 0 where a marker is, else at kFar.
template <typename Cell>
struct HopsRule {
  using State = std::uint32_t;
  static constexpr State kFar = std::numeric_limits<State>::max();

  const Cell* f;
  const Cell* altitudes;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    const Cell altitude_e = altitudes[edge.from];
    const Cell altitude_c = altitudes[edge.to];
    if (takes[edge.to] == 0 || !precedes(altitude_e, f[edge.to], altitude_c)) return kFar;
    if (altitude_e < altitude_c) return 0;
    return from == kFar ? kFar : from + 1;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

/// Label L: the smallest that arrives over optimal predecessors, from a lower altitude where the
/// hops are 0, else from one hop less. Starts at a marker's own, else at kNone.
template <typename Cell>
struct BasinRule {
  using State = std::uint16_t;
  static constexpr State kNone = 0;

  const Cell* f;
  const Cell* altitudes;
  const std::uint32_t* hops;
  const std::uint8_t* takes;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    const Cell altitude_e = altitudes[edge.from];
    const Cell altitude_c = altitudes[edge.to];
    if (takes[edge.to] == 0 || !precedes(altitude_e, f[edge.to], altitude_c)) return kNone;
    const std::uint32_t hops_c = hops[edge.to];
    const bool nearest =
        altitude_e < altitude_c ? hops_c == 0 : hops_c != 0 && hops[edge.from] == hops_c - 1;
    return nearest ? from : kNone;
  }
  static SEEDWAVE_HD State join(State a, State b) {
    if (a == kNone || b == kNone) return a == kNone ? b : a;
    return a < b ? a : b;
  }
};

}  // namespace seedwave
