// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/rule.h"

namespace seedwave {

/// Reconstruction by dilation as a rule (rule.h): a cell rises to its neighbours, but not above its
/// own limit. Starts at the minimum of marker and mask. For the cells see ordered_cells.h.
template <typename Cell>
struct RiseRule {
  using State = Cell;
  static constexpr bool kOnlyLoses = true;

  const Cell* limits;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    return from < limits[edge.to] ? from : limits[edge.to];
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? b : a; }
};

}  // namespace seedwave
