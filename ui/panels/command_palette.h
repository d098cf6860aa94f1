// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace seedwave::ui {

/// Finds any action by its name: type a part of it, Enter does it.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  /// The actions must outlive the dialog.
  CommandPalette(const QList<QAction*>& actions, QWidget* parent = nullptr);

 protected:
  /// Up and down move in the list while the text keeps the focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const QString& text);
  void trigger();

  QList<QAction*> actions_;
  QLineEdit* text_ = nullptr;
  QListWidget* list_ = nullptr;
};

/// True when every word of `typed` is in `title`, in any order and case.
[[nodiscard]] bool matches(const QString& title, const QString& typed);

}  // namespace seedwave::ui
