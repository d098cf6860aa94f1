// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/plots/plot_colors.h"

#include <QRectF>

#include <memory>
#include <vector>

class vtkRenderWindow;

namespace seedwave::ui {

/// Position and range of the axes.
struct ChartAxes {
  /// The rectangle between the axes in logical pixels of the widget, y downwards.
  QRectF area;
  PlotRange x;
  PlotRange y;
  /// Positions of grid lines and tick marks.
  std::vector<double> x_marks;
  std::vector<double> y_marks;
};

/// Draws grid, axes, lines and marks of peaks with VTK's charts. The widget draws the texts, in the
/// font of the window.
class ChartPipeline {
 public:
  explicit ChartPipeline(vtkRenderWindow* window);
  ~ChartPipeline();

  /// `peaks`: for each curve, the samples to mark.
  void set_plot(const Plot& plot, const std::vector<std::vector<std::size_t>>& peaks);
  void set_colors(const PlotColors& colors);
  /// `height`: height of the widget. `ratio`: device pixels per logical pixel.
  void set_axes(const ChartAxes& axes, double height, double ratio);

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
