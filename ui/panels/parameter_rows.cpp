// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/parameter_rows.h"

#include "core/ops/direction_text.h"
#include "core/ops/place_text.h"
#include "ui/models/parameter_scale.h"
#include "ui/models/parameter_words.h"
#include "ui/panels/label_list.h"
#include "ui/panels/narrow_list.h"
#include "ui/panels/row_label.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seedwave::ui {

ParameterRow::ParameterRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter), reset_(new QToolButton(this)) {
  reset_->setText(QStringLiteral("●"));
  reset_->setAutoRaise(true);
  reset_->setToolTip(tr("Changed: click to reset to the default"));
  reset_->setAccessibleName(tr("Reset %1").arg(title()));
  QSizePolicy keep = reset_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keep);
  connect(reset_, &QToolButton::clicked, this, &ParameterRow::reset);
}

void ParameterRow::show_value(const std::optional<Value>& set,
                              const std::optional<Value>& stands_for) {
  reset_->setVisible(set.has_value());
  show_in_fields(set, stands_for);
}

void ParameterRow::describe(QWidget* field, const char* suffix, const QString& spoken) const {
  field->setObjectName(QString::fromStdString(parameter_.id) + QLatin1String(suffix));
  field->setAccessibleName(spoken);
  field->setToolTip(QString::fromStdString(parameter_.help));
}

namespace {

// A list: its title, the reset button, and the list at the right edge.

QHBoxLayout* make_list_layout(QComboBox* list, const QString& title, QWidget* row) {
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = make_row_label(title, row);
  label->setBuddy(list);
  label->setToolTip(list->toolTip());
  layout->addWidget(label);
  return layout;
}

/// A list of the options of one parameter. Only options for the dimension of the image are offered.
class ChoiceRow : public ParameterRow {
 public:
  ChoiceRow(const Parameter& parameter, const Geometry& grid, QWidget* parent)
      : ParameterRow(parameter, parent), image_is_2d_(grid.is_2d()), list_(new QComboBox(this)) {
    describe(list_, "_choice", title());
    make_narrow(*list_, 8);
    for (const Choice& choice : *parameter.choices()) {
      const QString name = title_on(choice, grid);
      if (!name.isEmpty()) list_->addItem(name, QString::fromStdString(choice.id));
    }
    // A single option is no choice, but it is shown.
    list_->setEnabled(list_->count() > 1);
    if (list_->count() == 1)
      list_->setToolTip(tr("%1\nThe only option for this image").arg(list_->toolTip()));
    QHBoxLayout* layout = make_list_layout(list_, title(), this);
    layout->addWidget(reset_button());
    layout->addWidget(list_, 1);  // last: aligns its right edge with the fields of the other rows
    connect(list_, &QComboBox::activated, this,
            [this] { emit changed(list_->currentData().toString().toStdString(), Gesture::New); });
  }

 private:
  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& /*stands_for*/) override {
    const Value value = set.value_or(initial_value(parameter(), image_is_2d_));
    const auto* id = std::get_if<std::string>(&value);
    if (id == nullptr) return;
    const QSignalBlocker block(list_);
    // An option that is not offered here is equivalent to the one that is.
    list_->setCurrentIndex(std::max(0, list_->findData(QString::fromStdString(*id))));
  }

  bool image_is_2d_;
  QComboBox* list_;
};

/// A list for a parameter that names a label: the document's labels with their colours, and the
/// word that may stand for all of them.
class LabelRow : public ParameterRow {
 public:
  LabelRow(const Parameter& parameter, QWidget* parent)
      : ParameterRow(parameter, parent),
        shown_(parameter.initial),
        rows_(new LabelList(LabelList::Numbers::Hidden, this)),
        list_(new QComboBox(this)) {
    describe(list_, "_label", title());
    show_label_list(*rows_, 8, *list_);  // long names must not widen the dock
    QHBoxLayout* layout = make_list_layout(list_, title(), this);
    layout->addWidget(reset_button());
    layout->addWidget(list_, 1);
    connect(list_, &QComboBox::activated, this, [this](int row) {
      const QVariant id = list_->itemData(row);
      emit changed(id.isValid() ? Value(id.toDouble()) : Value(this->parameter().word()),
                   Gesture::New);
    });
    fill();
  }

  void set_labels(const std::vector<LabelEntry>& labels) override {
    if (labels == labels_) return;
    labels_ = labels;
    fill();
  }

