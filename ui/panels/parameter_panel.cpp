// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/parameter_panel.h"

#include "ui/models/parameter_scale.h"
#include "ui/models/parameter_words.h"
#include "ui/models/run_product.h"
#include "ui/models/sweep_model.h"
#include "ui/panels/choice_row.h"
#include "ui/panels/direction_row.h"
#include "ui/panels/label_row.h"
#include "ui/panels/number_row.h"
#include "ui/panels/place_row.h"

#include <QAction>
#include <QVBoxLayout>

#include <optional>

namespace seedwave::ui {

namespace {

std::optional<Value> value_in(const Values& values, const std::string& id) {
  if (!values.has(id)) return std::nullopt;
  return values.at(id);
}

}  // namespace

ParameterPanel::ParameterPanel(QWidget* parent, QAction* pick, QAction* follow)
    : QWidget(parent), pick_(pick), follow_(follow) {
  layout_ = new QVBoxLayout(this);
  layout_->setContentsMargins(0, 0, 0, 0);
}

void ParameterPanel::set_operation(const Operation& operation, const Geometry& grid,
                                   const ValueRange& range) {
  if (rows_ != nullptr) {
    rows_->hide();
    rows_->setParent(nullptr);
    rows_->deleteLater();  // a row may be the sender of the change that brought us here
  }
  numbers_.clear();
  choices_.clear();
  labels_.clear();
  directions_.clear();
  places_.clear();
  gives_curve_ = has_output(operation, OutputKind::Curve);
  rows_ = new QWidget(this);
  auto* column = new QVBoxLayout(rows_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  layout_->addWidget(rows_);
  for (const Parameter& parameter : operation.parameters) {
    if (applies_to(parameter.applies, grid.is_2d())) add_row(parameter, grid, range);
  }
}

void ParameterPanel::add_row(const Parameter& parameter, const Geometry& grid,
                             const ValueRange& range) {
  const QString title = QString::fromStdString(parameter.title);
  if (parameter.kind == Parameter::Kind::Choice) {
    auto* row = new ChoiceRow(parameter, grid, rows_);
    offer_sweep(parameter, grid, *row);
    connect(row, &ChoiceRow::changed, this, [this, id = parameter.id, title](const Value& value) {
      emit changed(id, value, title, Gesture::New);
    });
    connect(row, &ChoiceRow::reset, this,
            [this, id = parameter.id, title] { emit reset(id, title); });
    rows_->layout()->addWidget(row);
    choices_[parameter.id] = row;
    return;
  }
  if (parameter.kind == Parameter::Kind::Direction) {
    auto* row = new DirectionRow(parameter, rows_);
    connect(row, &DirectionRow::changed, this,
            [this, id = parameter.id, title](const Value& value) {
              emit changed(id, value, title, Gesture::New);
            });
    connect(row, &DirectionRow::reset, this,
            [this, id = parameter.id, title] { emit reset(id, title); });
    rows_->layout()->addWidget(row);
    directions_[parameter.id] = row;
    return;
  }
  if (parameter.kind == Parameter::Kind::Place) {
    add_place(parameter, grid);
    return;
  }
  if (parameter.label != Parameter::Label::None) {
    auto* row = new LabelRow(parameter, rows_);
    connect(row, &LabelRow::changed, this, [this, id = parameter.id](const Value& value) {
      emit changed(id, value, QString::fromStdString(id), Gesture::New);
    });
    connect(row, &LabelRow::reset, this,
            [this, id = parameter.id] { emit reset(id, QString::fromStdString(id)); });
    rows_->layout()->addWidget(row);
    labels_[parameter.id] = row;
    return;
  }
  auto* row =
      new NumberRow(parameter, ParameterScale(parameter, range), unit_on(parameter, grid), rows_);
  offer_sweep(parameter, grid, *row);
  connect(row, &NumberRow::changed, this,
          [this, id = parameter.id, title](const Value& value, Gesture gesture) {
            emit changed(id, value, title, gesture);
          });
  connect(row, &NumberRow::reset, this,
          [this, id = parameter.id, title] { emit reset(id, title); });
  rows_->layout()->addWidget(row);
  numbers_[parameter.id] = row;
}

void ParameterPanel::add_place(const Parameter& parameter, const Geometry& grid) {
  const QString title = QString::fromStdString(parameter.title);
  auto* row = new PlaceRow(parameter, grid, pick_, gives_curve_ ? follow_ : nullptr, rows_);
  connect(row, &PlaceRow::changed, this, [this, id = parameter.id, title](const Value& value) {
    emit changed(id, value, title, Gesture::New);
  });
  connect(row, &PlaceRow::reset, this, [this, id = parameter.id, title] { emit reset(id, title); });
  rows_->layout()->addWidget(row);
  places_[parameter.id] = row;
}

void ParameterPanel::offer_sweep(const Parameter& parameter, const Geometry& grid, QWidget& row) {
  if (!can_vary(parameter, grid.is_2d())) return;
  auto* sweep = new QAction(tr("Sweep %1…").arg(QString::fromStdString(parameter.title)), &row);
  sweep->setObjectName(QStringLiteral("sweep_%1").arg(QString::fromStdString(parameter.id)));
  connect(sweep, &QAction::triggered, this, [this, id = parameter.id] { emit sweep_wanted(id); });
  row.addAction(sweep);
  row.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ParameterPanel::show_values(const Values& set, const Values& fixed) {
  for (const auto& [id, row] : numbers_)
    row->show_value(value_in(set, id), value_in(fixed, id));
  for (const auto& [id, row] : choices_)
    row->show_value(value_in(set, id));
  for (const auto& [id, row] : directions_)
    row->show_value(value_in(set, id));
  for (const auto& [id, row] : places_)
    row->show_value(value_in(set, id));
  for (const auto& [id, row] : labels_)
    row->show_value(value_in(set, id), value_in(fixed, id));
}

void ParameterPanel::set_labels(const std::vector<LabelEntry>& labels) {
  for (const auto& [id, row] : labels_)
    row->set_labels(labels);
}

}  // namespace seedwave::ui
