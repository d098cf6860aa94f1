// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPixmap>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr int kIconSide = 16;

/// Reserves the space of an icon, so that all titles are aligned.
QIcon blank_icon() {
  QPixmap blank(kIconSide, kIconSide);
  blank.fill(Qt::transparent);
  return QIcon(blank);
}

}  // namespace

std::vector<Command> commands_in(QMenu& menu) {
  emit menu.aboutToShow();
  std::vector<Command> commands;
  for (QAction* action : menu.actions()) {
    // A disabled entry only states that there is none.
    if (action->isSeparator() || !action->isEnabled()) continue;
    commands.push_back(
        {CommandPalette::tr("%1: %2").arg(menu.title(), plain_title(*action)), action});
  }
  return commands;
}

QString plain_title(const QAction& action) {
  return action.text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
}

bool matches(const QString& title, const QString& typed) {
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return title.contains(word, Qt::CaseInsensitive);
  });
}

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent), commands_(std::move(commands)), blank_(blank_icon()) {
  setWindowTitle(tr("Command palette"));
  resize(520, 420);
  auto* layout = new QVBoxLayout(this);
  text_ = new QLineEdit(this);
  text_->setPlaceholderText(tr("Type part of a command's name"));
  text_->setAccessibleName(tr("Command"));
  text_->setClearButtonEnabled(true);
  text_->installEventFilter(this);
  layout->addWidget(text_);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setIconSize({kIconSide, kIconSide});
  layout->addWidget(list_);
  connect(text_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(text_, &QLineEdit::returnPressed, this, &CommandPalette::trigger);
  connect(list_, &QListWidget::itemActivated, this, &CommandPalette::trigger);
  fill({});
}

void CommandPalette::fill(const QString& text) {
  list_->clear();
  std::vector<std::size_t> by_explanation;
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    const Command& command = commands_[i];
    if (command.action == nullptr) continue;
    const QString all = command.title + QLatin1Char(' ') + command.action->statusTip();
    if (matches(command.title, text)) {
      add_row(i);
    } else if (matches(all, text)) {
      by_explanation.push_back(i);
    }
  }
  for (const std::size_t each : by_explanation)
    add_row(each);
  if (list_->count() == 0) {
    auto* none = new QListWidgetItem(blank_, tr("No matching command"), list_);
    none->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(0);
}

void CommandPalette::add_row(std::size_t command) {
  const auto& [title, action] = commands_[command];
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  auto* row = new QListWidgetItem(
      action->icon().isNull() ? blank_ : action->icon(),
      key.isEmpty() ? title : QStringLiteral("%1   (%2)").arg(title, key), list_);
  row->setToolTip(action->statusTip());
  row->setData(Qt::UserRole, QVariant::fromValue(command));
  if (!action->isEnabled()) row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
}

void CommandPalette::trigger() {
  const QListWidgetItem* row = list_->currentItem();
  if (row == nullptr || !row->data(Qt::UserRole).isValid()) return;
  QAction* action = commands_[row->data(Qt::UserRole).value<std::size_t>()].action;
  if (action == nullptr) return;
  accept();
  // The action may open a dialog, so it is triggered after this dialog has closed.
  QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      const int row = list_->currentRow() + (key == Qt::Key_Down ? 1 : -1);
      list_->setCurrentRow(std::clamp(row, 0, list_->count() - 1));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace seedwave::ui
