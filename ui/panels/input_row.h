// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;

namespace seedwave::ui {

/// The source of one input of an operation: the open image, nothing, a file, or an output of an
/// earlier run on the same grid.
class InputRow : public QWidget {
  Q_OBJECT

 public:
  explicit InputRow(const InputSpec& input, QWidget* parent = nullptr);

  /// Shows the available sources and the chosen one. Empty: the open image, or none.
  void show_choices(const OperationTable& table, const RunHistory& history, const Geometry& grid,
                    const std::optional<InputChoice>& chosen);
  /// Returns false if there is nothing to choose from yet.
  [[nodiscard]] bool has_choice() const;

 signals:
  void chosen(const std::optional<seedwave::InputChoice>& choice);
  void file_wanted();

 private:
  void on_activated(int row);

  InputSpec input_;
  QComboBox* list_ = nullptr;
  std::vector<InputChoice> offered_;
  int shown_row_ = 0;
};

}  // namespace seedwave::ui
