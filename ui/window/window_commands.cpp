// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_commands.h"

#include "core/engine/fixed_values.h"
#include "core/image/label_map.h"
#include "ui/models/label_model.h"
#include "ui/models/window_presets.h"
#include "ui/views/slice_view.h"
#include "ui/window/shown_comparison.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QShortcut>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr std::pair<VolumeRendering, const char*> kVolumeActions[] = {
    {VolumeRendering::Off, "volume_off"},
    {VolumeRendering::Ct, "volume_ct"},
    {VolumeRendering::Mr, "volume_mr"}};

/// Returns whether a typed letter selects an entry: a closed list jumps to the entry that begins
/// with it.
bool is_list(const QObject* widget) {
  return qobject_cast<const QComboBox*>(widget) != nullptr;
}

/// Returns whether a widget keeps the keyboard focus after a choice with the mouse or a typed
/// number.
bool keeps_focus(const QWidget* widget) {
  return is_list(widget) || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

bool takes_typing(const QWidget* widget) {
  return widget != nullptr && (widget->testAttribute(Qt::WA_InputMethodEnabled) || is_list(widget));
}

/// Returns whether the key is a character, not a command.
bool is_typed(const QKeyEvent& key) {
  const bool plain = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
  return plain && !key.text().isEmpty() && key.text().front().isPrint();
}

}  // namespace

WindowCommands::WindowCommands(Actions& actions, Workbench& workbench, RunController& runs,
                               ViewGrid& views, LabelModel& labels, ShownChannels& channels,
                               QObject* parent)
    : QObject(parent),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      views_(views),
      settings_(views.settings()),
      comparison_(views.comparison()),
      labels_(labels),
      channels_(channels) {
  connect_views();
  connect_display();
  connect_comparison();
  connect_tools();
  connect_labels();
  connect_runs();
  add_number_keys();
  qApp->installEventFilter(this);
  show_state();
}

void WindowCommands::connect_views() {
  actions_.on("layout_four", [this] { views_.set_layout_kind(ViewLayout::Four); });
  actions_.on("layout_axial", [this] { views_.set_layout_kind(ViewLayout::Axial); });
  actions_.on("layout_coronal", [this] { views_.set_layout_kind(ViewLayout::Coronal); });
  actions_.on("layout_sagittal", [this] { views_.set_layout_kind(ViewLayout::Sagittal); });
  actions_.on("layout_surface", [this] { views_.set_layout_kind(ViewLayout::Surface); });
  actions_.on("fit", [this] { views_.fit(); });
  actions_.on("centre", [this] { views_.centre_on_cursor(); });
  actions_.on("window_auto", [this] { choose_window_preset(0); });
  actions_.on("surface_reset", [this] { views_.surface_view().reset_view(); });
  for (const auto& [rendering, id] : kVolumeActions) {
    actions_.on(id, [this, rendering = rendering] { show_volume(rendering); });
  }
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    offer_volume();
    offer_solid();
  });
  connect(&workbench_, &Workbench::scene_changed, this, &WindowCommands::offer_volume);
  offer_volume();
  actions_.on_switch("surface_planes", [this](bool on) {
    SurfaceDisplay display = views_.surface_view().display();
    display.show_planes = on;
    views_.surface_view().set_display(display);
  });
}

