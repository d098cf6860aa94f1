// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/keys_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace seedwave::ui {

namespace {

enum KeyColumn { ActionColumn, KeysColumn, KeyColumnCount };

QString title_of(const ActionSpec& spec) {
  return translated(spec.title).remove(QStringLiteral("…"));
}

}  // namespace

KeysDialog::KeysDialog(Actions& actions, BindingPreset mouse, QWidget* parent)
    : QDialog(parent), actions_(actions) {
  setObjectName(QStringLiteral("keys_dialog"));
  setWindowTitle(tr("Keys and mouse"));
  resize(620, 640);
  build();
  const auto* place = std::find(std::begin(kBindingPresets), std::end(kBindingPresets), mouse);
  mouse_->setCurrentIndex(static_cast<int>(place - std::begin(kBindingPresets)));
  fill();
  list_->setCurrentItem(list_->topLevelItem(0)->child(0));
}

void KeysDialog::build() {
  auto* layout = new QVBoxLayout(this);
  auto* mouse_row = new QFormLayout;
  mouse_ = new QComboBox(this);
  mouse_->setObjectName(QStringLiteral("mouse"));
  mouse_->setToolTip(tr("Use the mouse bindings of another program"));
  for (const BindingPreset preset : kBindingPresets)
    mouse_->addItem(bindings_of(preset).name);
  mouse_row->addRow(tr("&Mouse bindings"), mouse_);
  layout->addLayout(mouse_row);
  connect(mouse_, &QComboBox::activated, this,
          [this](int row) { emit mouse_chosen(kBindingPresets[row]); });

  auto* search = new QLineEdit(this);
  search->setObjectName(QStringLiteral("search"));
  search->setAccessibleName(tr("Search"));
  search->setPlaceholderText(tr("Search for an action or a key"));
  search->setClearButtonEnabled(true);
  layout->addWidget(search);
  connect(search, &QLineEdit::textChanged, this, &KeysDialog::filter);

  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("actions"));
  list_->setAccessibleName(tr("Actions and their keys"));
  list_->setColumnCount(KeyColumnCount);
  list_->setHeaderLabels({tr("Action"), tr("Keys")});
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(ActionColumn, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(KeysColumn, QHeaderView::ResizeToContents);
  layout->addWidget(list_, 1);
  connect(list_, &QTreeWidget::currentItemChanged, this, &KeysDialog::show_current);
  connect(list_, &QTreeWidget::itemActivated, this, [this] { capture_->setFocus(); });

  build_editor();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  reset_all_ = buttons->addButton(tr("Reset all"), QDialogButtonBox::ResetRole);
  reset_all_->setObjectName(QStringLiteral("reset_all"));
  reset_all_->setToolTip(tr("Restore the default keys of every action"));
  for (QAbstractButton* button : buttons->buttons())
    static_cast<QPushButton*>(button)->setAutoDefault(false);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(reset_all_, &QPushButton::clicked, this, [this] {
    actions_.reset_keys();
    show_keys();
    show_current();
  });
}

void KeysDialog::build_editor() {
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  title_ = new QLabel(this);
  QFont strong = title_->font();
  strong.setBold(true);
  title_->setFont(strong);
  layout->addWidget(title_);
  auto* row = new QHBoxLayout;
  capture_ = new KeyCapture(this);
  capture_->setObjectName(QStringLiteral("capture"));
  row->addWidget(capture_, 1);
  none_ = new QPushButton(tr("No key"), this);
  none_->setObjectName(QStringLiteral("no_key"));
  none_->setToolTip(tr("The action stays in its menu and in the command palette"));
  reset_ = new QPushButton(tr("Reset"), this);
  reset_->setObjectName(QStringLiteral("reset"));
  reset_->setToolTip(tr("Restore the default keys of the action"));
  take_over_ = new QPushButton(tr("Reassign"), this);
  take_over_->setObjectName(QStringLiteral("take_over"));
  for (QPushButton* button : {none_, reset_, take_over_})
    button->setAutoDefault(false);
  row->addWidget(none_);
  row->addWidget(reset_);
  layout->addLayout(row);
  auto* second = new QHBoxLayout;
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("message"));
  message_->setWordWrap(true);
  second->addWidget(message_, 1);
  second->addWidget(take_over_);
  layout->addLayout(second);
  connect(capture_, &KeyCapture::pressed, this, &KeysDialog::take);
  connect(none_, &QPushButton::clicked, this, [this] {
    if (const ActionSpec* spec = current()) set_keys(*spec, {});
  });
  connect(reset_, &QPushButton::clicked, this, [this] {
    if (const ActionSpec* spec = current()) {
      actions_.reset_keys(*spec);
      show_keys();
      show_current();
    }
  });
  connect(take_over_, &QPushButton::clicked, this, [this] { assign(wanted_); });
}

void KeysDialog::fill() {
  QTreeWidgetItem* parent = nullptr;
  std::optional<ActionGroup> group;
  for (const ActionSpec& spec : action_table()) {
    if (group != spec.group) {
      group = spec.group;
      parent = new QTreeWidgetItem(list_, {ui::title_of(spec.group)});
      parent->setFlags(Qt::ItemIsEnabled);
    }
    auto* row = new QTreeWidgetItem(parent, {title_of(spec)});
    row->setToolTip(ActionColumn, translated(spec.tip));
    row->setData(ActionColumn, Qt::UserRole, QString::fromUtf8(spec.id));
  }
  list_->expandAll();
  show_keys();
}

