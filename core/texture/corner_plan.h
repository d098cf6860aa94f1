// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/kernel.h"
#include "core/texture/lag_table.h"

#include <cstdint>
#include <vector>

namespace seedwave::texture {

/// The changes at the corners of a window as it moves (x to x + 1, then y to y + 1), derived from a
/// table of lags. For a lag (a, b), a >= 0, a window at (x, y) has the pairs whose first cell lies
/// in x .. x + window - a - 1, y .. y + window - b - 1. So the mixed difference in x and y of their
/// number has four terms. The pairs at the box's first corner and after its last corner are added;
/// the pairs at the other two are subtracted.
class CornerPlanOfTable {
 public:
  /// Prepares for masks whose rows are `row` bytes apart.
  CornerPlanOfTable(const LagTable& table, std::int64_t row);

  [[nodiscard]] CornerPlan plan() const;

 private:
  std::vector<LagGroup> groups_;
  std::vector<CellPair> pairs_;
  std::vector<CoupleWeight> weights_;
  std::vector<std::int32_t> first_weight_;
  int limbs_ = 2;
};

}  // namespace seedwave::texture
