// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/image/volume.h"
#include "core/ops/operation.h"
#include "core/session/document.h"
#include "ui/models/workbench.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QAction;
class QToolButton;

namespace seedwave::ui {

/// The row of one parameter in the panel: shows its value, changes it and resets it.
class ParameterRow : public QWidget {
  Q_OBJECT

 public:
  ParameterRow(const Parameter& parameter, QWidget* parent);

  [[nodiscard]] QString title() const { return QString::fromStdString(parameter_.title); }
  /// `set`: the user's value, or nothing. `stands_for`: the value behind the word, once known, or
  /// the one used if nothing is set.
  void show_value(const std::optional<Value>& set, const std::optional<Value>& stands_for);
  /// Sets the labels that a parameter which names a label offers.
  virtual void set_labels(const std::vector<LabelEntry>& /*labels*/) {}

 signals:
  void changed(const seedwave::Value& value, seedwave::ui::Gesture gesture);
  void reset();

 protected:
  [[nodiscard]] const Parameter& parameter() const { return parameter_; }
  /// The dot that is visible if the user changed the value, and resets it. It keeps its space while
  /// hidden, so that rows are aligned. A row places it in its layout.
  [[nodiscard]] QToolButton* reset_button() const { return reset_; }
  /// Names a field for tests (id and suffix) and for screen readers, and explains it.
  void describe(QWidget* field, const char* suffix, const QString& spoken) const;

 private:
  virtual void show_in_fields(const std::optional<Value>& set,
                              const std::optional<Value>& stands_for) = 0;

  Parameter parameter_;
  QToolButton* reset_;
};

/// The image and the actions that rows depend on.
struct RowSettings {
  Geometry grid;              // determines choices and units
  ValueRange range;           // of the image, for sliders in image units
  Histogram histogram;        // of the image, below thresholds; empty: none
  QAction* pick = nullptr;    // picks a place in the view
  QAction* follow = nullptr;  // draws the curve under the pointer; null if there is none
};

/// Returns the row that fits the parameter's domain and role.
[[nodiscard]] ParameterRow* make_parameter_row(const Parameter& parameter,
                                               const RowSettings& settings, QWidget* parent);

}  // namespace seedwave::ui
