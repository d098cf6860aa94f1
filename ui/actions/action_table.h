// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <span>

namespace seedwave::ui {

/// Where an action stands: its menu, its group in the F1 sheet and in the command palette.
enum class ActionGroup { File, Edit, View, Display, Tool, Label, Run, Help };

/// Of the choices of one kind exactly one is on.
enum class ActionKind { Command, Switch, ToolChoice, VolumeChoice };

/// One thing that the user can do in the window. Menus, tool bar, tooltips and the F1 sheet grow
/// from this table, and so does the command palette, but for operations and some submenus.
struct ActionSpec {
  const char* id;
  const char* title;  // translated at use
  const char* keys;   // unless the user chose others; "Ctrl+Y; Ctrl+Shift+Z": the first is shown
  const char* tip;    // one line, with the unit where there is one
  ActionGroup group;
  ActionKind kind = ActionKind::Command;
  const char* icon = "";
  /// A line is drawn above it in its menu.
  bool starts_section = false;
};

/// Every action, in reading order.
[[nodiscard]] std::span<const ActionSpec> action_table();
/// The entry of an id, or null.
[[nodiscard]] const ActionSpec* find_action(const QString& id);

/// A key that a view handles itself, for the F1 sheet.
struct ViewKey {
  const char* keys;
  const char* meaning;
};
[[nodiscard]] std::span<const ViewKey> view_keys();

[[nodiscard]] QString title_of(ActionGroup group);
/// A text of these tables in the user's language.
[[nodiscard]] QString translated(const char* text);

}  // namespace seedwave::ui
