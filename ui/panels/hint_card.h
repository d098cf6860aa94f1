// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

namespace seedwave::ui {

/// Three steps for who sees the program for the first time; closable for now or for ever.
class HintCard : public QFrame {
  Q_OBJECT

 public:
  explicit HintCard(QWidget* parent = nullptr);

  /// False once the user has closed it for ever.
  [[nodiscard]] static bool is_wanted();

 signals:
  void closed();
};

}  // namespace seedwave::ui
