// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace seedwave::ui {

/// A field that takes the next key pressed in it, even if it is a shortcut elsewhere. Tab and
/// Shift+Tab leave the field as usual.
class KeyCapture : public QLineEdit {
  Q_OBJECT

 public:
  explicit KeyCapture(QWidget* parent = nullptr);

 signals:
  void pressed(const QKeySequence& key);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace seedwave::ui
