// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// Scale of an axis; on a logarithmic one all numbers are positive.
enum class PlotScale { Linear, Logarithmic };

/// Quantity and unit of an axis.
struct PlotAxis {
  QString title;
  /// Empty for plain numbers.
  QString unit;
  /// Period of the numbers; 0 if they are not periodic.
  double period = 0.0;
  PlotScale scale = PlotScale::Linear;
  /// A sentence that a reader of the curve must know; may be empty.
  QString note;
  friend bool operator==(const PlotAxis&, const PlotAxis&) = default;

  /// Returns the text of the axis: "Angle (°)".
  [[nodiscard]] QString text() const;
};

/// One curve over x. Non-finite numbers interrupt it.
struct PlotCurve {
  QString name;
  /// The run of the curve.
  std::uint64_t run = 0;
  std::vector<double> x;
  std::vector<double> y;
  /// Curves with the same number have the same colour. Default: the place among all curves.
  std::optional<std::size_t> kind{};
  /// "#rrggbb", the colour of the label that the curve describes; overrides `kind`. May be empty.
  QString color{};
  friend bool operator==(const PlotCurve&, const PlotCurve&) = default;
};

/// A range along an axis.
struct PlotRange {
  double low = 0.0;
  double high = 1.0;
  friend bool operator==(const PlotRange&, const PlotRange&) = default;
};

/// A sample with a mark: the best one has a ring, the one to take a dot.
struct PlotMark {
  enum class Kind { Ring, Dot };
  std::size_t curve = 0;
  std::size_t index = 0;
  Kind kind = Kind::Ring;
  friend bool operator==(const PlotMark&, const PlotMark&) = default;
};

/// Curves over one pair of axes, those of the displayed run first.
struct Plot {
  /// Dense: a line with its peaks. Sparse: a few values that were tried; each is a dot, and none is
  /// a peak.
  enum class Samples { Dense, Sparse };

  PlotAxis x;
  PlotAxis y;
  std::vector<PlotCurve> curves;
  Samples samples = Samples::Dense;
  std::vector<PlotMark> marks;
  /// A highlighted range of x.
  std::optional<PlotRange> shaded;
  friend bool operator==(const Plot&, const Plot&) = default;

  [[nodiscard]] bool empty() const noexcept { return curves.empty(); }
  /// Returns the colour number of a curve without its own colour.
  [[nodiscard]] std::size_t color_of(std::size_t curve) const {
    return curves[curve].kind.value_or(curve);
  }
};

/// Returns the finite extent of the curves along both axes; {0, 1} if there is none. A zero extent
/// is widened.
[[nodiscard]] PlotRange x_range(const Plot& plot);
[[nodiscard]] PlotRange y_range(const Plot& plot);

/// Returns "8e+07" as "8×10⁷"; other texts unchanged.
[[nodiscard]] QString with_power(const QString& number);

/// Returns a number with its unit, to five digits: "37.5°", "12 px", "0.82".
[[nodiscard]] QString number_with_unit(double value, const QString& unit);

/// Returns the prominent local maxima as sample indices, ascending.
///
/// A peak rises by at least a twentieth of the height of the curve above the higher of the two
/// valleys beside it (its prominence). For a plateau, the middle sample is returned. The ends are
/// not peaks, unless x is periodic and the samples span the period: then they are neighbours.
///
/// least_rise: smallest prominence of a peak; see least_rise().
/// Cost: linear. x ascending.
[[nodiscard]] std::vector<std::size_t> peaks_of(const PlotCurve& curve, double period,
                                                double least_rise = 0.0);

/// Returns the smallest visible rise among all curves of a plot: a fiftieth of their extent. A
/// nearly flat curve beside others thus has no peaks.
[[nodiscard]] double least_rise(const Plot& plot);

/// Returns the plot as drawn: on a logarithmic axis, the logarithms to base ten.
[[nodiscard]] Plot placed_on_axes(const Plot& plot);

/// Returns x and every curve as columns named "Angle (°)" and after the curves. There is a row for
/// each x of any curve, ascending, with NaN for missing values.
[[nodiscard]] Table table_of(const Plot& plot);

}  // namespace seedwave::ui
