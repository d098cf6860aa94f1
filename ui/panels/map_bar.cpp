// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/map_bar.h"

#include "ui/views/axis_ticks.h"
#include "ui/views/slice_annotations.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLinearGradient>
#include <QLocale>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

constexpr int kSteps = 1000;
constexpr double kAnyValue = 1e12;

QIcon picture_of(ColorScheme scheme) {
  QPixmap picture(28, 14);
  QPainter painter(&picture);
  const ColorTable& colors = color_table(scheme);
  for (int x = 0; x < picture.width(); ++x) {
    painter.setPen(QColor(colors[static_cast<std::size_t>(x * 255 / (picture.width() - 1))]));
    painter.drawLine(x, 0, x, picture.height());
  }
  return QIcon(picture);
}

void name_range_end(QDoubleSpinBox& box, const QString& name) {
  box.setAccessibleName(name);
  box.setToolTip(name);
}

QDoubleSpinBox* range_end(QWidget* parent, const char* id, const QString& name) {
  auto* box = new QDoubleSpinBox(parent);
  box->setObjectName(QString::fromLatin1(id));
  name_range_end(*box, name);
  box->setRange(-kAnyValue, kAnyValue);
  box->setKeyboardTracking(false);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  // The size hint of its range would fill the bar.
  box->setFixedWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("-000.00")) + 10);
  return box;
}

}  // namespace

MapBar::MapBar(QWidget* parent) : QToolBar(tr("Map of values"), parent) {
  setObjectName(QStringLiteral("map_bar"));
  setMovable(false);
  outputs_ = new QComboBox(this);
  outputs_->setObjectName(QStringLiteral("output"));
  outputs_->setAccessibleName(tr("Displayed output"));
  outputs_->setToolTip(tr("Displayed output (T: labels or map)"));
  outputs_action_ = addWidget(outputs_);
  connect(outputs_, &QComboBox::activated, this,
          [this](int row) { emit output_chosen(outputs_->itemData(row).toString()); });

  auto* box = new QWidget(this);
  box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(6, 0, 0, 0);
  row->setSpacing(4);
  colors_ = new QComboBox(box);
  colors_->setObjectName(QStringLiteral("map_colors"));
  colors_->setAccessibleName(tr("Colours of the map"));
  colors_->setToolTip(tr("Colours of the map"));
  colors_->setIconSize({28, 14});
  for (const ColorScheme scheme : kColorSchemes)
    colors_->addItem(picture_of(scheme), title_of(scheme), static_cast<int>(scheme));
  row->addWidget(colors_);
  connect(colors_, &QComboBox::activated, this, [this](int chosen) {
    MapStyle style = style_;
    style.colors = static_cast<ColorScheme>(colors_->itemData(chosen).toInt());
    emit style_chosen(style);
  });
  map_action_ = addWidget(box);
  add_range();
  add_threshold();
  show_outputs({}, {}, {});
  show_map(nullptr, {}, true);
}

void MapBar::add_range() {
  auto* box = widgetForAction(map_action_);
  auto* row = qobject_cast<QHBoxLayout*>(box->layout());
  low_ = range_end(box, "map_low", tr("Value of the first colour"));
  high_ = range_end(box, "map_high", tr("Value of the last colour"));
  automatic_ = new QToolButton(box);
  automatic_->setObjectName(QStringLiteral("map_automatic"));
  automatic_->setText(tr("Auto"));
  automatic_->setCheckable(true);
  automatic_->setToolTip(tr("Set the range from the values of the map, without outliers"));
  weight_name_ = new QLabel(box);
  weight_name_->setObjectName(QStringLiteral("map_weight"));
  weight_name_->hide();
  row->addWidget(weight_name_);
  row->addWidget(low_);
  to_ = new QLabel(tr("to"), box);
  row->addWidget(to_);
  row->addWidget(high_);
  row->addWidget(automatic_);
  for (QDoubleSpinBox* end : {low_, high_})
    connect(end, &QDoubleSpinBox::valueChanged, this, &MapBar::choose_range);
  connect(automatic_, &QToolButton::clicked, this, [this](bool on) {
    if (on) {
      emit automatic_range_chosen();
    } else {
      automatic_->setChecked(true);  // a manual range is set by its ends
    }
  });
}

