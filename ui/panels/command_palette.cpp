// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPixmap>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace seedwave::ui {

namespace {

constexpr int kIconSide = 16;

/// Takes an icon's place, so that all titles begin at one line.
QIcon blank_icon() {
  QPixmap blank(kIconSide, kIconSide);
  blank.fill(Qt::transparent);
  return QIcon(blank);
}

}  // namespace

bool matches(const QString& title, const QString& typed) {
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return title.contains(word, Qt::CaseInsensitive);
  });
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), actions_(actions) {
  setWindowTitle(tr("Command palette"));
  resize(520, 420);
  auto* layout = new QVBoxLayout(this);
  text_ = new QLineEdit(this);
  text_->setPlaceholderText(tr("Type a part of a command's name"));
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
  const QIcon blank = blank_icon();
  for (QAction* action : actions_) {
    QString title = action->text();
    title.remove(QLatin1Char('&'));
    const QString tip = action->statusTip();
    if (!matches(title + QLatin1Char(' ') + tip, text)) continue;
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    auto* row = new QListWidgetItem(
        action->icon().isNull() ? blank : action->icon(),
        key.isEmpty() ? title : QStringLiteral("%1   (%2)").arg(title, key), list_);
    row->setToolTip(tip);
    row->setData(Qt::UserRole, QVariant::fromValue(static_cast<QObject*>(action)));
    if (!action->isEnabled()) row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
  }
  if (list_->count() == 0) {
    auto* none = new QListWidgetItem(blank, tr("No command of that name"), list_);
    none->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(0);
}

void CommandPalette::trigger() {
  const QListWidgetItem* row = list_->currentItem();
  if (row == nullptr) return;
  auto* action = qobject_cast<QAction*>(row->data(Qt::UserRole).value<QObject*>());
  if (action == nullptr) return;
  accept();
  // After this dialog is gone: the action may open one of its own.
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
