// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/recovery_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QString describe(const Recoverable& left) {
  const auto time = QDateTime::fromString(QString::fromStdString(left.time), Qt::ISODate);
  const QString image = QString::fromStdString(left.image.filename().string());
  return RecoveryDialog::tr("%1: %2, %n stroke(s)\n%3", nullptr, static_cast<int>(left.strokes))
      .arg(QLocale().toString(time.toLocalTime(), QLocale::ShortFormat), image,
           QString::fromStdString(left.image.string()));
}

}  // namespace

RecoveryDialog::RecoveryDialog(const std::vector<Recoverable>& left, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("recovery"));
  setWindowTitle(tr("Recover unsaved work"));
  resize(560, 300);
  auto* layout = new QVBoxLayout(this);
  auto* head = new QLabel(
      tr("Seedwave ended without being closed. This was saved automatically before:"), this);
  head->setWordWrap(true);
  layout->addWidget(head);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Sessions to recover"));
  for (const Recoverable& each : left)
    list_->addItem(describe(each));
  list_->setCurrentRow(0);
  layout->addWidget(list_);
  auto* buttons = new QDialogButtonBox(this);
  auto* recover = buttons->addButton(tr("Recover"), QDialogButtonBox::AcceptRole);
  auto* discard = buttons->addButton(tr("Throw away"), QDialogButtonBox::DestructiveRole);
  auto* later = buttons->addButton(tr("Decide later"), QDialogButtonBox::RejectRole);
  recover->setDefault(true);
  layout->addWidget(buttons);
  connect(recover, &QPushButton::clicked, this, [this] { done(Recover); });
  connect(discard, &QPushButton::clicked, this, [this] { done(Discard); });
  connect(later, &QPushButton::clicked, this, [this] { done(Later); });
}

std::size_t RecoveryDialog::chosen() const {
  return static_cast<std::size_t>(list_->currentRow());
}

}  // namespace seedwave::ui
