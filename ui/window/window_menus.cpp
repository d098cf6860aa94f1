// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_menus.h"

#include "ui/models/window_presets.h"
#include "ui/panels/about_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/key_sheet.h"
#include "ui/panels/theme.h"
#include "ui/window/view_grid.h"

#include <QAction>
#include <QActionGroup>
#include <QFile>
#include <QMenu>
#include <QSettings>

namespace seedwave::ui {

namespace {

QString bindings_key() {
  return QStringLiteral("window/mouse");
}

constexpr double kBytesPerMb = 1024.0 * 1024.0;

/// What the process has in memory, as Linux counts it; 0 where that is not known.
double resident_mb() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0.0;
  const QList<QByteArray> fields = file.readAll().split(' ');
  constexpr double kPageBytes = 4096.0;
  return fields.size() < 2 ? 0.0 : fields[1].toDouble() * kPageBytes / kBytesPerMb;
}

}  // namespace

WindowMenus::WindowMenus(Actions& actions, Workbench& workbench, const RunController& runs,
                         ViewGrid& views, QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      views_(views),
      window_(window) {
  add_window_presets();
  add_mouse_habits();
  add_appearance();
  connect(&views_, &ViewGrid::context_menu_requested, this, &WindowMenus::show_context_menu);
  actions_.on("keys", [this] { show_keys(); });
  actions_.on("palette", [this] { show_palette(); });
  actions_.on("memory", [this] { show_memory_use(); });
  actions_.on("about", [this] { show_about(runs_.table(), window_); });
}

void WindowMenus::add_window_presets() {
  presets_ = new QMenu(tr("Window presets"), window_);
  actions_.menu(ActionGroup::Display)->insertMenu(actions_.at("window_auto"), presets_);
  connect(presets_, &QMenu::aboutToShow, this, &WindowMenus::fill_window_presets);
}

void WindowMenus::fill_window_presets() {
  presets_->clear();
  for (const WindowPreset& preset : window_presets(workbench_.hints())) {
    const QString key = preset.key > 0 ? tr("\tAlt+%1").arg(preset.key) : QString();
    const QString title = tr("%1 (%2 / %3)")
                              .arg(preset.name.isEmpty() ? tr("From the file") : preset.name)
                              .arg(preset.window.width)
                              .arg(preset.window.centre);
    connect(presets_->addAction(title + key), &QAction::triggered, this,
            [this, window = preset.window] { views_.set_window(window); });
  }
  if (presets_->isEmpty()) presets_->addAction(tr("None for this image"))->setEnabled(false);
}

void WindowMenus::add_mouse_habits() {
  QMenu* menu = actions_.menu(ActionGroup::Tool)->addMenu(tr("Mouse as in"));
  auto* group = new QActionGroup(menu);
  const QString saved = QSettings().value(bindings_key()).toString();
  for (const BindingPreset preset : kBindingPresets) {
    const Bindings bindings = bindings_of(preset);
    QAction* action = menu->addAction(bindings.name);
    action->setCheckable(true);
    group->addAction(action);
    const bool chosen = bindings.name == saved || (saved.isEmpty() && preset == kBindingPresets[0]);
    action->setChecked(chosen);
    if (chosen) views_.set_bindings(bindings);
    connect(action, &QAction::triggered, this, [this, bindings] {
      QSettings().setValue(bindings_key(), bindings.name);
      views_.set_bindings(bindings);
    });
  }
}

void WindowMenus::add_appearance() {
  QMenu* menu = actions_.menu(ActionGroup::View)->addMenu(tr("Appearance"));
  auto* group = new QActionGroup(menu);
  for (const Theme theme : kThemes) {
    QAction* action = menu->addAction(title_of(theme));
    action->setCheckable(true);
    action->setChecked(theme == saved_theme());
    group->addAction(action);
    connect(action, &QAction::triggered, this, [theme] {
      save_theme(theme);
      apply_theme(theme);
    });
  }
}

void WindowMenus::show_context_menu(const QPoint& global) {
  QMenu menu(window_);
  for (const char* id : {"tool_navigate", "tool_brush", "tool_eraser", "tool_window"}) {
    menu.addAction(actions_.at(id));
  }
  menu.addSeparator();
  for (const char* id : {"run", "withdraw_last"})
    menu.addAction(actions_.at(id));
  menu.addSeparator();
  for (const char* id : {"show_result", "show_seeds", "show_reference", "outline", "strength"}) {
    menu.addAction(actions_.at(id));
  }
  menu.addSeparator();
  for (const char* id : {"fit", "centre", "crosshair", "layout_four"}) {
    menu.addAction(actions_.at(id));
  }
  menu.addMenu(presets_);
  menu.exec(global);
}

void WindowMenus::show_keys() {
  const char* const ids[] = {"tool_navigate", "tool_brush", "tool_eraser", "tool_window"};
  QString name;
  for (const char* id : ids) {
    if (actions_.at(id)->isChecked()) name = actions_.at(id)->text();
  }
  auto* sheet = new KeySheet(views_.bindings(), views_.tool(), name, window_);
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  sheet->show();
}

void WindowMenus::show_palette() {
  QList<QAction*> list;
  for (const ActionSpec& spec : action_table())
    list << actions_.at(spec.id);
  auto* palette = new CommandPalette(list, window_);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->open();
}

void WindowMenus::show_memory_use() {
  const auto mb = [](std::size_t bytes) { return static_cast<double>(bytes) / kBytesPerMb; };
  MemoryUse use;
  if (workbench_.has_image()) use.image_mb = mb(workbench_.image().bytes().size());
  const Shown& shown = runs_.shown();
  if (!shown.labels.empty()) use.result_mb += mb(shown.labels.labels().size_bytes());
  if (!shown.strength.empty()) use.result_mb += mb(shown.strength.bytes().size());
  use.history_mb = mb(runs_.history().bytes());
  use.process_mb = resident_mb();
  show_memory(use, window_);
}

}  // namespace seedwave::ui
