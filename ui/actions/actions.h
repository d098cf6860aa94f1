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
  /// Shortcuts work in `window`, which owns the actions.
  explicit Actions(QWidget* window);

  /// Returns the action of an id, which must be in the table.
  [[nodiscard]] QAction* at(const std::string& id) const;
  /// Calls `act` when the action is triggered.
  void on(const std::string& id, std::function<void()> act);
  /// Calls `act` with the new state when the user toggles the switch.
  void on_switch(const std::string& id, std::function<void(bool)> act);
  /// Fills the menu bar with one menu for each group.
  void fill(QMenuBar& bar);
  [[nodiscard]] QMenu* menu(ActionGroup group) const { return menus_.at(group); }
  [[nodiscard]] const Keymap& keymap() const noexcept { return keymap_; }
  /// Assigns other keys to an action and updates its tooltip. The configuration stores them.
  void set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys);
  void reset_keys(const ActionSpec& spec);
  /// Resets the keys of all actions.
  void reset_keys();
  /// Redraws the icons after the palette has changed.
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
