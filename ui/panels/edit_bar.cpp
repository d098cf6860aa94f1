// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/edit_bar.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

QDoubleSpinBox* number(const char* name, const QString& text, QWidget* parent) {
  auto* box = new QDoubleSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(text);
  box->setToolTip(text);
  box->setKeyboardTracking(false);
  return box;
}

}  // namespace

EditBar::EditBar(const EditBarActions& actions, QWidget* parent)
    : QToolBar(tr("Editing by hand"), parent) {
  setObjectName(QStringLiteral("editing"));
  setMovable(false);
  layout()->setSpacing(6);
  // Short, beside fields that say what they are about.
  actions.range->setIconText(tr("Only from"));
  actions.invert->setIconText(tr("Inverted"));
  actions.grow->setIconText(tr("Grow"));
  actions.shrink->setIconText(tr("Shrink"));
  addWidget(new QLabel(tr(" Edit "), this));
  addAction(actions.range);
  low_ = number("edit_low", tr("Lowest intensity that is edited"), this);
  high_ = number("edit_high", tr("Highest intensity that is edited"), this);
  addWidget(low_);
  addWidget(new QLabel(tr("to"), this));
  addWidget(high_);
  addAction(actions.invert);
  addSeparator();
  addWidget(new QLabel(tr("Margin "), this));
  margin_ = number("edit_margin", tr("Distance for growing and shrinking"), this);
  margin_->setRange(0.1, 100.0);
  margin_->setDecimals(1);
  margin_->setSingleStep(0.5);
  addWidget(margin_);
  addAction(actions.grow);
  addAction(actions.shrink);
  addSeparator();
  addAction(actions.lock);
  for (QDoubleSpinBox* bound : {low_, high_})
    connect(bound, &QDoubleSpinBox::valueChanged, this, &EditBar::bounds_chosen);
}

void EditBar::set_limits(double lowest, double highest) {
  const double width = highest - lowest;
  const int decimals = width > 0 ? std::clamp(3 - static_cast<int>(std::log10(width)), 0, 6) : 0;
  for (QDoubleSpinBox* bound : {low_, high_}) {
    const QSignalBlocker block(bound);
    bound->setDecimals(width >= 100 ? 0 : decimals);
    bound->setRange(lowest, highest);
    bound->setSingleStep(width >= 100 ? std::max(1.0, std::round(width / 200)) : width / 200);
  }
}

void EditBar::show_range(const EditRange& range) {
  const QSignalBlocker no_low(low_);
  const QSignalBlocker no_high(high_);
  low_->setValue(range.low);
  high_->setValue(range.high);
}

EditRange EditBar::range() const {
  return {.low = std::min(low_->value(), high_->value()),
          .high = std::max(low_->value(), high_->value())};
}

void EditBar::show_unit(const LengthScale& lengths) {
  per_unit_ = lengths.per_unit;
  margin_->setSuffix(QStringLiteral(" ") + QString::fromStdString(lengths.symbol));
}

void EditBar::set_margin(double distance) {
  // Rounded up to the decimals of the field.
  margin_->setValue(std::ceil(distance * per_unit_ * 10.0 - 1e-9) / 10.0);
}

double EditBar::margin() const {
  return margin_->value() / per_unit_;
}

}  // namespace seedwave::ui
