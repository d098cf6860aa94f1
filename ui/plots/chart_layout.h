// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/plots/chart_pipeline.h"
#include "ui/views/axis_ticks.h"

#include <QFontMetricsF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// A sample of a plot.
struct PlotSample {
  std::size_t curve = 0;
  std::size_t index = 0;
  friend bool operator==(const PlotSample&, const PlotSample&) = default;
};

/// The position of every part of a chart, in logical pixels of its widget, y downwards. Plots are
/// given as placed on their axes (placed_on_axes()).
class ChartLayout {
 public:
  /// The displayed part of the plot: its full extent, or less.
  struct View {
    PlotRange x;
    PlotRange y;
    friend bool operator==(const View&, const View&) = default;
  };

  /// The space around texts, and the length of a curve's line in the legend.
  static constexpr double kGap = 4;
  static constexpr double kSwatch = 22;

  ChartLayout() = default;
  ChartLayout(const Plot& plot, const View& view, const QSizeF& size, const QFontMetricsF& font);

  [[nodiscard]] const QRectF& area() const noexcept { return area_; }
  [[nodiscard]] const std::vector<Tick>& x_ticks() const noexcept { return x_ticks_; }
  [[nodiscard]] const std::vector<Tick>& y_ticks() const noexcept { return y_ticks_; }
  /// The place of each curve's name; empty for a single curve.
  struct LegendEntry {
    std::size_t curve = 0;
    QRectF place;
  };
  [[nodiscard]] const std::vector<LegendEntry>& legend() const noexcept { return legend_; }
  /// The number of names without a place, and the place of the text that says so, after the last
  /// name.
  struct LeftOut {
    std::size_t names = 0;
    QRectF place;
    [[nodiscard]] QString text() const;
  };
  [[nodiscard]] const LeftOut& left_out() const noexcept { return left_out_; }
  [[nodiscard]] ChartAxes axes() const;

  [[nodiscard]] QPointF position_of(double x, double y) const;
  /// The values at a position in the widget.
  [[nodiscard]] double x_at(double left) const;
  [[nodiscard]] double y_at(double top) const;
  /// Returns the sample nearest to `place`. Considers, on each curve, the sample inside the axes
  /// that is nearest along x.
  [[nodiscard]] std::optional<PlotSample> nearest(const Plot& plot, const QPointF& place) const;

 private:
  void place_legend(const Plot& plot, const QSizeF& size, const QFontMetricsF& font);
  void tell_left_out(std::size_t names, const QSizeF& size, const QFontMetricsF& font);

  View view_;
  QRectF area_;
  std::vector<Tick> x_ticks_;
  std::vector<Tick> y_ticks_;
  std::vector<LegendEntry> legend_;
  LeftOut left_out_;
};

/// Returns the full extent of a plot with a margin above and below.
[[nodiscard]] ChartLayout::View whole_view(const Plot& plot);
/// Returns `view` zoomed in (factor below 1) or out about a value, clamped to `whole`.
[[nodiscard]] PlotRange zoomed(const PlotRange& view, const PlotRange& whole, double about,
                               double factor);
/// Returns `view` shifted by `by`, clamped to `whole`.
[[nodiscard]] PlotRange moved(const PlotRange& view, const PlotRange& whole, double by);

}  // namespace seedwave::ui