void WindowCommands::connect_display() {
  const auto change = [this](auto member) {
    return [this, member](bool on) {
      DisplayState display = settings_.display();
      member(display, on);
      settings_.set_display(display);
    };
  };
  actions_.on_switch("crosshair", change([](DisplayState& d, bool on) { d.show_crosshair = on; }));
  actions_.on_switch("corner_texts",
                     change([](DisplayState& d, bool on) { d.show_corner_texts = on; }));
  actions_.on_switch("show_patient", change([](DisplayState& d, bool on) { d.show_patient = on; }));
  actions_.on_switch("neurological", change([](DisplayState& d, bool on) {
                       d.convention = on ? Convention::Neurological : Convention::Radiological;
                     }));
  actions_.on_switch("head_foot", change([](DisplayState& d, bool on) {
                       d.head_foot =
                           on ? HeadFootLetters::HeadFoot : HeadFootLetters::SuperiorInferior;
                     }));
  actions_.on_switch("show_result",
                     change([](DisplayState& d, bool on) { d.overlay.show_result = on; }));
  actions_.on_switch("show_seeds",
                     change([](DisplayState& d, bool on) { d.overlay.show_seeds = on; }));
  actions_.on_switch("show_regions",
                     change([](DisplayState& d, bool on) { d.overlay.show_regions = on; }));
  actions_.on_switch("show_reference",
                     change([](DisplayState& d, bool on) { d.overlay.show_reference = on; }));
  actions_.on_switch("outline",
                     change([](DisplayState& d, bool on) { d.overlay.outline_only = on; }));
  actions_.on_switch("show_map", change([](DisplayState& d, bool on) {
                       d.overlay.kind = on ? OverlayKind::Map : OverlayKind::Labels;
                     }));
  actions_.on("turn", [this] {
    DisplayState display = settings_.display();
    display.turn.quarters = (display.turn.quarters + 1) % 4;
    settings_.set_display(display);
  });
  actions_.on_switch("mirror", change([](DisplayState& d, bool on) {
                       // As it is seen: a picture on its side is mirrored along its other axis.
                       if (d.turn.mirrored != on && d.turn.quarters % 2 == 1)
                         d.turn.quarters = (d.turn.quarters + 2) % 4;
                       d.turn.mirrored = on;
                     }));
  actions_.on("opacity_less", [this] { step_opacity(-0.05); });
  actions_.on("opacity_more", [this] { step_opacity(0.05); });
  connect(&settings_, &ViewSettings::display_changed, this, &WindowCommands::show_state);
}

void WindowCommands::connect_comparison() {
  const auto choose = [this](CompareMode mode) {
    return [this, mode](bool) {
      comparison_.set_mode(mode);
      show_comparison();  // the chosen mode stays checked
    };
  };
  actions_.on_switch("compare_difference", choose(CompareMode::Difference));
  actions_.on_switch("compare_wipe", choose(CompareMode::Wipe));
  actions_.on_switch("compare_sides", choose(CompareMode::SideBySide));
  actions_.on_switch("compare_blink", choose(CompareMode::Blink));
  actions_.on("compare_end", [this] { comparison_.end(); });
  actions_.on("compare_keep_a", [this] {
    if (const auto& compared = comparison_.compared()) runs_.restore(compared->a.id);
  });
  connect(&comparison_, &ShownComparison::changed, this, &WindowCommands::show_comparison);
  show_comparison();
}

void WindowCommands::show_comparison() {
  const std::pair<const char*, CompareMode> modes[] = {
      {"compare_difference", CompareMode::Difference},
      {"compare_wipe", CompareMode::Wipe},
      {"compare_sides", CompareMode::SideBySide},
      {"compare_blink", CompareMode::Blink}};
  for (const auto& [id, mode] : modes) {
    actions_.at(id)->setChecked(mode == comparison_.mode());
    actions_.at(id)->setEnabled(comparison_.compared().has_value());
  }
  // Maps have no difference.
  if (const auto& compared = comparison_.compared()) {
    actions_.at("compare_difference")->setEnabled(compared->has_agreement());
  }
  const auto& compared = comparison_.compared();
  actions_.at("compare_end")->setEnabled(compared.has_value());
  for (const char* of_runs : {"compare_swap", "compare_keep_a"})
    actions_.at(of_runs)->setEnabled(compared && !compared->is_with_reference());
}

void WindowCommands::connect_tools() {
  actions_.on("tool_navigate", [this] { settings_.set_tool(Tool::Navigate); });
  actions_.on("tool_brush", [this] { settings_.set_tool(Tool::Brush); });
  actions_.on("tool_eraser", [this] { settings_.set_tool(Tool::Eraser); });
  actions_.on("tool_window", [this] { settings_.set_tool(Tool::WindowLevel); });
  actions_.on("tool_line", [this] { settings_.set_tool(Tool::Line); });
  actions_.on("tool_place", [this] { settings_.set_tool(Tool::Place); });
  actions_.on("tool_edit", [this] { settings_.set_tool(Tool::EditBrush); });
  actions_.on("tool_outline", [this] { settings_.set_tool(Tool::EditOutline); });
  actions_.on("tool_region", [this] { settings_.set_tool(Tool::Region); });
  actions_.on("tool_rectangle", [this] { settings_.set_tool(Tool::RegionRectangle); });
  actions_.on("tool_ellipse", [this] { settings_.set_tool(Tool::RegionEllipse); });
  actions_.on("tool_part", [this] { settings_.set_tool(Tool::EditPart); });
  actions_.on("brush_smaller", [this] { settings_.set_brush(settings_.brush().resized(-1)); });
  actions_.on("brush_larger", [this] { settings_.set_brush(settings_.brush().resized(1)); });
  actions_.on_switch("brush_sphere", [this](bool on) {
    Brush brush = settings_.brush();
    brush.shape = on ? BrushShape::Sphere : BrushShape::Disc;
    settings_.set_brush(brush);
  });
}

