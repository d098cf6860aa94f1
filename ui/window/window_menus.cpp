// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_menus.h"

#include "core/image/label_map.h"
#include "core/image/length_scale.h"
#include "ui/models/fitting_input.h"
#include "ui/models/label_merge.h"
#include "ui/models/label_palette.h"
#include "ui/models/window_presets.h"
#include "ui/panels/about_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/key_sheet.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/slide_pictures_dialog.h"
#include "ui/panels/swatch.h"
#include "ui/panels/theme.h"
#include "ui/window/pointer_readout.h"
#include "ui/window/shown_channels.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QSettings>

#include <algorithm>
#include <iterator>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr const char* kTools[] = {"tool_navigate", "tool_brush",  "tool_eraser",    "tool_window",
                                  "tool_line",     "tool_place",  "tool_edit",      "tool_outline",
                                  "tool_part",     "tool_region", "tool_rectangle", "tool_ellipse"};

// Default limits of RunHistory and ScratchCache, which RunController does not change.
constexpr std::int64_t kHistoryBytes = std::int64_t{512} << 20;
constexpr std::int64_t kCacheBytes = std::int64_t{2} << 30;

QString bindings_key() {
  return QStringLiteral("window/mouse");
}

std::int64_t bytes_of(const LabelMap& labels) {
  return labels.empty() ? 0 : static_cast<std::int64_t>(labels.labels().size_bytes());
}

std::int64_t bytes_of(const Volume& volume) {
  return volume.empty() ? 0 : static_cast<std::int64_t>(volume.bytes().size());
}

std::int64_t bytes_of(const std::vector<ScalarMap>& maps) {
  std::int64_t sum = 0;
  for (const ScalarMap& map : maps)
    sum += bytes_of(map.volume);
  return sum;
}

/// Returns an icon with the first colours of a palette side by side.
QIcon palette_icon(LabelPalette palette) {
  constexpr int kSide = 64;
  constexpr Label kShown = 4;
  QPixmap pixmap(kSide, kSide);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  for (Label i = 0; i < kShown; ++i) {
    const Rgb rgb = color_of(palette, static_cast<Label>(i + 1));
    const int half = kSide / 2;
    painter.fillRect(i % 2 * half, i / 2 * half, half, half, QColor(rgb[0], rgb[1], rgb[2]));
  }
  painter.end();
  return QIcon(pixmap);
}

}  // namespace

