// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

namespace seedwave::ui {

/// A mark on an axis.
struct Tick {
  double value = 0.0;
  QString text;
};

/// Marks at 1, 2 or 5 times a power of ten within low..high, as many as `most` lets in, with no
/// more digits than tell them apart.
[[nodiscard]] std::vector<Tick> round_ticks(double low, double high, int most);

/// The same on a logarithmic axis from 10^low to 10^high: `value` is the logarithm, the text says
/// the number. Marks at 1, 2 and 5 times powers of ten, or at the powers alone; where the axis
/// spans less than that needs, at round numbers.
[[nodiscard]] std::vector<Tick> round_log_ticks(double low, double high, int most);

/// A value beside marks of an axis from `low` to `high`: one digit more than they need.
[[nodiscard]] QString value_on_axis(double value, double low, double high);

}  // namespace seedwave::ui