 private:
  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& stands_for) override {
    shown_ = set ? *set : stands_for.value_or(parameter().initial);
    fill();
  }

  void fill() {
    const QSignalBlocker block(list_);
    const auto* number = std::get_if<double>(&shown_);
    const auto chosen = std::find_if(
        labels_.begin(), labels_.end(),
        [number](const LabelEntry& entry) { return number != nullptr && *number == entry.id; });
    std::vector<LabelList::OtherRow> others;
    // A label of a session may have been removed since.
    if (number != nullptr && chosen == labels_.end())
      others.push_back(
          {.text = *number == 0 ? tr("what has no label") : tr("label %1 (removed)").arg(*number),
           .data = *number});
    if (!parameter().word().empty()) {
      const std::string& word_title = parameter().role_as<NamesLabel>()->word_title;
      others.push_back({});
      others.push_back({.text = QString::fromStdString(word_title), .data = {}});
    }
    rows_->set_rows(labels_, others);
    const auto place =
        static_cast<int>(chosen - labels_.begin());  // also the place of a removed label
    list_->setCurrentIndex(number == nullptr ? rows_->rowCount() - 1 : place);
  }

  std::vector<LabelEntry> labels_;
  Value shown_;
  LabelList* rows_;
  QComboBox* list_;
};

/// A spin box with a step that depends on the value: five per cent on a logarithmic scale.
class StepSpinBox : public QDoubleSpinBox {
 public:
  StepSpinBox(const ParameterScale& scale, QWidget* parent)
      : QDoubleSpinBox(parent), scale_(scale) {}

  void stepBy(int steps) override { setValue(value() + steps * scale_.step_at(value())); }

 private:
  const ParameterScale& scale_;  // the row's, which owns this
};

/// The histogram of the image below the slider of a threshold, on a logarithmic scale. Intensities
/// from the threshold on are in colour.
class HistogramStrip : public QWidget {
 public:
  HistogramStrip(const Histogram& histogram, const ParameterScale& scale, QWidget* parent)
      : QWidget(parent), histogram_(histogram), scale_(scale) {
    constexpr int kHeight = 28;
    setFixedHeight(kHeight);
    below_.reserve(histogram_.counts.size() + 1);
    for (const std::int64_t count : histogram_.counts)
      below_.push_back(below_.back() + static_cast<double>(count));
  }

  /// Nothing: all intensities are in colour.
  void set_threshold(const std::optional<double>& threshold) {
    threshold_ = threshold;
    update();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    // As the middle of the slider's handle moves.
    const int margin = style()->pixelMetric(QStyle::PM_SliderLength) / 2;
    const int columns = width() - 2 * margin;
    if (columns < 2) return;
    const double step = (scale_.high() - scale_.low()) / columns;
    std::vector<double> heights;
    for (int x = 0; x < columns; ++x) {
      const double from = scale_.low() + x * step;
      heights.push_back(std::log1p(count_below(from + step) - count_below(from)));
    }
    const double most = std::max(1.0, *std::max_element(heights.begin(), heights.end()));
    QPainter painter(this);
    for (int x = 0; x < columns; ++x) {
      const bool is_inside = !threshold_ || scale_.low() + (x + 0.5) * step >= *threshold_;
      const int tall = static_cast<int>(std::lround(heights[x] / most * height()));
      painter.fillRect(margin + x, height() - tall, 1, tall,
                       palette().color(is_inside ? QPalette::Highlight : QPalette::Mid));
    }
  }

 private:
  /// Returns the number of voxels below a value, linear within a bin.
  [[nodiscard]] double count_below(double value) const {
    const auto last = static_cast<double>(histogram_.counts.size());
    const double place = std::clamp((value - histogram_.low) / histogram_.bin_width, 0.0, last);
    const auto bin = static_cast<std::size_t>(place);
    if (bin + 1 >= below_.size()) return below_.back();
    return below_[bin] + (place - std::floor(place)) * (below_[bin + 1] - below_[bin]);
  }

  Histogram histogram_;
  const ParameterScale& scale_;  // the row's, which owns this
  /// Number of voxels below each bin, and below the end.
  std::vector<double> below_{0.0};
  std::optional<double> threshold_;
};

