// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/picture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace seedwave::ui {

namespace {

constexpr QSize kPreviewSize{420, 300};

}  // namespace

PictureDialog::PictureDialog(Take take, const PictureChoice& choice, bool has_crosshair,
                             QWidget* parent)
    : QDialog(parent), take_(std::move(take)) {
  setObjectName(QStringLiteral("picture"));
  setWindowTitle(tr("Save picture"));
  build(choice, has_crosshair);
  show_preview();
}

void PictureDialog::build(const PictureChoice& choice, bool has_crosshair) {
  auto* layout = new QVBoxLayout(this);
  preview_ = new QLabel(this);
  preview_->setObjectName(QStringLiteral("preview"));
  preview_->setAccessibleName(tr("Preview"));
  preview_->setFixedSize(kPreviewSize);
  preview_->setAlignment(Qt::AlignCenter);
  layout->addWidget(preview_, 0, Qt::AlignHCenter);
  auto* form = new QFormLayout;
  views_ = new QComboBox(this);
  views_->setObjectName(QStringLiteral("views"));
  views_->addItem(tr("All views"), static_cast<int>(PictureViews::All));
  views_->addItem(tr("Active view"), static_cast<int>(PictureViews::Active));
  views_->setCurrentIndex(views_->findData(static_cast<int>(choice.views)));
  form->addRow(tr("Views:"), views_);
  scale_ = new QComboBox(this);
  scale_->setObjectName(QStringLiteral("scale"));
  scale_->addItem(tr("As on screen"), 1);
  scale_->addItem(tr("Twice the screen"), 2);
  scale_->addItem(tr("Four times the screen"), 4);
  scale_->setToolTip(tr("Images, texts and surfaces are drawn again with more pixels"));
  scale_->setCurrentIndex(qMax(0, scale_->findData(choice.scale)));
  size_ = new QLabel(this);
  size_->setObjectName(QStringLiteral("size"));
  auto* resolution = new QHBoxLayout;
  resolution->addWidget(scale_);
  resolution->addWidget(size_, 1);
  form->addRow(tr("Resolution:"), resolution);
  annotations_ = new QCheckBox(tr("Annotations"), this);
  annotations_->setObjectName(QStringLiteral("annotations"));
  annotations_->setToolTip(tr("Texts, letters, scales and the orientation cube"));
  annotations_->setChecked(choice.annotations);
  crosshair_ = new QCheckBox(tr("Crosshair"), this);
  crosshair_->setObjectName(QStringLiteral("crosshair"));
  crosshair_->setChecked(choice.crosshair && has_crosshair);
  crosshair_->setEnabled(has_crosshair);
  auto* content = new QHBoxLayout;
  content->addWidget(annotations_);
  content->addWidget(crosshair_);
  content->addStretch(1);
  form->addRow(tr("Show:"), content);
  layout->addLayout(form);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* save = buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole);
  save->setObjectName(QStringLiteral("save"));
  save->setDefault(true);
  QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copy"));
  copy->setAutoDefault(false);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    accept();
    emit save_wanted(take_(this->choice()));
  });
  connect(copy, &QPushButton::clicked, this, [this] {
    accept();
    emit copy_wanted(take_(this->choice()));
  });
  for (QComboBox* box : {views_, scale_})
    connect(box, &QComboBox::currentIndexChanged, this, &PictureDialog::show_preview);
  for (QCheckBox* box : {annotations_, crosshair_})
    connect(box, &QCheckBox::toggled, this, &PictureDialog::show_preview);
}

PictureChoice PictureDialog::choice() const {
  return {.views = static_cast<PictureViews>(views_->currentData().toInt()),
          .scale = scale_->currentData().toInt(),
          .annotations = annotations_->isChecked(),
          .crosshair = crosshair_->isChecked()};
}

void PictureDialog::show_preview() {
  PictureChoice on_screen = choice();
  const int scale = std::exchange(on_screen.scale, 1);
  const QImage picture = take_(on_screen);
  if (picture.isNull()) return;
  const double ratio = devicePixelRatioF();
  QPixmap small = QPixmap::fromImage(picture.scaled((QSizeF(kPreviewSize) * ratio).toSize(),
                                                    Qt::KeepAspectRatio, Qt::SmoothTransformation));
  small.setDevicePixelRatio(ratio);
  preview_->setPixmap(small);
  size_->setText(tr("%1 x %2 pixels").arg(picture.width() * scale).arg(picture.height() * scale));
}

}  // namespace seedwave::ui
