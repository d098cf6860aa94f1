// SPDX-License-Identifier: Apache-2.0
#include "core/ops/texture.h"

#include "core/texture/lag_table.h"

#include <cmath>

namespace seedwave {

Parameter window_parameter() {
  return {.id = "window",
          .title = "Window",
          .help = "Side of the square window around a pixel; radii go up to half of it",
          .initial = 32.0,
          .domain = NumberDomain{.unit = "pixels",
                                 .low = 4.0,
                                 .high = static_cast<double>(kLargestWindow),
                                 .scale = Scale::Logarithmic,
                                 .whole = true}};
}

Parameter angle_step_parameter() {
  constexpr double kLeast = 1.0 / static_cast<double>(kMostLagDirections);
  return {.id = "angle_step",
          .title = "Angle step",
          .help = "Angle between adjacent directions; rounded to divide 180° evenly",
          .initial = 0.125,
          .domain = NumberDomain{.unit = "of 180\u00b0",
                                 .low = kLeast,
                                 .high = 1.0,
                                 .step = kLeast,
                                 .scale = Scale::Logarithmic},
          .advanced = true};
}

std::int64_t window_of(const Values& values) {
  return std::llround(values.number("window"));
}

std::int64_t directions_of(const Values& values) {
  return std::llround(1.0 / values.number("angle_step"));
}

Values with_step_used(const Values& values) {
  Values used = values;
  used.set("angle_step", 1.0 / static_cast<double>(directions_of(values)));
  return used;
}

}  // namespace seedwave