/// One number: slider, typed value, and the word that may replace it. A double click on the slider
/// also resets it.
class NumberRow : public ParameterRow {
 public:
  NumberRow(const Parameter& parameter, const RowSettings& settings, QWidget* parent)
      : ParameterRow(parameter, parent), scale_(parameter, settings.range) {
    const QString unit = unit_on(parameter, settings.grid);
    const QString help = QString::fromStdString(parameter.help);
    const QString tip = unit.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, unit);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(0, 1);
    // The unit of a length or size depends on the image, so it is visible.
    const bool depends = parameter.unit() == kGridLength || parameter.unit() == kGridSize;
    auto* label = new QLabel(depends ? tr("%1 (%2)").arg(title(), unit) : title(), this);
    layout->addWidget(label, 0, 0);
    if (!parameter.word().empty()) {
      word_ = new QCheckBox(QString::fromStdString(parameter.word()), this);
      describe(word_, "_word", tr("%1: %2").arg(title(), word_->text()));
      word_->setToolTip(tip);
      layout->addWidget(word_, 0, 1);
      connect(word_, &QCheckBox::clicked, this, &NumberRow::on_word_toggled);
    }
    layout->addWidget(reset_button(), 0, 2);
    make_slider();
    slider_->setToolTip(tr("%1\nDouble-click to reset").arg(tip));
    layout->addWidget(slider_, 1, 0);
    make_spin_box();
    spin_->setToolTip(tip);
    // Without a slider everything is in one line.
    if (scale_.fits_a_slider()) {
      layout->addWidget(spin_, 1, 1, 1, 2);
    } else {
      layout->addWidget(spin_, 0, 3);
    }
    if (parameter.role_as<StartsAtOtsu>() != nullptr && scale_.fits_a_slider())
      add_histogram(settings.histogram, *layout);
    label->setBuddy(spin_);
    label->setToolTip(tip);
    per_label_ = new QLabel(this);
    per_label_->setWordWrap(true);
    per_label_->hide();
    layout->addWidget(per_label_, 2, 0, 1, 3);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
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

 private:
  void add_histogram(const Histogram& histogram, QGridLayout& layout) {
    if (histogram.counts.empty() || !(histogram.bin_width > 0.0)) return;
    histogram_ = new HistogramStrip(histogram, scale_, this);
    describe(histogram_, "_histogram", tr("Histogram of the image"));
    histogram_->setToolTip(
        tr("Histogram of the image, on a logarithmic scale; in colour from this value on"));
    layout.addWidget(histogram_, 3, 0);
  }

  void make_slider() {
    slider_ = new QSlider(Qt::Horizontal, this);
    describe(slider_, "_slider", title());
    slider_->setRange(0, ParameterScale::kSliderSteps);
    slider_->setSingleStep(ParameterScale::kSliderSteps / 100);
    slider_->setPageStep(ParameterScale::kSliderSteps / 10);
    slider_->installEventFilter(this);
    // One of thousands of integers, such as a label, is typed.
    slider_->setVisible(scale_.fits_a_slider());
    connect(slider_, &QSlider::sliderPressed, this, [this] { dragging_ = false; });
    connect(slider_, &QSlider::valueChanged, this, &NumberRow::on_slider_moved);
  }

  void make_spin_box() {
    spin_ = new StepSpinBox(scale_, this);
    describe(spin_, "_value", title());
    spin_->setRange(parameter().numbers()->low, parameter().numbers()->high);
    spin_->setDecimals(scale_.decimals());
    spin_->setKeyboardTracking(false);
    // All rows have the same width, so that the fields are aligned.
    spin_->setFixedWidth(spin_->fontMetrics().horizontalAdvance(QStringLiteral("00000.00")) + 40);
    connect(spin_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { emit changed(value, Gesture::New); });
  }

  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& stands_for) override {
    const Value value = set.value_or(parameter().initial);
    const bool is_word = parameter().is_word(value);
    if (word_ != nullptr) {
      const QSignalBlocker block(word_);
      word_->setChecked(is_word);
    }
    const Value& shown = is_word && stands_for ? *stands_for : value;
    const auto* text = std::get_if<std::string>(&shown);
    const bool by_label = text != nullptr && !parameter().is_word(shown);
    per_label_->setVisible(by_label);
    if (by_label) per_label_->setText(tr("by label: %1").arg(QString::fromStdString(*text)));
    if (text == nullptr) {
      show_number(std::get<double>(shown));
    } else {
      show_word(by_label ? tr("by label") : QString::fromStdString(*text));
    }
  }

  void show_number(double value) {
    const QSignalBlocker no_slider(slider_);
    const QSignalBlocker no_spin(spin_);
    if (!slider_->isSliderDown()) slider_->setValue(scale_.position(value));
    spin_->setSpecialValueText({});
    spin_->setValue(value);
    slider_->setEnabled(true);
    spin_->setEnabled(true);
    if (histogram_ != nullptr) histogram_->set_threshold(value);
  }

  void show_word(const QString& word) {
    const QSignalBlocker no_slider(slider_);
    const QSignalBlocker no_spin(spin_);
    // A spin box shows its special text instead of its lowest value.
    spin_->setSpecialValueText(word);
    spin_->setValue(spin_->minimum());
    slider_->setValue(slider_->minimum());
    slider_->setEnabled(false);
    spin_->setEnabled(false);
    if (histogram_ != nullptr) histogram_->set_threshold(std::nullopt);
  }

  void on_slider_moved(int position) {
    const Gesture gesture =
        slider_->isSliderDown() && dragging_ ? Gesture::Continued : Gesture::New;
    dragging_ = slider_->isSliderDown();
    emit changed(scale_.value(position), gesture);
  }

  void on_word_toggled(bool checked) {
    // A field that shows the word has no number yet: starts at the middle of the slider.
    const bool has_number = spin_->specialValueText().isEmpty();
    const double number =
        has_number ? spin_->value()
                   : scale_.value(slider_->isHidden() ? 0 : ParameterScale::kSliderSteps / 2);
    emit changed(checked ? Value(parameter().word()) : Value(number), Gesture::New);
  }

  ParameterScale scale_;
  QCheckBox* word_ = nullptr;  // null if no word is allowed
  QSlider* slider_ = nullptr;
  HistogramStrip* histogram_ = nullptr;  // null if the number is no threshold
  QDoubleSpinBox* spin_ = nullptr;
  QLabel* per_label_ = nullptr;
  bool dragging_ = false;
};

