// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/image/volume.h"
#include "core/ops/operation.h"
#include "ui/models/workbench.h"

#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QAction;
class QToolButton;
class QVBoxLayout;

namespace seedwave::ui {

class ParameterRow;
struct RowSettings;

/// The parameters of one operation, generated from its table entry: no operation has its own panel.
/// Rarely changed parameters are under *Advanced*, which can be expanded and shows how many of them
/// were changed.
class ParameterPanel : public QWidget {
  Q_OBJECT

 public:
  /// `pick`, `follow`: the window's actions, as in RowSettings, or null.
  explicit ParameterPanel(QWidget* parent = nullptr, QAction* pick = nullptr,
                          QAction* follow = nullptr);

  /// Creates the rows. `grid`: grid of the image, which determines choices and units. `range`:
  /// value range of the image, for sliders in image units. `histogram`: that of the image, shown
  /// below thresholds.
  void set_operation(const Operation& operation, const Geometry& grid, const ValueRange& range,
                     const Histogram& histogram = {});
  /// `set`: values set by the user. `fixed`: numbers behind words, known since the first run, and
  /// the labels used if the user has chosen none.
  void show_values(const Values& set, const Values& fixed);
  /// Sets the labels offered by parameters that name a label.
  void set_labels(const std::vector<LabelEntry>& labels);

 signals:
  void changed(const std::string& id, const seedwave::Value& value, const QString& title,
               seedwave::ui::Gesture gesture);
  void reset(const std::string& id, const QString& title);
  /// The user wants to sweep this parameter.
  void sweep_wanted(const std::string& id);

 private:
  /// Adds the sweep to the row's context menu.
  void offer_sweep(const Parameter& parameter, const Geometry& grid, QWidget& row);
  void add_row(const Parameter& parameter, const RowSettings& settings);
  void add_advanced();
  void show_advanced(bool open);

  QAction* pick_;
  QAction* follow_;
  QVBoxLayout* layout_;
  QWidget* rows_ = nullptr;
  /// The column for new rows.
  QVBoxLayout* column_ = nullptr;
  QToolButton* advanced_ = nullptr;
  QWidget* advanced_rows_ = nullptr;
  std::vector<std::string> advanced_ids_;
  std::map<std::string, ParameterRow*> by_id_;
};

}  // namespace seedwave::ui
