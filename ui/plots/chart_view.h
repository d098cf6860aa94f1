// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/plots/chart_layout.h"
#include "ui/views/vtk_widget.h"

#include <QImage>

#include <memory>
#include <optional>

namespace seedwave::ui {

/// Curves over axes. The pointer reads a curve, the wheel zooms, a drag pans, and a double click
/// shows all. Left, Right and Enter act as pointer and click; with Ctrl they move from peak to
/// peak.
///
/// Peaks are marked on the curves of the shown run. Colours and font are those of the window.
class ChartView : public VtkWidget {
  Q_OBJECT

 public:
  explicit ChartView(QWidget* parent = nullptr);
  ~ChartView() override;

  /// Keeps the displayed range as long as the axes are the same.
  void set_plot(const Plot& plot);
  [[nodiscard]] const Plot& plot() const;
  /// Draws a line at a picked x; nothing removes it.
  void set_picked(std::optional<double> x);
  /// Shows the full extent of the curves.
  void show_whole();
  [[nodiscard]] ChartLayout::View view() const;
  /// Returns the marked peaks of a curve.
  [[nodiscard]] const std::vector<std::size_t>& peaks(std::size_t curve) const;
  /// Returns the position of a sample in logical pixels.
  [[nodiscard]] QPointF position_of(const PlotSample& sample) const;
  /// Returns the chart as it is on screen, without the marks of the pointer.
  [[nodiscard]] QImage picture();

  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void sample_hovered(const seedwave::ui::PlotSample& sample);
  void hover_ended();
  void sample_picked(const seedwave::ui::PlotSample& sample, bool is_peak);

 protected:
  void about_to_draw() override;
  void paint_over(QPainter& painter) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
