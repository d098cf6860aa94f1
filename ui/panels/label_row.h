// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/session/document.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QToolButton;

namespace seedwave::ui {

class LabelList;

/// A list for a parameter that names a label: the document's labels with their colours, and the
/// word that may stand for all of them.
class LabelRow : public QWidget {
  Q_OBJECT

 public:
  explicit LabelRow(const Parameter& parameter, QWidget* parent = nullptr);

  void set_labels(const std::vector<LabelEntry>& labels);
  /// `set`: the user's value, or nothing. `stands_for`: the value used if nothing is set.
  void show_value(const std::optional<Value>& set, const std::optional<Value>& stands_for);

 signals:
  void changed(const seedwave::Value& value);
  void reset();

 private:
  void fill();

  Parameter parameter_;
  std::vector<LabelEntry> labels_;
  Value shown_;
  LabelList* rows_ = nullptr;
  QComboBox* list_ = nullptr;
  QToolButton* reset_ = nullptr;
};

}  // namespace seedwave::ui
