// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

namespace seedwave::ui {

/// A tick mark on an axis.
struct Tick {
  double value = 0.0;
  QString text;
};

/// Returns at most `most` ticks within low..high, at 1, 2 or 5 times a power of ten. Texts have no
/// more digits than are needed to distinguish them.
[[nodiscard]] std::vector<Tick> round_ticks(double low, double high, int most);

/// Returns ticks on a logarithmic axis from 10^low to 10^high. `value` is the logarithm, the text
/// shows the number. Ticks lie at 1, 2 and 5 times powers of ten, or at the powers alone. An axis
/// too short for these has round numbers.
[[nodiscard]] std::vector<Tick> round_log_ticks(double low, double high, int most);

/// Returns the text of a value beside the ticks of an axis from `low` to `high`: one digit more
/// than the ticks have.
[[nodiscard]] QString value_on_axis(double value, double low, double high);

}  // namespace seedwave::ui
