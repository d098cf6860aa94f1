// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QMenu;

namespace seedwave::ui {

/// What can be done, and how the palette names it.
struct Command {
  QString title;
  QAction* action = nullptr;
};

/// What a menu and its submenus do, in their order; what a submenu does is named after it:
/// "Appearance: Dark". Submenus are filled for it as if they were opened.
[[nodiscard]] std::vector<Command> commands_in(const QMenu& menu);

/// Finds any command by its name: type a part of it, Enter does it. Those that have it in their
/// title come before those that have it in their explanation.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  /// The actions must outlive the dialog.
  explicit CommandPalette(std::vector<Command> commands, QWidget* parent = nullptr);

 protected:
  /// Up and down move in the list while the text keeps the focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const QString& text);
  void add_row(const Command& command);
  void trigger();

  std::vector<Command> commands_;
  QLineEdit* text_ = nullptr;
  QListWidget* list_ = nullptr;
};

/// True when every word of `typed` is in `title`, in any order and case.
[[nodiscard]] bool matches(const QString& title, const QString& typed);

}  // namespace seedwave::ui
