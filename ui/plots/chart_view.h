// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/plots/chart_layout.h"
#include "ui/views/vtk_widget.h"

#include <QImage>

#include <memory>
#include <optional>

namespace seedwave::ui {

/// Curves over axes: read at the pointer, zoomed by the wheel, moved by a drag, whole by a double
/// click. Left, Right and Enter do what pointer and click do; with Ctrl they go from peak to peak.
///
/// Peaks of the shown run's curves are marked. Colours and font are the window's.
class ChartView : public VtkWidget {
  Q_OBJECT

 public:
  explicit ChartView(QWidget* parent = nullptr);
  ~ChartView() override;

  /// Keeps the part that is looked at as long as the axes are the same.
  void set_plot(const Plot& plot);
  [[nodiscard]] const Plot& plot() const;
  /// A line at an x that was picked; nothing takes it away.
  void set_picked(std::optional<double> x);
  /// Shows the curves whole.
  void show_whole();
  [[nodiscard]] ChartLayout::View view() const;
  /// The peaks of a curve, as they are marked.
  [[nodiscard]] const std::vector<std::size_t>& peaks(std::size_t curve) const;
  /// Where a sample is drawn, in logical pixels.
  [[nodiscard]] QPointF position_of(const PlotSample& sample) const;
  /// As it is on screen, without the pointer's marks.
  [[nodiscard]] QImage picture();

  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void sample_hovered(const seedwave::ui::PlotSample& sample);
  void hover_ended();
  void sample_picked(const seedwave::ui::PlotSample& sample, bool is_peak);

 protected:
  void paintGL() override;
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