QString name_of_axis(int axis) {
  return QString(QLatin1Char("xyz"[axis]));
}

/// A row with one number per axis: title and reset button above, the fields side by side below.
template <typename Field, int kAxes>
class AxesRow : public ParameterRow {
 public:
  AxesRow(const Parameter& parameter, QWidget* parent)
      : ParameterRow(parameter, parent), layout_(new QGridLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setVerticalSpacing(2);
    auto* label = new QLabel(title(), this);
    label->setToolTip(QString::fromStdString(parameter.help));
    layout_->addWidget(label, 0, 0, 1, 2);
    layout_->addWidget(reset_button(), 0, 2, Qt::AlignRight);
    for (int axis = 0; axis < kAxes; ++axis) {
      const QString name = name_of_axis(axis);
      auto* field = new Field(this);
      describe(field, ("_value_" + name.toStdString()).c_str(), tr("%1, %2").arg(title(), name));
      field->setPrefix(name + QLatin1Char(' '));
      field->setKeyboardTracking(false);
      // Narrower than its longest number: otherwise three fields would not fit into the dock.
      field->setMinimumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("x -0.000")) +
                             field->sizeHint().height());
      layout_->addWidget(field, 1, axis);
      layout_->setColumnStretch(axis, 1);
      fields_[axis] = field;
    }
    label->setBuddy(fields_[0]);
  }

 protected:
  [[nodiscard]] QGridLayout* layout_of_fields() const { return layout_; }
  [[nodiscard]] Field* field(int axis) const { return fields_[axis]; }

 private:
  QGridLayout* layout_;
  std::array<Field*, kAxes> fields_{};
};

/// A direction in space.
class DirectionRow : public AxesRow<QDoubleSpinBox, 3> {
 public:
  DirectionRow(const Parameter& parameter, QWidget* parent) : AxesRow(parameter, parent) {
    constexpr double kMost = 1000.0;
    for (int axis = 0; axis < 3; ++axis) {
      field(axis)->setRange(-kMost, kMost);
      field(axis)->setSingleStep(0.1);
      field(axis)->setDecimals(3);
      connect(field(axis), &QDoubleSpinBox::valueChanged, this, &DirectionRow::on_typed);
    }
  }

 private:
  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& /*stands_for*/) override {
    const Value value = set.value_or(parameter().initial);
    const auto* text = std::get_if<std::string>(&value);
    const auto direction = text == nullptr ? std::nullopt : parse_direction(*text);
    if (!direction) return;
    for (int axis = 0; axis < 3; ++axis) {
      const QSignalBlocker block(field(axis));
      field(axis)->setValue((*direction)[axis]);
    }
  }

  void on_typed() {
    const Vec3 typed{field(0)->value(), field(1)->value(), field(2)->value()};
    // Between two axes all three may be 0 for a moment; the next number completes the direction.
    if (typed != Vec3{0.0, 0.0, 0.0}) emit changed(direction_text(typed), Gesture::New);
  }
};

