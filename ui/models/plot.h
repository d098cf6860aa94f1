// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// How numbers lie along an axis; on a logarithmic one all are above 0.
enum class PlotScale { Linear, Logarithmic };

/// What the numbers along an axis are.
struct PlotAxis {
  QString title;
  /// "" of plain numbers.
  QString unit;
  /// The numbers begin again after so many; 0: they do not.
  double period = 0.0;
  PlotScale scale = PlotScale::Linear;
  /// A sentence that a reader of the curve must know; "" if there is none.
  QString note;
  friend bool operator==(const PlotAxis&, const PlotAxis&) = default;

  /// "Angle (°)".
  [[nodiscard]] QString text() const;
};

/// One line over x. Numbers that are not finite interrupt it.
struct PlotCurve {
  QString name;
  /// The run that it comes from.
  std::uint64_t run = 0;
  std::vector<double> x;
  std::vector<double> y;
  /// Curves of the same number have the same colour; nothing: that of its place among all.
  std::optional<std::size_t> kind{};
  /// "#rrggbb", of what it is about, a label: before any other. "": none.
  QString color{};
  friend bool operator==(const PlotCurve&, const PlotCurve&) = default;
};

/// From where to where, along an axis.
struct PlotRange {
  double low = 0.0;
  double high = 1.0;
  friend bool operator==(const PlotRange&, const PlotRange&) = default;
};

/// A sample that is more than the others: the best has a ring, the one to take a dot.
struct PlotMark {
  enum class Kind { Ring, Dot };
  std::size_t curve = 0;
  std::size_t index = 0;
  Kind kind = Kind::Ring;
  friend bool operator==(const PlotMark&, const PlotMark&) = default;
};

/// Curves over one pair of axes. The first are those of the run that is shown.
struct Plot {
  /// Dense: a line with its peaks. Sparse: a few values that were tried; each is a dot, and none
  /// is called a peak.
  enum class Samples { Dense, Sparse };

  PlotAxis x;
  PlotAxis y;
  std::vector<PlotCurve> curves;
  Samples samples = Samples::Dense;
  std::vector<PlotMark> marks;
  /// A part of x that stands out.
  std::optional<PlotRange> shaded;
  friend bool operator==(const Plot&, const Plot&) = default;

  [[nodiscard]] bool empty() const noexcept { return curves.empty(); }
  /// The number of a curve's colour, where it has none of its own.
  [[nodiscard]] std::size_t color_of(std::size_t curve) const {
    return curves[curve].kind.value_or(curve);
  }
};

/// The finite extent of the curves along both axes; {0, 1} where there is none, and widened where
/// all numbers are the same.
[[nodiscard]] PlotRange x_range(const Plot& plot);
[[nodiscard]] PlotRange y_range(const Plot& plot);

/// "8e+07" as people write it: "8×10⁷"; other texts as they are.
[[nodiscard]] QString with_power(const QString& number);

/// A number with its unit, to five digits: "37.5°", "12 px", "0.82".
[[nodiscard]] QString number_with_unit(double value, const QString& unit);

/// The samples at local maxima that stand out, ascending.
///
/// A peak must rise by at least a twentieth of the curve's height above the higher of the two
/// valleys beside it (its prominence); of a level top the middle counts. The ends are no peaks,
/// unless x is periodic and the samples go all the way round: then they are neighbours.
///
/// least_rise: nor is a peak what rises by less than this; see least_rise().
/// Cost: linear. x ascending.
[[nodiscard]] std::vector<std::size_t> peaks_of(const PlotCurve& curve, double period,
                                                double least_rise = 0.0);

/// What is seen to rise at all among all curves of a plot: a fiftieth of their extent. Beside
/// others a nearly level curve has no peaks.
[[nodiscard]] double least_rise(const Plot& plot);

/// The plot as it is drawn: along a logarithmic axis the numbers' logarithms to base ten.
[[nodiscard]] Plot placed_on_axes(const Plot& plot);

/// x and every curve as columns, "Angle (°)" and the curves' names; a row for each x that any
/// curve has, ascending, with NaN where one has none.
[[nodiscard]] Table table_of(const Plot& plot);

}  // namespace seedwave::ui
