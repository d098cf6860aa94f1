// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/bindings.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace seedwave::ui {
namespace {

// Bindings at the end of every preset: painting, the window tool, and the pan and zoom gestures
// that all comparable programs share. Bindings of one preset come before them.
const std::vector<DragBinding> kCommonDrags{
    {ToolScope::Painting, Qt::LeftButton, Qt::NoModifier, DragAction::Paint},
    {ToolScope::Painting, Qt::LeftButton, Qt::ControlModifier, DragAction::Erase},
    {ToolScope::Painting, Qt::RightButton, Qt::NoModifier, DragAction::Erase},
    {ToolScope::Editing, Qt::LeftButton, Qt::AltModifier, DragAction::Free},
    {ToolScope::WindowLevel, Qt::LeftButton, Qt::NoModifier, DragAction::Window},
    {ToolScope::WindowLevel, Qt::LeftButton, Qt::ShiftModifier, DragAction::Window},
    {ToolScope::WindowLevel, Qt::LeftButton, Qt::ControlModifier, DragAction::WindowFromBox},
    {ToolScope::Line, Qt::LeftButton, Qt::NoModifier, DragAction::Line},
    {ToolScope::Line, Qt::LeftButton, Qt::ShiftModifier, DragAction::Line},
    {ToolScope::Place, Qt::LeftButton, Qt::NoModifier, DragAction::PickPlace},
    {ToolScope::Any, Qt::RightButton, Qt::NoModifier, DragAction::Zoom},
    {ToolScope::Any, Qt::MiddleButton, Qt::NoModifier, DragAction::Pan},
    {ToolScope::Any, Qt::LeftButton, Qt::ShiftModifier, DragAction::Pan},
};

const std::vector<WheelBinding> kCommonWheels{
    {Qt::NoModifier, WheelAction::Slice},
    {Qt::ControlModifier, WheelAction::Zoom},
    {Qt::ShiftModifier, WheelAction::BrushSize},
};

Bindings preset_with(const QString& name, std::vector<DragBinding> own) {
  own.insert(own.end(), kCommonDrags.begin(), kCommonDrags.end());
  return {.name = name, .drags = std::move(own), .wheels = kCommonWheels};
}

bool in_scope(ToolScope scope, Tool tool) {
  switch (scope) {
    case ToolScope::Any:
      return true;
    case ToolScope::Painting:
      return tool == Tool::Brush || tool == Tool::Eraser || is_region_tool(tool) ||
             is_edit_tool(tool);
    case ToolScope::Editing:
      return is_edit_tool(tool);
    case ToolScope::Navigate:
      return tool == Tool::Navigate;
    case ToolScope::Line:
      return tool == Tool::Line;
    case ToolScope::Place:
      return tool == Tool::Place;
    case ToolScope::WindowLevel:
      break;
  }
  return tool == Tool::WindowLevel;
}

QString text(const char* source) {
  return QCoreApplication::translate("Gestures", source);
}

QString modifier_text(Qt::KeyboardModifiers modifiers) {
  QString name;
  if (modifiers & Qt::ControlModifier) name += text("Ctrl") + '+';
  if (modifiers & Qt::ShiftModifier) name += text("Shift") + '+';
  if (modifiers & Qt::AltModifier) name += text("Alt") + '+';
  return name;
}

QString gesture_of(const DragBinding& drag) {
  QString button = text("left drag");
  if (drag.button == Qt::RightButton) button = text("right drag");
  if (drag.button == Qt::MiddleButton) button = text("middle drag");
  return modifier_text(drag.modifiers) + button;
}

QString meaning_of(DragAction action) {
  switch (action) {
    case DragAction::None:
      return {};
    case DragAction::MoveCursor:
      return text("Move the crosshair in all views");
    case DragAction::Paint:
      return text("Paint seeds of the current label");
    case DragAction::Erase:
      return text("Erase seeds");
    case DragAction::Free:
      return text("Give voxels back to the result");
    case DragAction::Window:
      return text("Window: right is wider, up is brighter");
    case DragAction::WindowFromBox:
      return text("Window from the intensities in the box");
    case DragAction::Line:
      return text("Draw a line, or move one by its ends or middle");
    case DragAction::PickPlace:
      return text("Pick the place under the pointer");
    case DragAction::Pan:
      return text("Pan the image");
    case DragAction::Zoom:
      break;
  }
  return text("Zoom: up zooms in");
}

/// The meaning of painting and erasing with a tool that edits by hand or draws regions; empty for
/// other tools.
QString meaning_of_edit(DragAction action, Tool tool) {
  const bool paints = action == DragAction::Paint;
  if (!paints && action != DragAction::Erase) return {};
  switch (tool) {
    case Tool::EditBrush:
      return paints ? text("Draw the current label") : text("Draw no label");
    case Tool::EditOutline:
      return paints ? text("Outline, or click corners: the inside gets the current label")
                    : text("The inside gets no label");
    case Tool::Region:
      return paints ? text("Outline, or click corners: a region of the current label")
                    : text("A region without a label");
    case Tool::RegionRectangle:
    case Tool::RegionEllipse:
      return paints ? text("From one corner to the other: a region of the current label")
                    : text("A region without a label");
    case Tool::EditPart:
      return paints ? text("Click a part: it gets the current label")
                    : text("Click a part: it is removed");
    default:
      return {};
  }
}

QString meaning_of(WheelAction action) {
  switch (action) {
    case WheelAction::None:
      return {};
    case WheelAction::Slice:
      return text("Previous and next slice");
    case WheelAction::Zoom:
      return text("Zoom about the pointer");
    case WheelAction::BrushSize:
      break;
  }
  return text("Brush larger and smaller");
}

}  // namespace

