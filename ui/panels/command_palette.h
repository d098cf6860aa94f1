// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QDialog>
#include <QIcon>
#include <QPointer>
#include <QString>

#include <cstddef>
#include <vector>

class QLineEdit;
class QListWidget;
class QMenu;

namespace seedwave::ui {

/// What can be done, and how the palette names it.
struct Command {
  QString title;
  /// A menu may be filled anew at any time, and its actions go.
  QPointer<QAction> action;
};

/// What can be done in a menu, named after it: "Appearance: Dark". Fills it as if it was opened.
[[nodiscard]] std::vector<Command> commands_in(QMenu& menu);
/// An action's title without what marks its letter and its key in a menu.
[[nodiscard]] QString plain_title(const QAction& action);

/// Finds any command by its name: type a part of it, Enter does it. Those that have it in their
/// title come before those that have it in their explanation.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(std::vector<Command> commands, QWidget* parent = nullptr);

 protected:
  /// Up and down move in the list while the text keeps the focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const QString& text);
  void add_row(std::size_t command);
  void trigger();

  std::vector<Command> commands_;
  QIcon blank_;
  QLineEdit* text_ = nullptr;
  QListWidget* list_ = nullptr;
};

/// True when every word of `typed` is in `title`, in any order and case.
[[nodiscard]] bool matches(const QString& title, const QString& typed);

}  // namespace seedwave::ui
