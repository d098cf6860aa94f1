// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/surface_dialog.h"

#include "ui/panels/swatch.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QString format_key() {
  return QStringLiteral("surfaces/format");
}

QString shape_key() {
  return QStringLiteral("surfaces/shape");
}

QString files_key() {
  return QStringLiteral("surfaces/file_per_label");
}

}  // namespace

SurfaceDialog::SurfaceDialog(const std::vector<SurfaceRow>& rows, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("surfaces"));
  setWindowTitle(tr("Export surfaces"));
  build(rows);
  connect(labels_, &QListWidget::itemChanged, this, &SurfaceDialog::show_state);
  connect(this, &QDialog::accepted, this, [this] {
    QSettings settings;
    settings.setValue(format_key(), suffix());
    settings.setValue(shape_key(), shape_->currentData());
    settings.setValue(files_key(), files_->isChecked());
  });
  show_state();
}

void SurfaceDialog::build(const std::vector<SurfaceRow>& rows) {
  const QSettings settings;
  auto* layout = new QVBoxLayout(this);
  auto* head = new QLabel(tr("Labels:"), this);
  layout->addWidget(head);
  labels_ = new QListWidget(this);
  labels_->setObjectName(QStringLiteral("labels"));
  labels_->setAccessibleName(tr("Labels"));
  labels_->setUniformItemSizes(true);
  for (const SurfaceRow& row : rows) {
    auto* item = new QListWidgetItem(swatch(row.color), row.text, labels_);
    item->setData(Qt::UserRole, row.label);
    item->setCheckState(row.is_shown ? Qt::Checked : Qt::Unchecked);
  }
  layout->addWidget(labels_, 1);
  auto* checks = new QHBoxLayout;
  for (const bool checked : {true, false}) {
    auto* button = new QPushButton(checked ? tr("Select all") : tr("Select none"), this);
    button->setObjectName(checked ? QStringLiteral("all") : QStringLiteral("none"));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, checked] { check_all(checked); });
    checks->addWidget(button);
  }
  checks->addStretch(1);
  layout->addLayout(checks);
  auto* form = new QFormLayout;
  format_ = new QComboBox(this);
  format_->setObjectName(QStringLiteral("format"));
  format_->addItem(tr("STL"), QStringLiteral(".stl"));
  format_->addItem(tr("PLY, with colours"), QStringLiteral(".ply"));
  format_->setCurrentIndex(qMax(0, format_->findData(settings.value(format_key()))));
  form->addRow(tr("Format:"), format_);
  shape_ = new QComboBox(this);
  shape_->setObjectName(QStringLiteral("shape"));
  shape_->addItem(tr("Smooth, as in the 3-D view"), static_cast<int>(io::SurfaceShape::Smooth));
  shape_->addItem(tr("Faces of the voxels, exact volume"),
                  static_cast<int>(io::SurfaceShape::VoxelFaces));
  shape_->setCurrentIndex(qMax(0, shape_->findData(settings.value(shape_key()))));
  form->addRow(tr("Surface:"), shape_);
  files_ = new QCheckBox(tr("One file per label"), this);
  files_->setObjectName(QStringLiteral("file_per_label"));
  files_->setToolTip(tr("Number and name of the label are appended to the name of the file"));
  files_->setChecked(settings.value(files_key(), true).toBool());
  form->addRow(QString(), files_);
  layout->addLayout(form);
  layout->addWidget(new QLabel(tr("Coordinates: LPS, in millimetres, as in 3D Slicer"), this));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  export_ = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
  export_->setObjectName(QStringLiteral("export"));
  export_->setDefault(true);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void SurfaceDialog::check_all(bool checked) {
  for (int row = 0; row < labels_->count(); ++row)
    labels_->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
}

void SurfaceDialog::show_state() {
  int checked = 0;
  for (int row = 0; row < labels_->count(); ++row)
    checked += labels_->item(row)->checkState() == Qt::Checked ? 1 : 0;
  export_->setEnabled(checked > 0);
  files_->setEnabled(checked > 1);
}

io::SurfaceChoice SurfaceDialog::choice() const {
  io::SurfaceChoice choice;
  choice.shape = static_cast<io::SurfaceShape>(shape_->currentData().toInt());
  for (int row = 0; row < labels_->count(); ++row) {
    const QListWidgetItem* item = labels_->item(row);
    const Label label = item->data(Qt::UserRole).toUInt();
    if (item->checkState() == Qt::Checked && label != 0) choice.labels.push_back(label);
  }
  const bool several = choice.labels.size() > 1 && files_->isChecked();
  choice.files = several ? io::SurfaceFiles::OnePerLabel : io::SurfaceFiles::One;
  return choice;
}

QString SurfaceDialog::suffix() const {
  return format_->currentData().toString();
}

}  // namespace seedwave::ui
