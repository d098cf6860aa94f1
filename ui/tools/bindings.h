// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <Qt>

#include <vector>

namespace seedwave::ui {

/// What the left button is for.
enum class Tool { Navigate, Brush, Eraser, WindowLevel, Line, Place };

/// What a drag with a button does.
enum class DragAction {
  None,
  MoveCursor,
  Paint,
  Erase,
  Window,
  WindowFromBox,
  Line,
  PickPlace,
  Pan,
  Zoom
};

/// What a turn of the wheel does.
enum class WheelAction { None, Slice, Zoom, BrushSize };

/// In which tools a binding holds: all of them, or those of painting.
enum class ToolScope { Any, Painting, Navigate, WindowLevel, Line, Place };

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

/// Which vertical drag of the window-level tool is brighter.
enum class LevelDrag { UpIsBrighter, UpIsDarker };
/// Which turn of the wheel goes to the next slice.
enum class WheelDirection { TowardsUserIsNext, AwayIsNext };

/// What mouse and wheel mean, as data: one table for input handling, help sheet and editor.
/// The first drag that fits tool, button and modifiers holds.
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

/// Space held while the button goes down pans in every tool and preset. A pen's eraser end erases
/// where the tool paints.
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
/// What the mouse does in a tool, in reading order: the F1 sheet and the tool's tooltip.
[[nodiscard]] std::vector<GestureHelp> describe_gestures(const Bindings& bindings, Tool tool);

}  // namespace seedwave::ui