void WindowCommands::connect_labels() {
  actions_.on("label_previous", [this] { step_label(-1); });
  actions_.on("label_next", [this] { step_label(1); });
  actions_.on("label_add", [this] { workbench_.steps().add_label(); });
  actions_.on("clear_reference", [this] { workbench_.clear_reference(); });
  actions_.on("withdraw_last", [this] {
    const std::size_t count = workbench_.document().seeds.strokes.size();
    if (count > 0) workbench_.steps().withdraw_strokes({count - 1});
  });
  actions_.on("withdraw_all", [this] {
    std::vector<std::size_t> rows(workbench_.document().seeds.strokes.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = i;
    workbench_.steps().withdraw_strokes(rows);
  });
}

void WindowCommands::connect_runs() {
  QUndoStack& stack = workbench_.steps().undo_stack();
  actions_.on("undo", [&stack] { stack.undo(); });
  actions_.on("redo", [&stack] { stack.redo(); });
  const auto name_undo = [this, &stack] {
    QAction* undo = actions_.at("undo");
    QAction* redo = actions_.at("redo");
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    undo->setText(stack.canUndo() ? tr("Undo: %1").arg(stack.undoText()) : tr("Undo"));
    redo->setText(stack.canRedo() ? tr("Redo: %1").arg(stack.redoText()) : tr("Redo"));
  };
  connect(&stack, &QUndoStack::indexChanged, this, name_undo);
  name_undo();
  actions_.on("run", [this] { runs_.run(); });
  actions_.on_switch("live", [this](bool on) { runs_.set_live(on); });
  actions_.on("cancel", [this] {
    if (!views_.cancel_drawing()) runs_.cancel();
  });
  actions_.on("re_estimate", [this] { runs_.re_estimate(); });
  actions_.on("correct_result", [this] { runs_.correct_result(); });
  actions_.on("search_sigma", [this] { runs_.search_sigma(); });
  const auto enable = [this] {
    const bool has_image = workbench_.has_image();
    const bool has_result = !runs_.displayed().result().labels.empty();
    for (const char* id :
         {"save_session", "save_session_as", "export_seeds", "import_seeds", "import_reference",
          "run", "withdraw_all", "withdraw_last", "read_label_table", "write_label_table"}) {
      actions_.at(id)->setEnabled(has_image);
    }
    actions_.at("re_estimate")
        ->setEnabled(has_image && has_automatic_values(runs_.next().operation()));
    actions_.at("correct_result")->setEnabled(runs_.can_correct_result());
    actions_.at("label_remove")->setEnabled(workbench_.document().labels.size() > 1);
    actions_.at("export_labels")->setEnabled(has_result);
    actions_.at("export_map")->setEnabled(!runs_.displayed().result().maps.empty());
    const bool has_reference = !workbench_.reference().labels.empty();
    actions_.at("clear_reference")->setEnabled(has_reference);
    actions_.at("search_sigma")
        ->setEnabled(has_reference &&
                     runs_.next().operation().find_parameter("sigma_o") != nullptr);
  };
  connect(&workbench_, &Workbench::image_changed, this, enable);
  connect(&workbench_, &Workbench::reference_changed, this, enable);
  connect(&workbench_, &Workbench::part_changed, this, enable);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, enable);
  connect(&runs_.displayed(), &DisplayedResult::maps_changed, this, enable);
  enable();
}

void WindowCommands::add_number_keys() {
  auto* window = qobject_cast<QWidget*>(actions_.parent());
  for (int number = 0; number <= 9; ++number) {
    auto* plain = new QShortcut(QKeySequence(QString::number(number)), window);
    connect(plain, &QShortcut::activated, this, [this, number] { number_pressed(number); });
    if (number == 0) continue;  // Alt+0 is in the table
    auto* preset = new QShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(number)), window);
    connect(preset, &QShortcut::activated, this, [this, number] { choose_window_preset(number); });
  }
}

void WindowCommands::number_pressed(int number) {
  if (settings_.tool() == Tool::WindowLevel) {
    choose_window_preset(number);
  } else if (number == 0) {
    actions_.at("tool_eraser")->trigger();
  } else {
    workbench_.set_current_label(static_cast<Label>(number));
    if (settings_.tool() == Tool::Eraser) actions_.at("tool_brush")->trigger();
  }
}

