// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <string>

namespace seedwave {

/// The displayed unit of an output: lengths and areas on a microscope's grid are in micrometres.
struct ShownUnit {
  std::string symbol;
  /// Number of displayed units per unit of the output.
  double scale = 1.0;
};
[[nodiscard]] ShownUnit shown_unit(const std::string& unit, const Geometry& grid);

}  // namespace seedwave
