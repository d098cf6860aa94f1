// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {

/// Maximum number of runs of a sweep. It guards against typing errors.
inline constexpr std::size_t kMostSweepRuns = 10'000;

/// The values of a parameter that a sweep tries, as the user states them.
struct Vary {
  enum class By { Step, Factor, List };

  std::string parameter;
  By by = By::Step;
  /// Step, Factor: the first value, the bound, and the step or factor from one value to the next.
  double from = 0.0;
  double to = 0.0;
  double step = 1.0;
  /// List: the values, in this order.
  std::vector<Value> list{};
  friend bool operator==(const Vary&, const Vary&) = default;
};

/// Reads "sigma_o=5:30:2.5" (by a step), "sigma_o=5:80:*2" (by a factor) or "connectivity=6,18,26"
/// (a list, also of numbers). In the id, '-' counts as '_'. Throws UsageError: another form, an
/// unknown parameter, a direction or place, a text that is not a number, a value out of range.
[[nodiscard]] Vary parse_vary(const Operation& operation, const std::string& text);

/// The form that parse_vary() reads, at full precision.
[[nodiscard]] std::string to_text(const Vary& vary);

/// Returns `count` values from one bound to the other, both included. They are at equal distances,
/// or at equal ratios on a logarithmic scale. For an integer parameter the distance is rounded, and
/// the other bound may be missed.
[[nodiscard]] Vary vary_evenly(const Parameter& parameter, double from, double to, int count,
                               Scale scale);

/// One parameter of a sweep and all values that it takes, in order.
struct SweepAxis {
  std::string parameter;
  std::vector<Value> values;
  /// The spacing of the values, for drawing.
  Scale scale = Scale::Linear;
  /// The smallest and largest value that a number may have; nothing for words.
  std::optional<std::pair<double, double>> bounds{};
  friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

/// Returns the values that `vary` stands for.
///
/// The values are from + i * step, or from * factor^i. Each is computed directly and rounded to 15
/// digits (of the larger bound), so that 0.1:0.5:0.1 has 0.3 and not 0.30000000000000004. `to` is
/// included, as exactly that number, if a step reaches it within rounding. A range may fall. The
/// direction is then that of the bounds: 30:5:5 and 30:5:-5 have the same values, and so have
/// 80:5:*2 and 80:5:*0.5. For an integer parameter the values of a factor are rounded, each taken
/// once.
///
/// Throws UsageError: a value outside the parameter's range (which the message states) or not
/// offered on an image of that dimension, a step of 0, a negative step in a rising range, a factor
/// that is not above 0 or is 1, a factor below 1 in a rising range, a fractional step for an
/// integer parameter, a duplicate value in a list, more than kMostSweepRuns values.
[[nodiscard]] SweepAxis axis_of(const Operation& operation, const Vary& vary, bool image_is_2d);

}  // namespace seedwave
