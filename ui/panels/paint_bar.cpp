// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/paint_bar.h"

#include "core/image/label_map.h"
#include "core/image/length_scale.h"
#include "ui/panels/label_list.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <cmath>

namespace seedwave::ui {

namespace {

QSlider* slider(QWidget* parent, const QString& name, const QString& tip, int highest) {
  auto* made = new QSlider(Qt::Horizontal, parent);
  made->setRange(0, highest);
  made->setPageStep(highest / 10);
  made->setFixedWidth(120);
  made->setAccessibleName(name);
  made->setToolTip(tip);
  return made;
}

}  // namespace

PaintBar::PaintBar(Workbench& workbench, const PaintBarActions& actions, QWidget* parent)
    : QToolBar(tr("Painting"), parent), workbench_(workbench) {
  setObjectName(QStringLiteral("painting"));
  setMovable(false);
  layout()->setSpacing(6);
  add_label_list();
  addSeparator();
  add_brush_size(actions.sphere);
  addSeparator();
  addWidget(new QLabel(tr("By hand "), this));
  addActions(actions.edit_tools);
  addSeparator();
  add_overlay();
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) fill_labels();
  });
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    fill_labels();
    show_unit();
  });
  connect(&workbench_, &Workbench::current_label_changed, this, &PaintBar::show_current_label);
  fill_labels();
  show_unit();
}

void PaintBar::add_label_list() {
  addWidget(new QLabel(tr(" Paint "), this));
  labels_ = new QComboBox(this);
  labels_->setObjectName(QStringLiteral("paint_label"));
  labels_->setAccessibleName(tr("Label to paint"));
  labels_->setToolTip(tr("Label to paint (keys 1 to 9)"));
  label_list_ = new LabelList(LabelList::Numbers::Shown, this);
  show_label_list(*label_list_, 14, *labels_);
  addWidget(labels_);
  connect(labels_, &QComboBox::activated, this, [this](int row) {
    workbench_.set_current_label(static_cast<Label>(labels_->itemData(row).toUInt()));
  });
}

void PaintBar::add_brush_size(QAction* sphere) {
  addWidget(new QLabel(tr("Radius "), this));
  radius_ = new QDoubleSpinBox(this);
  radius_->setObjectName(QStringLiteral("brush_radius"));
  radius_->setAccessibleName(tr("Brush radius"));
  radius_->setToolTip(tr("Brush radius; keys [ and ], or Shift+wheel"));
  radius_->setDecimals(1);
  radius_->setSingleStep(0.5);
  radius_->setKeyboardTracking(false);
  addWidget(radius_);
  connect(radius_, &QDoubleSpinBox::valueChanged, this,
          [this](double radius) { emit radius_chosen(radius / per_mm_); });
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    auto* button = new QToolButton(this);
    button->setMinimumSize(28, 24);
    addWidget(button);
    sizes_[i] = button;
    connect(button, &QToolButton::clicked, this, [this, i] { emit radius_chosen(offered_mm_[i]); });
  }
  addAction(sphere);
}

void PaintBar::add_overlay() {
  addWidget(new QLabel(tr("Overlay "), this));
  opacity_ = slider(this, tr("Overlay opacity"), tr("Overlay opacity (keys A and D)"), 100);
  opacity_->setObjectName(QStringLiteral("opacity"));
  addWidget(opacity_);
  connect(opacity_, &QSlider::valueChanged, this,
          [this](int value) { emit opacity_chosen(value / 100.0); });
}

void PaintBar::fill_labels() {
  const QSignalBlocker block(labels_);
  label_list_->set_rows(workbench_.document().labels);
  show_current_label();
}

void PaintBar::show_current_label() {
  const QSignalBlocker block(labels_);
  labels_->setCurrentIndex(label_list_->row_of(workbench_.document().current_label));
}

void PaintBar::show_unit() {
  const LengthScale lengths = length_scale(workbench_.image().geometry());
  per_mm_ = lengths.per_unit;
  radius_->setSuffix(QStringLiteral(" ") + QString::fromStdString(lengths.symbol));
}

void PaintBar::show_brush(const Brush& brush) {
  show_unit();
  const QSignalBlocker block(radius_);
  offered_mm_ = brush.sizes.offered_mm;
  radius_->setRange(brush.sizes.smallest_mm * per_mm_, brush.sizes.largest_mm * per_mm_);
  radius_->setValue(brush.radius_mm * per_mm_);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    sizes_[i]->setText(QLocale().toString(offered_mm_[i] * per_mm_, 'g', 3));
    sizes_[i]->setToolTip(tr("Brush radius %1").arg(sizes_[i]->text()));
    sizes_[i]->setAccessibleName(sizes_[i]->toolTip());
  }
}

void PaintBar::show_overlay(const OverlayStyle& overlay) {
  const QSignalBlocker no_opacity(opacity_);
  opacity_->setValue(static_cast<int>(std::lround(overlay.opacity * 100.0)));
}

}  // namespace seedwave::ui
