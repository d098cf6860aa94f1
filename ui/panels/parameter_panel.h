// SPDX-License-Identifier: Apache-2.0
#pragma once

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

class ChoiceRow;
class DirectionRow;
class LabelRow;
class NumberRow;
class PlaceRow;

/// The parameters of one operation, grown from its table entry: nobody writes a panel for one
/// operation. Those that few change stand under *Advanced*, which opens and closes, and says how
/// many of them were changed.
class ParameterPanel : public QWidget {
  Q_OBJECT

 public:
  /// `pick`, `follow`: as of PlaceRow.
  explicit ParameterPanel(QWidget* parent = nullptr, QAction* pick = nullptr,
                          QAction* follow = nullptr);

  /// Builds the rows. `grid`: of the image, by which choices and units are named. `range`: what the
  /// image holds, for the sliders of image units.
  void set_operation(const Operation& operation, const Geometry& grid, const ValueRange& range);
  /// `set`: what the user set. `fixed`: the numbers that words stand for since the first run.
  /// And the labels that are taken where naming one was left to us.
  void show_values(const Values& set, const Values& fixed);
  /// What parameters that name a label offer.
  void set_labels(const std::vector<LabelEntry>& labels);

 signals:
  void changed(const std::string& id, const seedwave::Value& value, const QString& title,
               seedwave::ui::Gesture gesture);
  void reset(const std::string& id, const QString& title);
  /// Many values of this parameter are to be tried.
  void sweep_wanted(const std::string& id);

 private:
  /// In the row's own menu.
  void offer_sweep(const Parameter& parameter, const Geometry& grid, QWidget& row);
  void add_row(const Parameter& parameter, const Geometry& grid, const ValueRange& range);
  void add_place(const Parameter& parameter, const Geometry& grid);
  void add_advanced();
  void show_advanced(bool open);

  QAction* pick_;
  QAction* follow_;
  bool gives_curve_ = false;
  QVBoxLayout* layout_;
  QWidget* rows_ = nullptr;
  /// The rows that are being added stand here.
  QVBoxLayout* column_ = nullptr;
  QToolButton* advanced_ = nullptr;
  QWidget* advanced_rows_ = nullptr;
  std::vector<std::string> advanced_ids_;
  std::map<std::string, NumberRow*> numbers_;
  std::map<std::string, ChoiceRow*> choices_;
  std::map<std::string, LabelRow*> labels_;
  std::map<std::string, DirectionRow*> directions_;
  std::map<std::string, PlaceRow*> places_;
};

}  // namespace seedwave::ui
