// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/action_table.h"
#include "ui/actions/keymap.h"

#include <QObject>

#include <functional>
#include <map>
#include <string>

class QAction;
class QActionGroup;
class QMenuBar;
class QMenu;
class QWidget;

namespace seedwave::ui {

/// The actions of the table as QActions of one window.
class Actions : public QObject {
  Q_OBJECT

 public:
  /// Their shortcuts hold in `window`, which owns them.
  explicit Actions(QWidget* window);

  /// The action of an id of the table; it must be one.
  [[nodiscard]] QAction* at(const std::string& id) const;
  /// Calls `act` when the action is triggered.
  void on(const std::string& id, std::function<void()> act);
  /// Calls `act` with the new state when the switch is turned by the user.
  void on_switch(const std::string& id, std::function<void(bool)> act);
  /// Fills the menu bar, a menu a group.
  void fill(QMenuBar& bar);
  [[nodiscard]] QMenu* menu(ActionGroup group) const { return menus_.at(group); }
  [[nodiscard]] const Keymap& keymap() const noexcept { return keymap_; }
  /// Gives an action other keys; its tooltip follows. They are kept in the configuration.
  void set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys);
  void reset_keys(const ActionSpec& spec);
  /// Of all actions.
  void reset_keys();
  /// Draws the icons anew: the palette has changed.
  void refresh_icons();

 private:
  void show_keys(const ActionSpec& spec);

  QWidget* window_;
  Keymap keymap_;
  std::map<ActionKind, QActionGroup*> choices_;
  std::map<std::string, QAction*> actions_;
  std::map<ActionGroup, QMenu*> menus_;
};

}  // namespace seedwave::ui