Bindings bindings_of(BindingPreset preset) {
  switch (preset) {
    case BindingPreset::Seedwave:
      break;
    case BindingPreset::ItkSnap:
      // Alt+left pans, as do middle and Shift+left in every preset.
      return preset_with(
          QStringLiteral("ITK-SNAP"),
          {{ToolScope::Navigate, Qt::LeftButton, Qt::NoModifier, DragAction::MoveCursor},
           {ToolScope::Any, Qt::LeftButton, Qt::AltModifier, DragAction::Pan}});
    case BindingPreset::Slicer: {
      Bindings bindings = preset_with(
          QStringLiteral("Slicer"),
          {{ToolScope::Navigate, Qt::LeftButton, Qt::NoModifier, DragAction::MoveCursor},
           {ToolScope::Painting, Qt::RightButton, Qt::NoModifier, DragAction::Zoom}});
      bindings.level_drag = LevelDrag::UpIsDarker;
      bindings.wheel_direction = WheelDirection::AwayIsNext;
      return bindings;
    }
    case BindingPreset::PacsViewer:
      return preset_with(
          text("PACS viewer"),
          {{ToolScope::Navigate, Qt::LeftButton, Qt::NoModifier, DragAction::Window},
           {ToolScope::Navigate, Qt::LeftButton, Qt::ControlModifier, DragAction::MoveCursor}});
  }
  return preset_with(QStringLiteral("Seedwave"), {{ToolScope::Navigate, Qt::LeftButton,
                                                   Qt::NoModifier, DragAction::MoveCursor}});
}

DragAction drag_action(const Bindings& bindings, const DragContext& context) {
  if (context.space_held && context.button == Qt::LeftButton) return DragAction::Pan;
  const Qt::KeyboardModifiers modifiers =
      context.modifiers & (Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier);
  for (const DragBinding& drag : bindings.drags) {
    if (drag.button != context.button || drag.modifiers != modifiers) continue;
    if (!in_scope(drag.scope, context.tool)) continue;
    const bool erases = context.tool == Tool::Eraser || context.eraser_end;
    return drag.action == DragAction::Paint && erases ? DragAction::Erase : drag.action;
  }
  return DragAction::None;
}

WheelAction wheel_action(const Bindings& bindings, Qt::KeyboardModifiers modifiers) {
  const Qt::KeyboardModifiers held =
      modifiers & (Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier);
  for (const WheelBinding& wheel : bindings.wheels) {
    if (wheel.modifiers == held) return wheel.action;
  }
  return WheelAction::None;
}

std::vector<GestureHelp> describe_gestures(const Bindings& bindings, Tool tool) {
  std::vector<GestureHelp> lines;
  QStringList seen;
  for (const DragBinding& drag : bindings.drags) {
    const QString gesture = gesture_of(drag);
    // The first binding that matches wins, as in drag_action.
    if (!in_scope(drag.scope, tool) || seen.contains(gesture)) continue;
    seen.append(gesture);
    const DragAction action =
        drag_action(bindings, {.tool = tool, .button = drag.button, .modifiers = drag.modifiers});
    QString meaning = meaning_of_edit(action, tool);
    if (meaning.isEmpty()) meaning = meaning_of(action);
    if (action == DragAction::Window && (drag.modifiers & Qt::ShiftModifier)) {
      meaning = text("Window, ten times finer");
    } else if (action == DragAction::Line && (drag.modifiers & Qt::ShiftModifier)) {
      meaning = text("Draw a line in steps of 15 degrees");
    } else if (action == DragAction::Window && bindings.level_drag == LevelDrag::UpIsDarker) {
      meaning = text("Window: right is wider, up is darker");
    }
    lines.push_back({gesture, meaning});
  }
  lines.push_back({text("Space+left drag"), meaning_of(DragAction::Pan)});
  lines.push_back({text("right click"), text("Menu")});
  if (tool == Tool::Place) lines.push_back({text("click"), meaning_of(DragAction::PickPlace)});
  if (is_outline_tool(tool) && !is_shape_tool(tool))
    lines.push_back({text("double click"), text("Close the outline; Esc removes it")});
  if (tool == Tool::Line) lines.push_back({text("click"), text("Place the line there")});
  if (tool == Tool::Navigate || tool == Tool::WindowLevel) {
    lines.push_back({text("double click"), text("Maximise the view, or restore all views")});
  }
  lines.push_back({text("Shift+move"), text("The crosshair follows in all views")});
  for (const WheelBinding& wheel : bindings.wheels) {
    lines.push_back({modifier_text(wheel.modifiers) + text("wheel"), meaning_of(wheel.action)});
  }
  return lines;
}

}  // namespace seedwave::ui
