// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/object_model.h"

#include <QMenu>
#include <QStringList>

namespace seedwave::ui {

/// The menu in which a user chooses the columns of the table of objects. The choice is stored.
class ObjectColumns : public QMenu {
  Q_OBJECT

 public:
  /// `model` must outlive this.
  explicit ObjectColumns(ObjectModel& model, QWidget* parent = nullptr);

  /// Returns whether the user wants to see a column of the model.
  [[nodiscard]] bool is_shown(int column) const;

 signals:
  void changed();

 private:
  void fill();
  void choose(const QString& id, bool shown);

  ObjectModel& model_;
  QStringList chosen_;  // ids
};

}  // namespace seedwave::ui
