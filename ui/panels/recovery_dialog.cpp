// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/recovery_dialog.h"

#include "ui/models/session_picture.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

constexpr int kRecoveryPictureSide = 112;

/// Returns "today at 14:32", "yesterday at 9:05", or the date.
QString when(const QDateTime& time) {
  const QString clock = QLocale().toString(time.time(), QLocale::ShortFormat);
  const qint64 days = time.date().daysTo(QDate::currentDate());
  if (days == 0) return RecoveryDialog::tr("today at %1").arg(clock);
  if (days == 1) return RecoveryDialog::tr("yesterday at %1").arg(clock);
  return RecoveryDialog::tr("%1 at %2")
      .arg(QLocale().toString(time.date(), QLocale::LongFormat), clock);
}

QString describe(const Recoverable& left) {
  const auto time = QDateTime::fromString(QString::fromStdString(left.time), Qt::ISODate);
  QStringList parts{RecoveryDialog::tr("saved %1").arg(when(time.toLocalTime()))};
  if (left.strokes > 0) {
    parts << RecoveryDialog::tr("%n stroke(s)", nullptr, static_cast<int>(left.strokes));
  }
  if (left.runs > 0) {
    parts << RecoveryDialog::tr("%n run(s)", nullptr, static_cast<int>(left.runs));
  }
  return RecoveryDialog::tr("%1\n%2\nin %3")
      .arg(QString::fromStdString(left.image.filename().string()), parts.join(QStringLiteral(", ")),
           QString::fromStdString(left.image.parent_path().string()));
}

/// Returns the thumbnail centred in a square, black if there is none, so that the texts are
/// aligned.
QIcon picture_of(const Recoverable& left) {
  QPixmap square(kRecoveryPictureSide, kRecoveryPictureSide);
  square.fill(Qt::black);
  const QImage picture = kept_picture(left.file);
  if (!picture.isNull()) {
    const QImage fitting =
        picture.scaled(square.size(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QPainter painter(&square);
    painter.drawImage((kRecoveryPictureSide - fitting.width()) / 2,
                      (kRecoveryPictureSide - fitting.height()) / 2, fitting);
  }
  QIcon icon(square);
  icon.addPixmap(square, QIcon::Selected);  // prevents the tint of selected rows
  return icon;
}

}  // namespace

RecoveryDialog::RecoveryDialog(const std::vector<Recoverable>& left, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("recovery"));
  setWindowTitle(tr("Recover unsaved work"));
  resize(600, 400);
  auto* layout = new QVBoxLayout(this);
  auto* head =
      new QLabel(tr("Seedwave closed unexpectedly. This work was saved automatically:"), this);
  head->setWordWrap(true);
  layout->addWidget(head);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Sessions to recover"));
  list_->setObjectName(QStringLiteral("left"));
  list_->setIconSize({kRecoveryPictureSide, kRecoveryPictureSide});
  list_->setSpacing(2);
  for (const Recoverable& each : left) {
    auto* row = new QListWidgetItem(picture_of(each), describe(each), list_);
    row->setToolTip(QString::fromStdString(each.image.string()));
  }
  list_->setCurrentRow(0);
  layout->addWidget(list_);
  auto* buttons = new QDialogButtonBox(this);
  auto* recover = buttons->addButton(tr("Recover"), QDialogButtonBox::AcceptRole);
  auto* discard = buttons->addButton(tr("Discard"), QDialogButtonBox::DestructiveRole);
  auto* later = buttons->addButton(tr("Decide later"), QDialogButtonBox::RejectRole);
  recover->setDefault(true);
  layout->addWidget(buttons);
  connect(list_, &QListWidget::itemActivated, this, [this] { done(Recover); });
  connect(recover, &QPushButton::clicked, this, [this] { done(Recover); });
  connect(discard, &QPushButton::clicked, this, [this] { done(Discard); });
  connect(later, &QPushButton::clicked, this, [this] { done(Later); });
}

std::size_t RecoveryDialog::chosen() const {
  return static_cast<std::size_t>(list_->currentRow());
}

}  // namespace seedwave::ui
