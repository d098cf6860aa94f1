// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/autosave.h"

#include <QDialog>

#include <cstddef>
#include <optional>
#include <vector>

class QListWidget;

namespace seedwave::ui {

/// Offers what a crash left behind: recover one, throw it away, or decide later.
class RecoveryDialog : public QDialog {
  Q_OBJECT

 public:
  enum Answer { Later = Rejected, Recover = Accepted, Discard };

  explicit RecoveryDialog(const std::vector<Recoverable>& left, QWidget* parent = nullptr);

  /// The place of the chosen one in the list.
  [[nodiscard]] std::size_t chosen() const;

 private:
  QListWidget* list_ = nullptr;
};

}  // namespace seedwave::ui
