// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/actions.h"

#include "ui/actions/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <cassert>

namespace seedwave::ui {

namespace {

/// Returns, for example, "Brush (B): paint strokes of the current label".
QString tip_of(const ActionSpec& spec, const QList<QKeySequence>& keys) {
  const QString key =
      keys.isEmpty() ? QString()
                     : QStringLiteral(" (%1)").arg(keys.front().toString(QKeySequence::NativeText));
  return QStringLiteral("%1%2: %3").arg(translated(spec.title), key, translated(spec.tip));
}

}  // namespace

Actions::Actions(QWidget* window) : QObject(window), window_(window) {
  for (const ActionKind kind : {ActionKind::ToolChoice, ActionKind::VolumeChoice}) {
    choices_[kind] = new QActionGroup(this);
  }
  for (const ActionSpec& spec : action_table()) {
    auto* action = new QAction(translated(spec.title), window_);
    action->setObjectName(QString::fromUtf8(spec.id));
    action->setStatusTip(translated(spec.tip));
    action->setCheckable(spec.kind != ActionKind::Command);
    if (const auto choice = choices_.find(spec.kind); choice != choices_.end()) {
      choice->second->addAction(action);
    }
    window_->addAction(action);
    actions_[spec.id] = action;
    show_keys(spec);
  }
  refresh_icons();
}

void Actions::show_keys(const ActionSpec& spec) {
  const QList<QKeySequence> keys = keymap_.keys_of(spec);
  at(spec.id)->setShortcuts(keys);
  at(spec.id)->setToolTip(tip_of(spec, keys));
}

void Actions::set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys) {
  keymap_.set_keys(spec, keys);
  show_keys(spec);
}

void Actions::reset_keys(const ActionSpec& spec) {
  keymap_.reset(spec);
  show_keys(spec);
}

void Actions::reset_keys() {
  keymap_.reset();
  for (const ActionSpec& spec : action_table())
    show_keys(spec);
}

void Actions::refresh_icons() {
  for (const ActionSpec& spec : action_table()) {
    if (*spec.icon != '\0') at(spec.id)->setIcon(make_icon(spec.icon, window_->palette()));
  }
}

QAction* Actions::at(const std::string& id) const {
  const auto found = actions_.find(id);
  assert(found != actions_.end() && "an id of the action table");
  return found->second;
}

void Actions::on(const std::string& id, std::function<void()> act) {
  connect(at(id), &QAction::triggered, this, [act = std::move(act)] { act(); });
}

void Actions::on_switch(const std::string& id, std::function<void(bool)> act) {
  connect(at(id), &QAction::triggered, this, [act = std::move(act)](bool on) { act(on); });
}

void Actions::fill(QMenuBar& bar) {
  for (const ActionSpec& spec : action_table()) {
    QMenu*& menu = menus_[spec.group];
    // The groups have different first letters, so Alt and that letter opens the menu.
    if (menu == nullptr) menu = bar.addMenu(QLatin1Char('&') + title_of(spec.group));
    if (spec.starts_section) menu->addSeparator();
    menu->addAction(at(spec.id));
  }
}

}  // namespace seedwave::ui
