// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/workbench.h"

#include <QFrame>

#include <array>

class QLabel;

namespace seedwave::ui {

/// Three steps for first-time users, with the names of the current labels; closable for now or for
/// ever.
class HintCard : public QFrame {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit HintCard(const Workbench& workbench, QWidget* parent = nullptr);

  /// Returns false once the user has closed it for ever.
  [[nodiscard]] static bool is_wanted();

 signals:
  void closed();

 private:
  void name_labels();

  const Workbench& workbench_;
  std::array<QLabel*, 3> steps_{};
};

}  // namespace seedwave::ui