WindowMenus::WindowMenus(Actions& actions, Workbench& workbench, const RunController& runs,
                         ViewGrid& views, ShownChannels& channels, QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      views_(views),
      channels_(channels),
      window_(window) {
  submenus_.push_back(&channels_.menu());
  add_window_presets();
  add_magnifications();
  add_mouse_habits();
  add_label_palettes();
  add_appearance();
  add_operations();
  add_panels();
  connect(&views_, &ViewGrid::context_menu_requested, this, &WindowMenus::show_context_menu);
  actions_.on("edit_keys", [this] { edit_keys(); });
  actions_.on("keys", [this] { show_keys(); });
  actions_.on("palette", [this] { show_palette(); });
  actions_.on("memory", [this] { show_memory_use(); });
  actions_.on("slide_pictures", [this] { show_slide_pictures(); });
  connect(&workbench_, &Workbench::image_changed, this, &WindowMenus::offer_slide_pictures);
  offer_slide_pictures();
  actions_.on("about", [this] { show_about(runs_.next().table(), window_); });
}

void WindowMenus::add_window_presets() {
  presets_ = new QMenu(tr("Window presets"), window_);
  actions_.menu(ActionGroup::Display)->insertMenu(actions_.at("window_auto"), presets_);
  connect(presets_, &QMenu::aboutToShow, this, &WindowMenus::fill_window_presets);
  submenus_.push_back(presets_);
}

void WindowMenus::add_magnifications() {
  magnifications_ = new QMenu(tr("Magnification"), window_);
  magnifications_->setToolTipsVisible(true);
  actions_.menu(ActionGroup::View)->insertMenu(actions_.at("centre"), magnifications_);
  submenus_.push_back(magnifications_);
  for (const double times : {1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0}) {
    QAction* action = magnifications_->addAction(tr("Magnification %1\u00d7").arg(times));
    action->setToolTip(tr("One pixel of the screen is %1 µm").arg(kMicrometresAtOne / times));
    connect(action, &QAction::triggered, this, [this, times] { views_.magnify(times); });
  }
  const auto follow = [this] {
    const bool is_slide =
        workbench_.has_image() && micrometres_per_pixel(workbench_.image().geometry()).has_value();
    magnifications_->menuAction()->setVisible(is_slide);
    for (QAction* action : magnifications_->actions())
      action->setEnabled(is_slide);
  };
  connect(&workbench_, &Workbench::image_changed, this, follow);
  follow();
}

void WindowMenus::fill_window_presets() {
  presets_->clear();
  for (const WindowPreset& preset : window_presets(workbench_.opened().loaded.hints)) {
    const QString key = preset.key > 0 ? tr("\tAlt+%1").arg(preset.key) : QString();
    const QString title = tr("%1 (%2 / %3)")
                              .arg(preset.name.isEmpty() ? tr("From the file") : preset.name)
                              .arg(preset.window.width)
                              .arg(preset.window.centre);
    connect(presets_->addAction(title + key), &QAction::triggered, this,
            [this, window = preset.window] { views_.settings().set_window(window); });
  }
  if (presets_->isEmpty()) presets_->addAction(tr("None for this image"))->setEnabled(false);
}

void WindowMenus::add_mouse_habits() {
  QMenu* menu = actions_.menu(ActionGroup::Tool)->addMenu(tr("Mouse bindings"));
  submenus_.push_back(menu);
  auto* group = new QActionGroup(menu);
  const QString saved = QSettings().value(bindings_key()).toString();
  for (const BindingPreset preset : kBindingPresets) {
    QAction* action = menu->addAction(bindings_of(preset).name);
    action->setCheckable(true);
    group->addAction(action);
    mouse_habits_.push_back(action);
    connect(action, &QAction::triggered, this, [this, preset] { choose_mouse(preset); });
  }
  mouse_habits_.front()->setChecked(true);
  for (const BindingPreset preset : kBindingPresets) {
    if (bindings_of(preset).name == saved) choose_mouse(preset);
  }
}

void WindowMenus::choose_mouse(BindingPreset preset) {
  const Bindings bindings = bindings_of(preset);
  QSettings().setValue(bindings_key(), bindings.name);
  views_.settings().set_bindings(bindings);
  for (std::size_t i = 0; i < mouse_habits_.size(); ++i)
    mouse_habits_[i]->setChecked(kBindingPresets[i] == preset);
}

void WindowMenus::edit_keys() {
  BindingPreset mouse = kBindingPresets[0];
  for (const BindingPreset preset : kBindingPresets) {
    if (bindings_of(preset).name == views_.settings().bindings().name) mouse = preset;
  }
  auto* dialog = new KeysDialog(actions_, mouse, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &KeysDialog::mouse_chosen, this, &WindowMenus::choose_mouse);
  dialog->open();
}

void WindowMenus::add_label_palettes() {
  QMenu* labels = actions_.menu(ActionGroup::Label);
  auto* menu = new QMenu(tr("Colours"), window_);
  labels->insertMenu(actions_.at("read_label_table"), menu);
  submenus_.push_back(menu);
  menu->setToolTipsVisible(true);
  std::vector<QAction*> choices;
  for (const LabelPalette palette : kLabelPalettes) {
    QAction* action = menu->addAction(palette_icon(palette), title_of(palette));
    action->setCheckable(true);
    action->setToolTip(tr("Apply these colours to all labels; can be undone"));
    choices.push_back(action);
    connect(action, &QAction::triggered, this, [this, palette] {
      workbench_.steps().set_labels(recoloured(workbench_.document().labels, palette),
                                    tr("colours of labels"));
    });
  }
  connect(menu, &QMenu::aboutToShow, this, [this, choices] {
    const auto& now = workbench_.document().labels;
    const LabelPalette chosen = palette_of(now);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      choices[i]->setChecked(kLabelPalettes[i] == chosen && has_palette(now, chosen));
    }
  });
}

