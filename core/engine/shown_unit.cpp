// SPDX-License-Identifier: Apache-2.0
#include "core/engine/shown_unit.h"

#include "core/image/length_scale.h"

namespace seedwave {

ShownUnit shown_unit(const std::string& unit, const Geometry& grid) {
  const LengthScale lengths = length_scale(grid);
  if (unit == "mm") return {.symbol = lengths.symbol, .scale = lengths.per_unit};
  if (unit == "mm\u00b2") {
    return {.symbol = lengths.symbol + "\u00b2", .scale = lengths.per_unit * lengths.per_unit};
  }
  return {.symbol = unit, .scale = 1.0};
}

}  // namespace seedwave
