// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/parameter_panel.h"

#include "ui/models/sweep_model.h"
#include "ui/panels/parameter_rows.h"

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
                                   const ValueRange& range, const Histogram& histogram) {
  if (rows_ != nullptr) {
    rows_->hide();
    rows_->setParent(nullptr);
    rows_->deleteLater();  // a row may be the sender of the current signal
  }
  by_id_.clear();
  const RowSettings settings{.grid = grid,
                             .range = range,
                             .histogram = histogram,
                             .pick = pick_,
                             .follow = operation.gives(OutputKind::Curve) ? follow_ : nullptr};
  rows_ = new QWidget(this);
  column_ = make_column(rows_);
  layout_->addWidget(rows_);
  advanced_ids_.clear();
  for (const Parameter& parameter : operation.parameters) {
    if (!applies_to(parameter.applies, grid.is_2d())) continue;
    if (parameter.advanced) {
      advanced_ids_.push_back(parameter.id);
    } else {
      add_row(parameter, settings);
    }
  }
  if (advanced_ids_.empty()) return;
  add_advanced();
  for (const std::string& id : advanced_ids_)
    add_row(operation.parameter(id), settings);
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

void ParameterPanel::add_row(const Parameter& parameter, const RowSettings& settings) {
  ParameterRow* row = make_parameter_row(parameter, settings, rows_);
  // A title such as "m and \u03c3o apply to" would not fit into the text of an undo step.
  const bool names_label = parameter.role_as<NamesLabel>() != nullptr;
  const QString title = names_label ? QString::fromStdString(parameter.id) : row->title();
  connect(row, &ParameterRow::changed, this,
          [this, id = parameter.id, title](const Value& value, Gesture gesture) {
            emit changed(id, value, title, gesture);
          });
  connect(row, &ParameterRow::reset, this,
          [this, id = parameter.id, title] { emit reset(id, title); });
  offer_sweep(parameter, settings.grid, *row);
  column_->addWidget(row);
  by_id_[parameter.id] = row;
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
  for (const auto& [id, row] : by_id_)
    row->show_value(value_in(set, id), value_in(fixed, id));
  if (advanced_ids_.empty()) return;
  const auto changed = std::count_if(advanced_ids_.begin(), advanced_ids_.end(),
                                     [&set](const std::string& id) { return set.has(id); });
  advanced_->setText(changed == 0 ? tr("Advanced") : tr("Advanced (%1 changed)").arg(changed));
}

void ParameterPanel::set_labels(const std::vector<LabelEntry>& labels) {
  for (const auto& [id, row] : by_id_)
    row->set_labels(labels);
}

}  // namespace seedwave::ui
