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

/// Where everything of a chart stands, in logical pixels of its widget, y downwards. Plots are
/// given as they are placed on their axes (placed_on_axes()).
class ChartLayout {
 public:
  /// What of the plot is looked at: its own extent, or a part of it.
  struct View {
    PlotRange x;
    PlotRange y;
    friend bool operator==(const View&, const View&) = default;
  };

  /// Space around texts, and the length of a curve's line in the legend.
  static constexpr double kGap = 4;
  static constexpr double kSwatch = 22;

  ChartLayout() = default;
  ChartLayout(const Plot& plot, const View& view, const QSizeF& size, const QFontMetricsF& font);

  [[nodiscard]] const QRectF& area() const noexcept { return area_; }
  [[nodiscard]] const std::vector<Tick>& x_ticks() const noexcept { return x_ticks_; }
  [[nodiscard]] const std::vector<Tick>& y_ticks() const noexcept { return y_ticks_; }
  /// A place for each curve's name; empty of one curve alone.
  struct LegendEntry {
    std::size_t curve = 0;
    QRectF place;
  };
  [[nodiscard]] const std::vector<LegendEntry>& legend() const noexcept { return legend_; }
  /// How many names found none, and where that is told, after the last one that did.
  struct LeftOut {
    std::size_t names = 0;
    QRectF place;
    [[nodiscard]] QString text() const;
  };
  [[nodiscard]] const LeftOut& left_out() const noexcept { return left_out_; }
  [[nodiscard]] ChartAxes axes() const;

  [[nodiscard]] QPointF position_of(double x, double y) const;
  /// The numbers at a place.
  [[nodiscard]] double x_at(double left) const;
  [[nodiscard]] double y_at(double top) const;
  /// Of the samples inside the axes that lie nearest along x on each curve, the one nearest to the
  /// place.
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

/// All of a plot, with some air above and below.
[[nodiscard]] ChartLayout::View whole_view(const Plot& plot);
/// `view` nearer (factor below 1) or farther about a place, not beyond `whole`.
[[nodiscard]] PlotRange zoomed(const PlotRange& view, const PlotRange& whole, double about,
                               double factor);
/// `view` moved, not beyond `whole`.
[[nodiscard]] PlotRange moved(const PlotRange& view, const PlotRange& whole, double by);

}  // namespace seedwave::ui
