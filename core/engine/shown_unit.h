// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <string>

namespace seedwave {

/// How an output's unit is read: lengths and areas on a microscope's grid in micrometres.
struct ShownUnit {
  std::string symbol;
  /// How many of it are one of the output's own.
  double scale = 1.0;
};
[[nodiscard]] ShownUnit shown_unit(const std::string& unit, const Geometry& grid);

}  // namespace seedwave
