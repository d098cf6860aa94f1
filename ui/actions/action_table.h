// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <span>

namespace seedwave::ui {

/// The place of an action: its menu, its group in the F1 sheet and in the command palette.
enum class ActionGroup { File, Edit, View, Display, Tool, Label, Run, Help };

/// The kind of an action. Exactly one choice of each kind is on.
enum class ActionKind { Command, Switch, ToolChoice, VolumeChoice };

/// A command of the window. Menus, tool bar, tooltips and the F1 sheet are built from this table.
/// So is the command palette, except for operations and some submenus.
struct ActionSpec {
  const char* id;
  const char* title;  // translated at use
  const char* keys;   // default keys, "Ctrl+Y; Ctrl+Shift+Z"; the first is shown
  const char* tip;    // one line, with its unit if it has one
  ActionGroup group;
  ActionKind kind = ActionKind::Command;
  const char* icon = "";
  /// Puts a separator above the action in its menu.
  bool starts_section = false;
};

/// Returns every action, in reading order.
[[nodiscard]] std::span<const ActionSpec> action_table();
/// Returns the entry of an id, or null.
[[nodiscard]] const ActionSpec* find_action(const QString& id);

/// A key that a view handles itself, for the F1 sheet.
struct ViewKey {
  const char* keys;
  const char* meaning;
};
[[nodiscard]] std::span<const ViewKey> view_keys();

[[nodiscard]] QString title_of(ActionGroup group);
/// Returns a text of these tables in the user's language.
[[nodiscard]] QString translated(const char* text);

}  // namespace seedwave::ui
