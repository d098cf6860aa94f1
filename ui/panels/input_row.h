// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;

namespace seedwave::ui {

/// Where one input of an operation comes from: the open image, nothing, a file, or an output of an
/// earlier run on the same grid.
class InputRow : public QWidget {
  Q_OBJECT

 public:
  explicit InputRow(const InputSpec& input, QWidget* parent = nullptr);

  /// Offers what there is and shows what is chosen; nothing: the open image, or none.
  void show_choices(const OperationTable& table, const RunHistory& history, const Geometry& grid,
                    const std::optional<InputChoice>& chosen);
  /// False where there is nothing to choose between yet.
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