void KeysDialog::show_keys() {
  for (int g = 0; g < list_->topLevelItemCount(); ++g) {
    const QTreeWidgetItem* group = list_->topLevelItem(g);
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* row = group->child(i);
      const ActionSpec* spec = find_action(row->data(ActionColumn, Qt::UserRole).toString());
      const bool changed = actions_.keymap().is_changed(*spec);
      row->setText(KeysColumn, text_of(actions_.keymap().keys_of(*spec)));
      QFont font = list_->font();
      font.setBold(changed);
      row->setFont(KeysColumn, font);
      row->setToolTip(KeysColumn, changed ? tr("Changed by you") : QString());
    }
  }
  reset_all_->setEnabled(actions_.keymap().is_changed());
}

const ActionSpec* KeysDialog::current() const {
  const QTreeWidgetItem* row = list_->currentItem();
  return row == nullptr ? nullptr : find_action(row->data(ActionColumn, Qt::UserRole).toString());
}

void KeysDialog::show_current() {
  const ActionSpec* spec = current();
  capture_->setEnabled(spec != nullptr);
  none_->setEnabled(spec != nullptr && !actions_.keymap().keys_of(*spec).isEmpty());
  reset_->setEnabled(spec != nullptr && actions_.keymap().is_changed(*spec));
  title_->setText(spec == nullptr ? tr("Choose an action")
                                  : tr("Key of “%1”").arg(title_of(*spec)));
  capture_->setText(spec == nullptr ? QString() : text_of(actions_.keymap().keys_of(*spec)));
  capture_->setAccessibleName(title_->text());
  say(spec == nullptr ? QString() : tr("Click in the field, then press the new key."));
}

void KeysDialog::filter(const QString& text) {
  QTreeWidgetItem* first = nullptr;
  for (int g = 0; g < list_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = list_->topLevelItem(g);
    int seen = 0;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* row = group->child(i);
      const bool fits = row->text(ActionColumn).contains(text, Qt::CaseInsensitive) ||
                        row->text(KeysColumn).contains(text, Qt::CaseInsensitive);
      row->setHidden(!fits);
      seen += fits ? 1 : 0;
      if (fits && first == nullptr) first = row;
    }
    group->setHidden(seen == 0);
  }
  if (first != nullptr) list_->setCurrentItem(first);
}

void KeysDialog::say(const QString& text) {
  message_->setText(text);
  take_over_->hide();
}

void KeysDialog::take(const QKeySequence& key) {
  const ActionSpec* spec = current();
  if (spec == nullptr) return;
  const QString name = key.toString(QKeySequence::NativeText);
  const QString reserved = why_reserved(key);
  if (!reserved.isEmpty()) {
    say(tr("%1 cannot be chosen: %2.").arg(name, reserved));
    return;
  }
  const auto others = actions_.keymap().others_with(key, *spec);
  if (others.empty()) {
    assign(key);
    return;
  }
  wanted_ = key;
  say(tr("%1 is already a key of “%2”. Press Reassign to use it here.")
          .arg(name, title_of(*others.front())));
  capture_->setText(name);
  take_over_->show();
}

void KeysDialog::assign(const QKeySequence& key) {
  const ActionSpec* spec = current();
  if (spec == nullptr) return;
  for (const ActionSpec* other : actions_.keymap().others_with(key, *spec)) {
    QList<QKeySequence> rest = actions_.keymap().keys_of(*other);
    rest.removeAll(key);
    actions_.set_keys(*other, rest);
  }
  set_keys(*spec, {key});
}

void KeysDialog::set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys) {
  actions_.set_keys(spec, keys);
  show_keys();
  show_current();
}

namespace {

bool is_modifier(int key) {
  return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt ||
         key == Qt::Key_Meta || key == Qt::Key_AltGr || key == Qt::Key_CapsLock ||
         key == Qt::Key_unknown || key == 0;
}

/// Shift is kept only with letters and named keys. Shift+8 is "(" on one keyboard and "*" on
/// another, and the character counts.
QKeySequence sequence_of(const QKeyEvent& event) {
  Qt::KeyboardModifiers held = event.modifiers() & ~Qt::KeypadModifier;
  const int key = event.key();
  const bool is_sign = key < Qt::Key_Escape && !QChar(key).isLetter() && key != Qt::Key_Space;
  if (is_sign) held &= ~Qt::ShiftModifier;
  return QKeySequence(QKeyCombination(held, static_cast<Qt::Key>(key)));
}

}  // namespace

KeyCapture::KeyCapture(QWidget* parent) : QLineEdit(parent) {
  setReadOnly(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setPlaceholderText(tr("click here, then press the new key"));
}

bool KeyCapture::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();  // not the shortcut: the key press itself follows
    return true;
  }
  return QLineEdit::event(event);
}

void KeyCapture::keyPressEvent(QKeyEvent* event) {
  event->accept();
  if (is_modifier(event->key())) return;
  emit pressed(sequence_of(*event));
}

}  // namespace seedwave::ui
