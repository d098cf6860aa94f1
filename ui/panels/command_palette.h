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

/// A command and its name in the palette.
struct Command {
  QString title;
  /// A menu may be refilled at any time, which deletes its actions.
  QPointer<QAction> action;
};

/// Returns the commands of a menu, prefixed with its title: "Appearance: Dark". Fills the menu as
/// if it were opened.
[[nodiscard]] std::vector<Command> commands_in(QMenu& menu);
/// Returns the title of an action without mnemonic and shortcut.
[[nodiscard]] QString plain_title(const QAction& action);

/// Finds any command by its name: the user types a part of it, and Enter triggers it. Matches in
/// titles come before matches in explanations.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(std::vector<Command> commands, QWidget* parent = nullptr);

 protected:
  /// Up and Down move in the list while the text field keeps the focus.
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

/// Returns whether `title` contains every word of `typed`, in any order and case.
[[nodiscard]] bool matches(const QString& title, const QString& typed);

}  // namespace seedwave::ui