void WindowCommands::choose_window_preset(int key) {
  if (!workbench_.has_image() || channels_.choose(key)) return;
  if (key == 0) {
    settings_.set_automatic_window();
    return;
  }
  for (const WindowPreset& preset : window_presets(workbench_.opened().loaded.hints)) {
    if (preset.key == key) settings_.set_window(preset.window);
  }
}

void WindowCommands::show_volume(VolumeRendering rendering) {
  SurfaceDisplay display = views_.surface_view().display();
  display.volume = rendering;
  views_.surface_view().set_display(display);
  for (const auto& [each, id] : kVolumeActions)
    actions_.at(id)->setChecked(each == rendering);
}

void WindowCommands::offer_volume() {
  const bool solid = workbench_.has_image() && !workbench_.image().geometry().is_2d();
  // The CT preset requires Hounsfield units.
  const bool is_ct = workbench_.opened().loaded.hints.modality == "CT";
  const VolumeRendering fits = is_ct ? VolumeRendering::Ct : VolumeRendering::Mr;
  for (const auto& [each, id] : kVolumeActions)
    actions_.at(id)->setEnabled(solid && (each == VolumeRendering::Off || each == fits));
  const VolumeRendering now = views_.surface_view().display().volume;
  const bool keeps = solid && (now == VolumeRendering::Off || now == fits);
  show_volume(keeps ? now : VolumeRendering::Off);
}

void WindowCommands::offer_solid() {
  // A 2-D image is one plane without a position in the patient.
  const bool flat = workbench_.has_image() && workbench_.image().geometry().is_2d();
  for (const char* id :
       {"layout_four", "layout_axial", "layout_coronal", "layout_sagittal", "layout_surface",
        "surface_planes", "surface_reset", "neurological", "head_foot"}) {
    actions_.at(id)->setEnabled(!flat);
  }
  for (const char* id : {"turn", "mirror"})
    actions_.at(id)->setEnabled(flat);
}

void WindowCommands::step_label(int step) {
  const int row = labels_.row_of(workbench_.document().current_label);
  const int next = std::clamp(row + step, 0, labels_.rowCount() - 1);
  workbench_.set_current_label(labels_.label_at(next));
}

void WindowCommands::step_opacity(double step) {
  DisplayState display = settings_.display();
  display.overlay.opacity = std::clamp(display.overlay.opacity + step, 0.0, 1.0);
  settings_.set_display(display);
}

void WindowCommands::show_state() {
  const DisplayState& display = settings_.display();
  actions_.at("crosshair")->setChecked(display.show_crosshair);
  actions_.at("corner_texts")->setChecked(display.show_corner_texts);
  actions_.at("show_patient")->setChecked(display.show_patient);
  actions_.at("mirror")->setChecked(display.turn.mirrored);
  actions_.at("neurological")->setChecked(display.convention == Convention::Neurological);
  actions_.at("head_foot")->setChecked(display.head_foot == HeadFootLetters::HeadFoot);
  actions_.at("show_result")->setChecked(display.overlay.show_result);
  actions_.at("show_seeds")->setChecked(display.overlay.show_seeds);
  actions_.at("show_reference")->setChecked(display.overlay.show_reference);
  actions_.at("show_regions")->setChecked(display.overlay.show_regions);
  actions_.at("outline")->setChecked(display.overlay.outline_only);
  actions_.at("show_map")->setChecked(display.overlay.kind == OverlayKind::Map);
  actions_.at("live")->setChecked(runs_.live());
}

bool WindowCommands::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && is_list(watched) &&
      is_typed(*static_cast<QKeyEvent*>(event))) {
    event->accept();  // the list takes precedence while it has the focus
    return true;
  }
  if (event->type() == QEvent::Enter && keeps_focus(QApplication::focusWidget())) {
    // Otherwise the next key, a label or a tool, would go to the list or into the number.
    if (auto* view = qobject_cast<SliceView*>(watched)) view->setFocus(Qt::MouseFocusReason);
  }
  if (event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool held = event->type() == QEvent::KeyPress;
    const bool is_ours =
        (key->key() == Qt::Key_H || (key->key() == Qt::Key_K && comparison_.compared())) &&
        key->modifiers() == Qt::NoModifier && !takes_typing(QApplication::focusWidget());
    if (is_ours) {
      if (key->isAutoRepeat()) return true;
      if (key->key() == Qt::Key_H) {
        settings_.set_overlays_hidden(held);
      } else {
        comparison_.set_other_run_shown(held);
      }
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace seedwave::ui