QCheckBox* box_for(QAction* action, QWidget* parent) {
  auto* box = new QCheckBox(action->text(), parent);
  box->setObjectName(QStringLiteral("follow_pointer"));
  box->setToolTip(action->toolTip());
  box->setChecked(action->isChecked());
  // The action acts when it is triggered, not when it is set.
  QObject::connect(box, &QCheckBox::clicked, action, &QAction::trigger);
  QObject::connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
  return box;
}

/// A pixel of a 2-D image: column and row, and a button for the tool that picks it in the view.
class PlaceRow : public AxesRow<QSpinBox, 2> {
 public:
  PlaceRow(const Parameter& parameter, const RowSettings& settings, QWidget* parent)
      : AxesRow(parameter, parent) {
    const QString word = QString::fromStdString(parameter.word());
    for (int axis = 0; axis < 2; ++axis) {
      const auto size =
          std::min<std::int64_t>(settings.grid.size[axis], std::numeric_limits<int>::max());
      field(axis)->setRange(word.isEmpty() ? 0 : kNowhere, static_cast<int>(size - 1));
      if (!word.isEmpty())
        field(axis)->setSpecialValueText(name_of_axis(axis) + QLatin1Char(' ') + word);
      connect(field(axis), &QSpinBox::valueChanged, this, [this, axis] { on_typed(axis); });
    }
    if (settings.pick != nullptr) {
      auto* button = new QToolButton(this);
      button->setDefaultAction(settings.pick);
      button->setObjectName(QString::fromStdString(parameter.id) + QStringLiteral("_pick"));
      button->setAccessibleName(tr("Pick %1 in the image").arg(title()));
      layout_of_fields()->addWidget(button, 1, 2);
    }
    if (settings.follow != nullptr)
      layout_of_fields()->addWidget(box_for(settings.follow, this), 2, 0, 1, 3);
  }

 private:
  /// The value of a field while there is no place.
  static constexpr int kNowhere = -1;

  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& /*stands_for*/) override {
    const Value value = set.value_or(parameter().initial);
    const auto* text = std::get_if<std::string>(&value);
    const auto place = text == nullptr ? std::nullopt : parse_place(*text);
    for (int axis = 0; axis < 2; ++axis) {
      const QSignalBlocker block(field(axis));
      field(axis)->setValue(place ? static_cast<int>((*place)[axis]) : kNowhere);
    }
  }

  void on_typed(int axis) {
    QSpinBox* const other = field(1 - axis);
    if (field(axis)->value() == kNowhere) {
      emit changed(parameter().word(), Gesture::New);
      return;
    }
    // The first of two numbers is enough for a place.
    if (other->value() == kNowhere) {
      const QSignalBlocker block(other);
      other->setValue(0);
    }
    emit changed(place_text({field(0)->value(), field(1)->value()}), Gesture::New);
  }
};

/// An estimate in words, not to be changed by hand.
class EstimateRow : public ParameterRow {
 public:
  EstimateRow(const Parameter& parameter, QWidget* parent)
      : ParameterRow(parameter, parent), words_(new QLabel(this)) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(2);
    auto* label = new QLabel(title(), this);
    label->setToolTip(QString::fromStdString(parameter.help));
    layout->addWidget(label, 0, 0);
    layout->addWidget(reset_button(), 0, 1, Qt::AlignRight);
    describe(words_, "_value", title());
    words_->setWordWrap(true);
    layout->addWidget(words_, 1, 0, 1, 2);
  }

 private:
  void show_in_fields(const std::optional<Value>& set,
                      const std::optional<Value>& stands_for) override {
    const std::optional<Value> value = set && !parameter().is_word(*set) ? set : stands_for;
    const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
    const bool is_known = text != nullptr && !parameter().is_word(*value);
    words_->setText(is_known ? QString::fromStdString(parameter().estimate()->summary(*text))
                             : tr("estimated by the next run"));
  }

  QLabel* words_;
};

}  // namespace

ParameterRow* make_parameter_row(const Parameter& parameter, const RowSettings& settings,
                                 QWidget* parent) {
  if (parameter.choices() != nullptr) return new ChoiceRow(parameter, settings.grid, parent);
  if (parameter.place() != nullptr) return new PlaceRow(parameter, settings, parent);
  if (parameter.role_as<NamesLabel>() != nullptr) return new LabelRow(parameter, parent);
  if (parameter.numbers() != nullptr) return new NumberRow(parameter, settings, parent);
  if (parameter.estimate() != nullptr) return new EstimateRow(parameter, parent);
  return new DirectionRow(parameter, parent);
}

}  // namespace seedwave::ui
