// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// The data of a heat map: a figure for each cell of a table.
struct HeatMapData {
  QString x_title;
  QString y_title;  // empty: one row, no y axis
  QString value_title;
  QStringList columns;
  QStringList rows;
  /// Row by row, the first row at the bottom; empty if there is no figure (yet).
  std::vector<std::optional<double>> figures;
  /// The texts of the figures in the cells.
  QStringList texts;
  /// The cells inside an outline, the best one, and the one to take.
  std::vector<std::size_t> outlined;
  std::optional<std::size_t> best;
  std::optional<std::size_t> centre;
  /// A sentence about each cell, for pointer, keyboard and screen readers.
  QStringList sentences;
};

/// A table of figures in colour (viridis), with axes, a colour bar, and an outline around some
/// cells. The best cell has a ring, the one to take a dot.
///
/// Arrow keys move between cells; Enter, Space and a click choose one.
class HeatMap : public QWidget {
  Q_OBJECT

 public:
  explicit HeatMap(QWidget* parent = nullptr);

  void set_data(HeatMapData data);
  [[nodiscard]] const HeatMapData& data() const noexcept { return data_; }
  /// Returns the rectangle of a cell in the widget.
  [[nodiscard]] QRect cell_rect(std::size_t cell) const;
  [[nodiscard]] std::optional<std::size_t> current() const noexcept { return current_; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  /// Emitted with a sentence about the cell under the pointer or keyboard cursor; empty for none.
  void pointed_at(const QString& sentence);
  void chosen(std::size_t cell);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] QRect table_rect() const;
  [[nodiscard]] std::optional<std::size_t> cell_at(const QPoint& at) const;
  [[nodiscard]] std::pair<double, double> range() const;
  void point_at(std::optional<std::size_t> cell);
  void draw_cells(QPainter& painter) const;
  void draw_outline(QPainter& painter) const;
  void draw_marks(QPainter& painter) const;
  void draw_axes(QPainter& painter) const;
  void draw_bar(QPainter& painter) const;

  HeatMapData data_;
  std::optional<std::size_t> current_;
};

}  // namespace seedwave::ui
