// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/number_row.h"

#include "ui/panels/reset_button.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <cmath>

namespace seedwave::ui {

namespace {

/// A spin box with a step that depends on the value: five per cent on a logarithmic scale.
class StepSpinBox : public QDoubleSpinBox {
 public:
  StepSpinBox(const ParameterScale& scale, QWidget* parent)
      : QDoubleSpinBox(parent), scale_(scale) {}

  void stepBy(int steps) override { setValue(value() + steps * scale_.step_at(value())); }

 private:
  const ParameterScale& scale_;  // the row's, which owns this
};

QString tip_of(const Parameter& parameter, const QString& unit) {
  QString tip = QString::fromStdString(parameter.help);
  if (!unit.isEmpty()) tip += QStringLiteral(" (%1)").arg(unit);
  return tip;
}

}  // namespace

NumberRow::NumberRow(const Parameter& parameter, const ParameterScale& scale, const QString& unit,
                     QWidget* parent)
    : QWidget(parent), parameter_(parameter), scale_(scale), unit_(unit) {
  build();
}

void NumberRow::build() {
  const QString title = QString::fromStdString(parameter_.title);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setVerticalSpacing(2);

  // The unit of a length depends on the image, so it is visible.
  const bool is_length = parameter_.unit() == kGridLength;
  auto* label = new QLabel(is_length ? tr("%1 (%2)").arg(title, unit_) : title, this);
  layout->addWidget(label, 0, 0);
  layout->setColumnStretch(0, 1);
  if (!parameter_.word().empty()) {
    word_ = new QCheckBox(QString::fromStdString(parameter_.word()), this);
    word_->setObjectName(QString::fromStdString(parameter_.id + "_word"));
    word_->setAccessibleName(tr("%1: %2").arg(title, word_->text()));
    word_->setToolTip(tip_of(parameter_, unit_));
    layout->addWidget(word_, 0, 1);
    connect(word_, &QCheckBox::clicked, this, &NumberRow::on_word_toggled);
  }
  reset_ = make_reset_button(title, this);
  layout->addWidget(reset_, 0, 2);
  connect(reset_, &QToolButton::clicked, this, &NumberRow::reset);

  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setRange(0, ParameterScale::kSliderSteps);
  slider_->setSingleStep(ParameterScale::kSliderSteps / 100);
  slider_->setPageStep(ParameterScale::kSliderSteps / 10);
  slider_->setObjectName(QString::fromStdString(parameter_.id + "_slider"));
  slider_->setAccessibleName(title);
  slider_->setToolTip(tr("%1\nDouble-click to reset").arg(tip_of(parameter_, unit_)));
  slider_->installEventFilter(this);
  layout->addWidget(slider_, 1, 0);
  // One of thousands of integers, such as a label, is typed.
  slider_->setVisible(scale_.fits_a_slider());
  connect(slider_, &QSlider::sliderPressed, this, [this] { dragging_ = false; });
  connect(slider_, &QSlider::valueChanged, this, &NumberRow::on_slider_moved);

  spin_ = new StepSpinBox(scale_, this);
  spin_->setRange(parameter_.numbers()->low, parameter_.numbers()->high);
  spin_->setDecimals(scale_.decimals());
  spin_->setKeyboardTracking(false);
  spin_->setObjectName(QString::fromStdString(parameter_.id + "_value"));
  spin_->setAccessibleName(title);
  spin_->setToolTip(tip_of(parameter_, unit_));
  // All rows have the same width, so that the fields are aligned.
  spin_->setFixedWidth(spin_->fontMetrics().horizontalAdvance(QStringLiteral("00000.00")) + 40);
  // Without a slider everything is in one line.
  if (scale_.fits_a_slider()) {
    layout->addWidget(spin_, 1, 1, 1, 2);
  } else {
    layout->addWidget(spin_, 0, 3);
  }
  label->setBuddy(spin_);
  label->setToolTip(tip_of(parameter_, unit_));
  connect(spin_, &QDoubleSpinBox::valueChanged, this, &NumberRow::on_typed);

  per_label_ = new QLabel(this);
  per_label_->setWordWrap(true);
  per_label_->hide();
  layout->addWidget(per_label_, 2, 0, 1, 3);
}

void NumberRow::show_number(double value) {
  const QSignalBlocker no_slider(slider_);
  const QSignalBlocker no_spin(spin_);
  if (!slider_->isSliderDown()) slider_->setValue(scale_.position(value));
  spin_->setSpecialValueText({});
  spin_->setValue(value);
  slider_->setEnabled(true);
  spin_->setEnabled(true);
}

void NumberRow::show_word(const QString& word) {
  const QSignalBlocker no_slider(slider_);
  const QSignalBlocker no_spin(spin_);
  // A spin box shows its special text instead of its lowest value.
  spin_->setSpecialValueText(word);
  spin_->setValue(spin_->minimum());
  slider_->setValue(slider_->minimum());
  slider_->setEnabled(false);
  spin_->setEnabled(false);
}

void NumberRow::show_value(const std::optional<Value>& set,
                           const std::optional<Value>& stands_for) {
  reset_->setVisible(set.has_value());
  const Value value = set.value_or(parameter_.initial);
  const bool is_word = parameter_.is_word(value);
  if (word_ != nullptr) {
    const QSignalBlocker block(word_);
    word_->setChecked(is_word);
  }
  const Value& shown = is_word && stands_for ? *stands_for : value;
  const auto* text = std::get_if<std::string>(&shown);
  const bool by_label = text != nullptr && !parameter_.is_word(shown);
  per_label_->setVisible(by_label);
  if (by_label) per_label_->setText(tr("by label: %1").arg(QString::fromStdString(*text)));
  if (text == nullptr) {
    show_number(std::get<double>(shown));
  } else {
    show_word(by_label ? tr("by label") : QString::fromStdString(*text));
  }
}

void NumberRow::on_slider_moved(int position) {
  const Gesture gesture = slider_->isSliderDown() && dragging_ ? Gesture::Continued : Gesture::New;
  dragging_ = slider_->isSliderDown();
  emit changed(scale_.value(position), gesture);
}

void NumberRow::on_typed(double value) {
  emit changed(value, Gesture::New);
}

void NumberRow::on_word_toggled(bool checked) {
  // A field that shows the word has no number yet: starts at the middle of the slider.
  const bool has_number = spin_->specialValueText().isEmpty();
  const double number =
      has_number ? spin_->value()
                 : scale_.value(slider_->isHidden() ? 0 : ParameterScale::kSliderSteps / 2);
  emit changed(checked ? Value(parameter_.word()) : Value(number), Gesture::New);
}

bool NumberRow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ && event->type() == QEvent::MouseButtonDblClick) {
    emit reset();
    return true;
  }
  // A wheel over the panel scrolls the panel; it must not change values in passing.
  if (watched == slider_ && event->type() == QEvent::Wheel && !slider_->hasFocus()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace seedwave::ui