void MapBar::add_threshold() {
  auto* box = widgetForAction(map_action_);
  auto* row = qobject_cast<QHBoxLayout*>(box->layout());
  threshold_name_ = new QLabel(box);
  row->addSpacing(3);
  row->addWidget(threshold_name_);
  threshold_ = new QSlider(Qt::Horizontal, box);
  threshold_->setObjectName(QStringLiteral("theta"));
  threshold_->setAccessibleName(tr("Threshold of the map"));
  threshold_->setToolTip(tr("Only values above this are shown; no new run is needed"));
  threshold_->setRange(0, kSteps);
  threshold_->setPageStep(kSteps / 10);
  threshold_->setFixedWidth(60);
  row->addWidget(threshold_);
  threshold_value_ = new QLabel(box);
  threshold_value_->setObjectName(QStringLiteral("theta_value"));
  threshold_value_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000.0")));
  row->addWidget(threshold_value_);
  connect(threshold_, &QSlider::valueChanged, this, [this](int position) {
    MapStyle style = style_;
    style.threshold = threshold_at(position);
    emit style_chosen(style);
  });
}

void MapBar::choose_range() {
  if (!(low_->value() < high_->value())) return;  // while one end is being typed
  MapStyle style = style_;
  const bool round = style.period > 0.0;
  (round ? style.faint : style.low) = low_->value();
  (round ? style.full : style.high) = high_->value();
  emit style_chosen(style);
}

double MapBar::threshold_at(int position) const {
  if (share_) return position / static_cast<double>(kSteps);
  if (position == 0) return MapStyle::kAll;
  return style_.low + (style_.high - style_.low) * (position - 1) / (kSteps - 1.0);
}

int MapBar::position_of(double threshold) const {
  if (share_) return static_cast<int>(std::lround(threshold * kSteps));
  if (threshold == MapStyle::kAll) return 0;
  const double share = (threshold - style_.low) / (style_.high - style_.low);
  return 1 + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (kSteps - 1)));
}

QString MapBar::threshold_text() const {
  if (share_) return QLocale().toString(style_.threshold, 'f', 3);
  if (style_.shows_all()) return tr("all");
  return value_on_axis(style_.threshold, style_.low, style_.high);
}

void MapBar::show_outputs(const QStringList& ids, const QStringList& titles, const QString& shown) {
  const QSignalBlocker block(outputs_);
  outputs_->clear();
  for (qsizetype i = 0; i < ids.size(); ++i)
    outputs_->addItem(titles[i], ids[i]);
  outputs_->setCurrentIndex(outputs_->findData(shown));
  outputs_action_->setVisible(ids.size() > 1);
}

/// Periodic values have one colour map and are always shown completely. Their range is that of the
/// weight, from transparent to opaque.
void MapBar::show_kind(const ScalarMap& map) {
  const bool round = map.period > 0.0;
  const bool weighed = map.weight != nullptr;
  colors_->setVisible(!round);
  for (QWidget* widget : {static_cast<QWidget*>(threshold_name_), static_cast<QWidget*>(threshold_),
                          static_cast<QWidget*>(threshold_value_)})
    widget->setVisible(!round);
  for (QWidget* widget : {static_cast<QWidget*>(low_), static_cast<QWidget*>(to_),
                          static_cast<QWidget*>(high_), static_cast<QWidget*>(automatic_)})
    widget->setVisible(!round || weighed);
  weight_name_->setVisible(round && weighed);
  if (weighed) weight_name_->setText(tr("Opacity by %1:").arg(map_title(*map.weight).toLower()));
  const bool fades = round && weighed;
  name_range_end(
      *low_, fades ? tr("Fully transparent below this value") : tr("Value of the first colour"));
  name_range_end(*high_,
                 fades ? tr("Fully opaque above this value") : tr("Value of the last colour"));
}

void MapBar::show_map(const ScalarMap* map, const MapStyle& style, bool automatic_range) {
  map_action_->setVisible(map != nullptr);
  if (map == nullptr) return;
  style_ = style;
  share_ = map->full > 0.0;
  show_kind(*map);
  const QSignalBlocker blocks[] = {QSignalBlocker(low_), QSignalBlocker(high_),
                                   QSignalBlocker(threshold_)};
  colors_->setCurrentIndex(colors_->findData(static_cast<int>(style.colors)));
  const bool round = style.period > 0.0;
  const double low = round ? style.faint : style.low;
  const double high = round ? style.full : style.high;
  const double span = high - low;
  const int decimals = std::clamp(static_cast<int>(std::ceil(2.0 - std::log10(span))), 0, 6);
  for (QDoubleSpinBox* end : {low_, high_}) {
    end->setDecimals(decimals);
    end->setSingleStep(span / 100.0);
  }
  low_->setValue(low);
  high_->setValue(high);
  automatic_->setChecked(automatic_range);
  threshold_name_->setText(share_ ? tr("θ") : tr("above"));
  threshold_->setValue(position_of(style.threshold));
  threshold_value_->setText(threshold_text());
}

}  // namespace seedwave::ui
