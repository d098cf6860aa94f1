// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/workbench.h"
#include "ui/tools/brush.h"
#include "ui/views/slice_state.h"

#include <QList>
#include <QToolBar>

#include <array>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace seedwave::ui {

class LabelList;

/// The window's actions that the bar shows.
struct PaintBarActions {
  QAction* sphere = nullptr;
  QList<QAction*> edit_tools;
};

/// Tool bar for painting and display: label, brush radius with presets, the tools that edit
/// by hand, and overlay opacity.
class PaintBar : public QToolBar {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  PaintBar(Workbench& workbench, const PaintBarActions& actions, QWidget* parent = nullptr);

  void show_brush(const Brush& brush);
  void show_overlay(const OverlayStyle& overlay);

 signals:
  void radius_chosen(double radius_mm);
  void opacity_chosen(double opacity);

 private:
  void add_label_list();
  void add_brush_size(QAction* sphere);
  void add_overlay();
  void fill_labels();
  void show_current_label();
  void show_unit();

  Workbench& workbench_;
  LabelList* label_list_ = nullptr;
  QComboBox* labels_ = nullptr;
  QDoubleSpinBox* radius_ = nullptr;
  /// Those of the brush on this image, and the buttons that offer them.
  std::array<double, 4> offered_mm_{};
  std::array<QToolButton*, 4> sizes_{};
  /// Number of the shown units in a millimetre, or in a pixel.
  double per_mm_ = 1.0;
  QSlider* opacity_ = nullptr;
};

}  // namespace seedwave::ui
