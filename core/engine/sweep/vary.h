// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace seedwave {

/// A sweep has at most so many runs: a bound against slips of the keyboard, not against patience.
inline constexpr std::size_t kMostSweepRuns = 10'000;

/// Which values of a parameter a sweep tries, as the user says it.
struct Vary {
  enum class By { Step, Factor, List };

  std::string parameter;
  By by = By::Step;
  /// Step, Factor: the first value, the bound, and what leads from one value to the next.
  double from = 0.0;
  double to = 0.0;
  double step = 1.0;
  /// List: the values, in this order.
  std::vector<Value> list{};
  friend bool operator==(const Vary&, const Vary&) = default;
};

/// Reads "sigma_o=5:30:2.5" (by a step), "sigma_o=5:80:*2" (by a factor) or "connectivity=6,18,26"
/// (a list, of a number's values too). In the id '-' counts as '_'.
/// Throws UsageError: another form, a parameter that the operation has not or that is a direction,
/// no number, a value outside its range.
[[nodiscard]] Vary parse_vary(const Operation& operation, const std::string& text);

/// The form that parse_vary() reads, at full precision.
[[nodiscard]] std::string to_text(const Vary& vary);

/// `count` values from one bound to the other, both included: at equal distances, or where the
/// scale is logarithmic at equal ratios. For a whole-numbered parameter the distance is rounded,
/// and the other bound may be missed.
[[nodiscard]] Vary vary_evenly(const Parameter& parameter, double from, double to, int count,
                               Parameter::Scale scale);

/// One parameter of a sweep and all values that it takes, in order.
struct SweepAxis {
  std::string parameter;
  std::vector<Value> values;
  /// How the values are spaced: for whoever draws them.
  Parameter::Scale scale = Parameter::Scale::Linear;
  friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

/// The values that `vary` stands for.
///
/// By a step: from + i * step, by a factor: from * factor^i, each computed by itself and rounded to
/// 15 digits (of the larger bound), so that 0.1:0.5:0.1 has 0.3 and not 0.30000000000000004. `to`
/// is among them where a step leads there within rounding, and is then exactly that number. Either
/// range may fall. The direction is then that of the bounds: 30:5:5 and 30:5:-5 have the same
/// values, and so have 80:5:*2 and 80:5:*0.5. Of a whole-numbered parameter the values of a factor
/// are rounded, each taken once.
///
/// Throws UsageError: a value outside the parameter's range (which it says) or not offered on an
/// image of that dimension, a step of 0, a negative step in a rising range, a factor that is not
/// above 0 or is 1, a factor below 1 in a rising range, a step that is not whole where the
/// parameter is, a value twice in a list, more than kMostSweepRuns values.
[[nodiscard]] SweepAxis axis_of(const Operation& operation, const Vary& vary, bool image_is_2d);

}  // namespace seedwave
