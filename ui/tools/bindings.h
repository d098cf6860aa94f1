// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <Qt>

#include <vector>

namespace seedwave::ui {

/// The tool that the left button uses.
enum class Tool {
  Navigate,
  Brush,
  Eraser,
  WindowLevel,
  Line,
  Place,
  Region,
  RegionRectangle,
  RegionEllipse,
  // By hand, in the edits above the results:
  EditBrush,
  EditOutline,
  EditPart
};

/// Returns whether a tool changes the edits.
[[nodiscard]] constexpr bool is_edit_tool(Tool tool) noexcept {
  return tool == Tool::EditBrush || tool == Tool::EditOutline || tool == Tool::EditPart;
}

/// Returns whether a tool draws regions.
[[nodiscard]] constexpr bool is_region_tool(Tool tool) noexcept {
  return tool == Tool::Region || tool == Tool::RegionRectangle || tool == Tool::RegionEllipse;
}

/// Returns whether a drag spans a shape, from one corner to the other.
[[nodiscard]] constexpr bool is_shape_tool(Tool tool) noexcept {
  return tool == Tool::RegionRectangle || tool == Tool::RegionEllipse;
}

/// Returns whether a tool draws outlines.
[[nodiscard]] constexpr bool is_outline_tool(Tool tool) noexcept {
  return tool == Tool::EditOutline || is_region_tool(tool);
}

/// The effect of dragging with a button held.
enum class DragAction {
  None,
  MoveCursor,
  Paint,
  Erase,
  Free,
  Window,
  WindowFromBox,
  Line,
  PickPlace,
  Pan,
  Zoom
};

/// The effect of turning the wheel.
enum class WheelAction { None, Slice, Zoom, BrushSize };

/// The tools in which a binding applies: all of them, those that paint seeds or edits, those that
/// edit, or one tool.
enum class ToolScope { Any, Painting, Editing, Navigate, WindowLevel, Line, Place };

struct DragBinding {
  ToolScope scope = ToolScope::Any;
  Qt::MouseButton button = Qt::LeftButton;
  Qt::KeyboardModifiers modifiers = Qt::NoModifier;
  DragAction action = DragAction::None;
};

struct WheelBinding {
  Qt::KeyboardModifiers modifiers = Qt::NoModifier;
  WheelAction action = WheelAction::None;
};

/// The vertical drag of the window-level tool that makes the image brighter.
enum class LevelDrag { UpIsBrighter, UpIsDarker };
/// The wheel direction that moves to the next slice.
enum class WheelDirection { TowardsUserIsNext, AwayIsNext };

/// Mouse and wheel bindings as data: one table for input handling, help sheet and editor. The first
/// drag that matches tool, button and modifiers wins.
struct Bindings {
  QString name;
  std::vector<DragBinding> drags;
  std::vector<WheelBinding> wheels;
  LevelDrag level_drag = LevelDrag::UpIsBrighter;
  WheelDirection wheel_direction = WheelDirection::TowardsUserIsNext;
};

enum class BindingPreset { Seedwave, ItkSnap, Slicer, PacsViewer };

/// All presets, for a menu.
inline constexpr BindingPreset kBindingPresets[] = {BindingPreset::Seedwave, BindingPreset::ItkSnap,
                                                    BindingPreset::Slicer,
                                                    BindingPreset::PacsViewer};

[[nodiscard]] Bindings bindings_of(BindingPreset preset);

/// If Space is held when the button goes down, the drag pans in every tool and preset. The eraser
/// end of a pen erases where the tool paints.
struct DragContext {
  Tool tool = Tool::Navigate;
  Qt::MouseButton button = Qt::LeftButton;
  Qt::KeyboardModifiers modifiers = Qt::NoModifier;
  bool space_held = false;
  bool eraser_end = false;
};
[[nodiscard]] DragAction drag_action(const Bindings& bindings, const DragContext& context);
[[nodiscard]] WheelAction wheel_action(const Bindings& bindings, Qt::KeyboardModifiers modifiers);

/// One line of the help sheet: "Right drag", "Zoom".
struct GestureHelp {
  QString gesture;
  QString meaning;
};
/// Returns the mouse gestures of a tool in reading order, for the F1 sheet and the tool's tooltip.
[[nodiscard]] std::vector<GestureHelp> describe_gestures(const Bindings& bindings, Tool tool);

}  // namespace seedwave::ui
