// SPDX-License-Identifier: Apache-2.0
#include "ui/views/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace seedwave::ui {
namespace {

constexpr double kLargestPlain = 1e6;
constexpr double kSmallestPlain = 1e-4;

/// Returns the smallest of 1, 2, 5 times a power of ten with at most `most` steps in `span`.
double round_step(double span, int most) {
  const double decade = std::pow(10.0, std::floor(std::log10(span / most)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (span / (times * decade) <= most * (1 + 1e-9)) return times * decade;
  }
  return 10.0 * decade;
}

/// `step`: difference that the text must resolve. `largest`: largest absolute value on the axis.
QString text_of(double value, double step, double largest) {
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  if (largest >= kLargestPlain || step < kSmallestPlain) {
    const int digits = static_cast<int>(std::ceil(std::log10(largest / step) - 1e-9)) + 1;
    return QString::number(value, 'g', std::clamp(digits, 1, 12));
  }
  return QString::number(value, 'f', decimals);
}

}  // namespace

std::vector<Tick> round_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!(high > low) || !std::isfinite(high - low) || most < 1) return ticks;
  const double step = round_step(high - low, most);
  const double largest = std::max(std::abs(low), std::abs(high));
  const double slack = 1e-9 * (high - low);
  for (double count = std::ceil((low - slack) / step); count * step <= high + slack; ++count) {
    const double value = count == 0 ? 0.0 : count * step;  // no -0
    ticks.push_back({value, text_of(value, step, largest)});
  }
  return ticks;
}

std::vector<Tick> round_log_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!(high > low) || !std::isfinite(high - low) || most < 1) return ticks;
  const double slack = 1e-9 * (high - low);
  const auto marks_at = [&](std::initializer_list<double> digits, int decades) {
    ticks.clear();
    const double first = std::floor(low / decades) * decades;
    for (double power = first; power <= high + slack; power += decades) {
      for (const double digit : digits) {
        const double value = power + std::log10(digit);
        if (value < low - slack || value > high + slack) continue;
        ticks.push_back({value, QString::number(digit * std::pow(10.0, power), 'g', 6)});
      }
    }
    return ticks.size() <= static_cast<std::size_t>(most);
  };
  if (marks_at({1.0, 2.0, 5.0}, 1) && ticks.size() < 3) {
    ticks = round_ticks(std::pow(10.0, low), std::pow(10.0, high), most);
    for (Tick& tick : ticks)
      tick.value = std::log10(tick.value);
    std::erase_if(ticks, [](const Tick& tick) { return !std::isfinite(tick.value); });
  } else if (ticks.size() > static_cast<std::size_t>(most)) {
    int decades = 1;
    while (!marks_at({1.0}, decades))
      ++decades;
  }
  return ticks;
}

QString value_on_axis(double value, double low, double high) {
  if (std::isnan(value)) return QString();
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  const double largest = std::max({std::abs(low), std::abs(high), std::abs(value)});
  return text_of(value, round_step(high - low, 10) / 10, largest);
}

}  // namespace seedwave::ui