void WindowMenus::add_appearance() {
  QMenu* menu = actions_.menu(ActionGroup::View)->addMenu(tr("Appearance"));
  submenus_.push_back(menu);
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

void WindowMenus::add_operations() {
  for (const Operation& operation : runs_.next().table().operations()) {
    if (!can_be_seen(operation)) continue;
    auto* action = new QAction(QString::fromStdString(operation.title), this);
    action->setStatusTip(QString::fromStdString(operation.help));
    operations_.push_back(action);
    connect(action, &QAction::triggered, this, [this, id = operation.id, title = action->text()] {
      choose_operation(workbench_, runs_, id, title);
    });
  }
}

void WindowMenus::add_panels() {
  panels_ = actions_.menu(ActionGroup::View)->addMenu(tr("Panels"));
  submenus_.push_back(panels_);
}

void WindowMenus::show_context_menu(const QPoint& global) {
  QMenu menu(window_);
  add_merging(menu, views_.pointer().label());
  for (const char* id : kTools)
    menu.addAction(actions_.at(id));
  menu.addSeparator();
  for (const char* id : {"run", "withdraw_last"})
    menu.addAction(actions_.at(id));
  menu.addSeparator();
  for (const char* id :
       {"show_result", "show_seeds", "show_reference", "show_regions", "outline", "show_map"}) {
    menu.addAction(actions_.at(id));
  }
  menu.addSeparator();
  for (const char* id : {"fit", "centre", "crosshair", "layout_four"}) {
    menu.addAction(actions_.at(id));
  }
  if (magnifications_->menuAction()->isVisible()) menu.addMenu(magnifications_);
  if (channels_.menu().menuAction()->isVisible()) menu.addMenu(&channels_.menu());
  menu.addMenu(presets_);
  menu.exec(global);
}

void WindowMenus::add_merging(QMenu& menu, Label label) {
  const std::vector<Label> others = labels_to_merge_into(runs_, label);
  if (others.empty()) return;
  QMenu* into = menu.addMenu(tr("Merge %1 into").arg(runs_.displayed().label_text(label)));
  into->setObjectName(QStringLiteral("merge_into"));
  for (const Label other : others) {
    QAction* merge = into->addAction(runs_.displayed().label_text(other));
    merge->setData(other);
    merge->setIcon(swatch(views_.color_of_result(other)));
    connect(merge, &QAction::triggered, this, [this, label, other] {
      merge_label(workbench_, runs_, label, other);
      if (!runs_.live()) actions_.at("run")->trigger();
    });
  }
  menu.addSeparator();
}

void WindowMenus::show_label_menu(Label label, const QPoint& global) {
  QMenu menu(window_);
  add_merging(menu, label);
  for (const char* id :
       {"label_add", "label_colour", "label_lock", "label_grow", "label_shrink", "label_remove"})
    menu.addAction(actions_.at(id));
  menu.exec(global);
}

void WindowMenus::show_merge_menu(Label label, const QPoint& global) {
  QMenu menu(window_);
  add_merging(menu, label);
  if (!menu.isEmpty()) menu.exec(global);
}

void WindowMenus::show_keys() {
  QString name;
  for (const char* id : kTools) {
    if (actions_.at(id)->isChecked()) name = actions_.at(id)->text();
  }
  auto* sheet = new KeySheet(actions_.keymap(), views_.settings().bindings(),
                             views_.settings().tool(), name, window_);
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  sheet->show();
}

void WindowMenus::show_palette() {
  std::vector<Command> commands;
  for (const ActionSpec& spec : action_table())
    commands.push_back({plain_title(*actions_.at(spec.id)), actions_.at(spec.id)});
  for (QAction* operation : operations_)
    commands.push_back({tr("Operation: %1").arg(operation->text()), operation});
  for (QMenu* menu : submenus_)
    std::ranges::move(commands_in(*menu), std::back_inserter(commands));
  auto* palette = new CommandPalette(std::move(commands), window_);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->open();
}

MemoryUse WindowMenus::memory_use() const {
  const DisplayedResult::Result& shown = runs_.displayed().result();
  const bool has_channel = workbench_.has_image() && workbench_.image().components() == 3;
  MemoryUse use;
  use.parts = {
      {.what = tr("Image"),
       .tip = tr("As loaded; for a colour image also the channel that operations read"),
       .bytes = bytes_of(workbench_.image()) +
                (has_channel ? bytes_of(workbench_.opened().scene.volume) : 0)},
      {.what = tr("Reference"), .tip = {}, .bytes = bytes_of(workbench_.reference().labels)},
      {.what = tr("Result and maps"),
       .tip = tr("Of the displayed run"),
       .bytes = bytes_of(shown.labels) + bytes_of(shown.maps)},
      {.what = tr("History of runs"),
       .tip =
           tr("Compressed results; the oldest are evicted, and recomputed when they are restored"),
       .bytes = static_cast<std::int64_t>(runs_.history().record().bytes()),
       .most_bytes = kHistoryBytes},
      {.what = tr("Cache"),
       .tip = tr("Affinities and prepared images, reused by the next stroke"),
       .bytes = static_cast<std::int64_t>(runs_.cache().bytes()),
       .most_bytes = kCacheBytes}};
  measure_memory(use);
  for (const DeviceInfo& device : runs_.next().table().devices()) {
    use.devices << tr("%1: %2 free of %3")
                       .arg(QString::fromStdString(device.name), bytes_text(device.free_bytes),
                            bytes_text(device.total_bytes));
  }
  return use;
}

void WindowMenus::offer_slide_pictures() {
  const auto& slide = workbench_.opened().loaded.slide;
  actions_.at("slide_pictures")->setEnabled(slide != nullptr && !slide->info().pictures.empty());
}

void WindowMenus::show_slide_pictures() {
  auto* dialog = new SlidePicturesDialog(workbench_.opened().loaded.slide,
                                         actions_.at("color_profile")->isChecked(), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void WindowMenus::show_memory_use() {
  auto* dialog =
      new MemoryDialog([this] { return memory_use(); }, [this] { runs_.cache().clear(); }, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace seedwave::ui
