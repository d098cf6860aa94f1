// SPDX-License-Identifier: Apache-2.0
#include "ui/models/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace seedwave::ui {

namespace {

constexpr double kLeastProminence = 0.05;  // of the height of the curve
constexpr double kInfinity = std::numeric_limits<double>::infinity();

PlotRange range_of(const Plot& plot, const std::vector<double> PlotCurve::*numbers) {
  PlotRange range{.low = kInfinity, .high = -kInfinity};
  for (const PlotCurve& curve : plot.curves) {
    for (const double number : curve.*numbers) {
      if (!std::isfinite(number)) continue;
      range.low = std::min(range.low, number);
      range.high = std::max(range.high, number);
    }
  }
  if (range.low > range.high) return {};
  if (range.low == range.high) {
    const double margin = range.low == 0.0 ? 0.5 : std::abs(range.low) / 2;
    return {.low = range.low - margin, .high = range.high + margin};
  }
  return range;
}

/// Returns for each sample the lowest one between it and the nearest higher one before it, or the
/// start.
std::vector<double> valleys_before(const std::vector<double>& y) {
  struct Step {
    double height;
    double valley;
  };
  std::vector<Step> higher;  // decreasing heights, each with the valley before it
  std::vector<double> valleys;
  valleys.reserve(y.size());
  for (const double value : y) {
    double valley = value;
    while (!higher.empty() && higher.back().height <= value) {
      valley = std::min(valley, higher.back().valley);
      higher.pop_back();
    }
    higher.push_back({value, valley});
    valleys.push_back(valley);
  }
  return valleys;
}

bool goes_round(const std::vector<double>& x, double period) {
  if (period <= 0 || x.size() < 3) return false;
  const double step = (x.back() - x.front()) / static_cast<double>(x.size() - 1);
  return x.back() - x.front() + 1.5 * step >= period;
}

/// The finite samples with their indices in the curve. A closed curve starts at its lowest sample.
struct Samples {
  std::vector<std::size_t> places;
  std::vector<double> y;
};

Samples finite_samples(const PlotCurve& curve, double period) {
  Samples samples;
  std::vector<double> x;
  const std::size_t count = std::min(curve.x.size(), curve.y.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
    x.push_back(curve.x[i]);
    samples.places.push_back(i);
    samples.y.push_back(curve.y[i]);
  }
  if (!goes_round(x, period)) return samples;
  const auto lowest = std::min_element(samples.y.begin(), samples.y.end()) - samples.y.begin();
  std::rotate(samples.places.begin(), samples.places.begin() + lowest, samples.places.end());
  std::rotate(samples.y.begin(), samples.y.begin() + lowest, samples.y.end());
  samples.places.push_back(samples.places.front());
  samples.y.push_back(samples.y.front());
  return samples;
}

}  // namespace

Plot placed_on_axes(const Plot& plot) {
  Plot placed = plot;
  if (plot.x.scale == PlotScale::Linear) return placed;
  for (PlotCurve& curve : placed.curves) {
    for (double& x : curve.x)
      x = std::log10(x);
  }
  if (placed.shaded) {
    placed.shaded = {.low = std::log10(placed.shaded->low),
                     .high = std::log10(placed.shaded->high)};
  }
  return placed;
}

QString PlotAxis::text() const {
  return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

PlotRange x_range(const Plot& plot) {
  return range_of(plot, &PlotCurve::x);
}

PlotRange y_range(const Plot& plot) {
  return range_of(plot, &PlotCurve::y);
}

QString with_power(const QString& number) {
  const auto at = number.indexOf(QLatin1Char('e'));
  if (at < 0) return number;
  const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  const int exponent = number.mid(at + 1).toInt();
  QString power = exponent < 0 ? QStringLiteral("⁻") : QString();
  for (const QChar digit : QString::number(std::abs(exponent)))
    power += digits[digit.digitValue()];
  return number.left(at) + QStringLiteral("×10") + power;
}

QString number_with_unit(double value, const QString& unit) {
  const QString number = with_power(QString::number(value, 'g', 5));
  if (unit.isEmpty()) return number;
  return unit == QStringLiteral("°") ? number + unit : QStringLiteral("%1 %2").arg(number, unit);
}

double least_rise(const Plot& plot) {
  constexpr double kSeen = 0.02;
  const PlotRange range = y_range(plot);
  return plot.curves.size() < 2 ? 0.0 : kSeen * (range.high - range.low);
}

std::vector<std::size_t> peaks_of(const PlotCurve& curve, double period, double least_rise) {
  const Samples samples = finite_samples(curve, period);
  const std::vector<double>& y = samples.y;
  if (y.size() < 3) return {};
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double least = std::max(least_rise, kLeastProminence * (*high - *low));
  const std::vector<double> before = valleys_before(y);
  std::vector<double> after = valleys_before({y.rbegin(), y.rend()});
  std::reverse(after.begin(), after.end());
  std::vector<std::size_t> peaks;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (y[i] <= y[i - 1]) continue;
    std::size_t end = i;
    while (end + 1 < y.size() && y[end + 1] == y[i])
      ++end;
    const bool falls = end + 1 < y.size() && y[end + 1] < y[i];
    if (falls && y[i] - std::max(before[i], after[end]) >= least)
      peaks.push_back(samples.places[(i + end) / 2]);
    i = end;
  }
  std::sort(peaks.begin(), peaks.end());
  return peaks;
}

Table table_of(const Plot& plot) {
  Table table;
  table.columns.push_back(plot.x.text().toStdString());
  const std::size_t columns = plot.curves.size() + 1;
  std::map<double, std::vector<double>> rows;
  for (std::size_t at = 0; at < plot.curves.size(); ++at) {
    const PlotCurve& curve = plot.curves[at];
    table.columns.push_back(curve.name.toStdString());
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.x[i])) continue;
      auto& row = rows[curve.x[i]];
      row.resize(columns, std::numeric_limits<double>::quiet_NaN());
      row[0] = curve.x[i];
      row[at + 1] = curve.y[i];
    }
  }
  for (auto& [x, row] : rows)
    table.rows.push_back(std::move(row));
  return table;
}

}  // namespace seedwave::ui
