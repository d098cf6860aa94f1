// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/autosave.h"

#include <QDialog>

#include <cstddef>
#include <optional>
#include <vector>

class QListWidget;

namespace seedwave::ui {

/// Offers the sessions left by a crash: recover one, discard it, or decide later.
class RecoveryDialog : public QDialog {
  Q_OBJECT

 public:
  enum Answer { Later = Rejected, Recover = Accepted, Discard };

  explicit RecoveryDialog(const std::vector<Recoverable>& left, QWidget* parent = nullptr);

  /// Returns the place of the chosen session in the list.
  [[nodiscard]] std::size_t chosen() const;

 private:
  QListWidget* list_ = nullptr;
};

}  // namespace seedwave::ui
