// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/object_bins.h"

#include <QImage>
#include <QPoint>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// A histogram or scatter plot of objects, drawn of counts, so that a million take no longer than
/// ten. The chosen ones are drawn in the colour of a selection. A drag chooses a range or
/// rectangle.
class ObjectPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ObjectPlot(QWidget* parent = nullptr);

  /// `x`, `y`: titles of the axes; a histogram's y axis counts objects.
  void set_bins(ObjectBins bins, const QString& x, const QString& y);
  [[nodiscard]] const ObjectBins& bins() const noexcept { return bins_; }
  /// Returns the place of the axes' area in the widget.
  [[nodiscard]] QRectF area() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  /// The user dragged over these ranges of one column or two; a click gives none.
  void ranges_chosen(const std::vector<seedwave::ColumnRange>& ranges);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF dragged() const;
  void paint_axes(QPainter& painter, const QRectF& area) const;
  void paint_bars(QPainter& painter, const QRectF& area) const;
  void paint_points(QPainter& painter, const QRectF& area) const;
  /// Returns the largest number on the y axis.
  [[nodiscard]] double top() const;

  ObjectBins bins_;
  QString x_title_;
  QString y_title_;
  std::optional<QPoint> pressed_;
  QPoint pointer_;
};

}  // namespace seedwave::ui
