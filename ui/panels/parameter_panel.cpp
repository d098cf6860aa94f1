// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/parameter_panel.h"

#include "core/engine/make_run.h"
#include "ui/models/parameter_scale.h"
#include "ui/models/parameter_words.h"
#include "ui/models/sweep_model.h"
#include "ui/panels/choice_row.h"
#include "ui/panels/direction_row.h"
#include "ui/panels/label_row.h"
#include "ui/panels/number_row.h"
#include "ui/panels/place_row.h"

#include <QAction>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace seedwave::ui {

namespace {

std::optional<Value> value_in(const Values& values, const std::string& id) {
  if (!values.has(id)) return std::nullopt;
  return values.at(id);
}

QVBoxLayout* make_column(QWidget* parent) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  return column;
}

QString open_key() {
  return QStringLiteral("panels/advanced");
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
    rows_->deleteLater();  // a row may be the sender of the current signal
  }
  numbers_.clear();
  choices_.clear();
  labels_.clear();
  directions_.clear();
  places_.clear();
  gives_curve_ = operation.gives(OutputKind::Curve);
  rows_ = new QWidget(this);
  column_ = make_column(rows_);
  layout_->addWidget(rows_);
  advanced_ids_.clear();
  for (const Parameter& parameter : operation.parameters) {
    if (!applies_to(parameter.applies, grid.is_2d())) continue;
    if (parameter.advanced) {
      advanced_ids_.push_back(parameter.id);
    } else {
      add_row(parameter, grid, range);
    }
  }
  if (advanced_ids_.empty()) return;
  add_advanced();
  for (const std::string& id : advanced_ids_)
    add_row(operation.parameter(id), grid, range);
}

void ParameterPanel::add_advanced() {
  advanced_ = new QToolButton(rows_);
  advanced_->setObjectName(QStringLiteral("advanced"));
  advanced_->setText(tr("Advanced"));
  advanced_->setToolTip(tr("Parameters that are rarely changed"));
  advanced_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  advanced_->setAutoRaise(true);
  column_->addWidget(advanced_);
  advanced_rows_ = new QWidget(rows_);
  column_->addWidget(advanced_rows_);
  column_ = make_column(advanced_rows_);
  connect(advanced_, &QToolButton::clicked, this, [this] {
    const bool open = advanced_rows_->isHidden();
    QSettings().setValue(open_key(), open);
    show_advanced(open);
  });
  show_advanced(QSettings().value(open_key(), false).toBool());
}

void ParameterPanel::show_advanced(bool open) {
  advanced_->setAccessibleDescription(open ? tr("open") : tr("closed"));
  advanced_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  advanced_rows_->setVisible(open);
}

void ParameterPanel::add_row(const Parameter& parameter, const Geometry& grid,
                             const ValueRange& range) {
  const QString title = QString::fromStdString(parameter.title);
  if (parameter.choices() != nullptr) {
    auto* row = new ChoiceRow(parameter, grid, rows_);
    offer_sweep(parameter, grid, *row);
    connect(row, &ChoiceRow::changed, this, [this, id = parameter.id, title](const Value& value) {
      emit changed(id, value, title, Gesture::New);
    });
    connect(row, &ChoiceRow::reset, this,
            [this, id = parameter.id, title] { emit reset(id, title); });
    column_->addWidget(row);
    choices_[parameter.id] = row;
    return;
  }
  if (std::holds_alternative<DirectionDomain>(parameter.domain)) {
    auto* row = new DirectionRow(parameter, rows_);
    connect(row, &DirectionRow::changed, this,
            [this, id = parameter.id, title](const Value& value) {
              emit changed(id, value, title, Gesture::New);
            });
    connect(row, &DirectionRow::reset, this,
            [this, id = parameter.id, title] { emit reset(id, title); });
    column_->addWidget(row);
    directions_[parameter.id] = row;
    return;
  }
  if (parameter.place() != nullptr) {
    add_place(parameter, grid);
    return;
  }
  if (parameter.role_as<NamesLabel>() != nullptr) {
    auto* row = new LabelRow(parameter, rows_);
    connect(row, &LabelRow::changed, this, [this, id = parameter.id](const Value& value) {
      emit changed(id, value, QString::fromStdString(id), Gesture::New);
    });
    connect(row, &LabelRow::reset, this,
            [this, id = parameter.id] { emit reset(id, QString::fromStdString(id)); });
    column_->addWidget(row);
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
  column_->addWidget(row);
  numbers_[parameter.id] = row;
}

void ParameterPanel::add_place(const Parameter& parameter, const Geometry& grid) {
  const QString title = QString::fromStdString(parameter.title);
  auto* row = new PlaceRow(parameter, grid, pick_, gives_curve_ ? follow_ : nullptr, rows_);
  connect(row, &PlaceRow::changed, this, [this, id = parameter.id, title](const Value& value) {
    emit changed(id, value, title, Gesture::New);
  });
  connect(row, &PlaceRow::reset, this, [this, id = parameter.id, title] { emit reset(id, title); });
  column_->addWidget(row);
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
  if (advanced_ids_.empty()) return;
  const auto changed = std::count_if(advanced_ids_.begin(), advanced_ids_.end(),
                                     [&set](const std::string& id) { return set.has(id); });
  advanced_->setText(changed == 0 ? tr("Advanced") : tr("Advanced (%1 changed)").arg(changed));
}

void ParameterPanel::set_labels(const std::vector<LabelEntry>& labels) {
  for (const auto& [id, row] : labels_)
    row->set_labels(labels);
}

}  // namespace seedwave::ui
