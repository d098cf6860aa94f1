// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/plots/plot_colors.h"

#include <QRectF>

#include <memory>
#include <vector>

class vtkRenderWindow;

namespace seedwave::ui {

/// Where the axes lie and what they span.
struct ChartAxes {
  /// The rectangle between the axes in logical pixels of the widget, y downwards.
  QRectF area;
  PlotRange x;
  PlotRange y;
  /// Where grid lines and marks are.
  std::vector<double> x_marks;
  std::vector<double> y_marks;
};

/// Grid, axes, lines and marks of peaks through VTK's charts. Texts are the widget's: they have the
/// window's font.
class ChartPipeline {
 public:
  explicit ChartPipeline(vtkRenderWindow* window);
  ~ChartPipeline();

  /// `peaks`: of each curve the samples to be marked.
  void set_plot(const Plot& plot, const std::vector<std::vector<std::size_t>>& peaks);
  void set_colors(const PlotColors& colors);
  /// `height`: of the widget; `ratio`: device pixels a logical one.
  void set_axes(const ChartAxes& axes, double height, double ratio);

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
