// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/object_plot_panel.h"

#include "core/engine/object_bins.h"
#include "ui/panels/narrow_list.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace seedwave::ui {

ObjectPlotPanel::ObjectPlotPanel(ObjectModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins({});
  const auto add_choice = [&](const QString& label, const char* name, int column) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    constexpr int kCharacters = 8;
    make_narrow(*box, kCharacters);
    auto* text = new QLabel(label, this);
    text->setBuddy(box);
    layout->addWidget(text, 0, column);
    layout->addWidget(box, 0, column + 1);
    layout->setColumnStretch(column + 1, 1);
    connect(box, &QComboBox::currentIndexChanged, this, &ObjectPlotPanel::draw);
    return box;
  };
  x_ = add_choice(tr("x"), "object_plot_x", 0);
  y_ = add_choice(tr("y"), "object_plot_y", 2);
  x_->setAccessibleName(tr("Column along x"));
  y_->setAccessibleName(tr("Column along y"));
  plot_ = new ObjectPlot(this);
  plot_->setObjectName(QStringLiteral("object_plot"));
  plot_->setAccessibleName(tr("Plot of the objects"));
  plot_->setToolTip(
      tr("Drag to choose objects: they come first in the table and get a rim; click to choose "
         "none"));
  layout->addWidget(plot_, 1, 0, 1, 4);
  layout->setRowStretch(1, 1);
  connect(plot_, &ObjectPlot::ranges_chosen, this, &ObjectPlotPanel::find);
  connect(&model_, &ObjectModel::listed, this, &ObjectPlotPanel::fill_columns);
}

/// Keeps the choices if the new objects have these columns.
void ObjectPlotPanel::fill_columns() {
  // Bins and choice are of the old objects.
  plot_->set_bins({}, {}, {});
  chosen_.clear();
  const auto fill = [this](QComboBox& box, bool counts) {
    const QSignalBlocker block(box);
    const QVariant before = box.currentData();
    box.clear();
    if (counts) box.addItem(tr("Count"), QString());
    for (int column = ObjectModel::kName + 1; column < model_.columnCount(); ++column) {
      const std::size_t at = *model_.list_column(column);
      box.addItem(object_column_title(*model_.list(), at),
                  QString::fromStdString(model_.list()->columns()[at].column.spec.id));
    }
    const QVariant wanted =
        before.isValid() ? before : QVariant(counts ? QString() : QStringLiteral("size"));
    box.setCurrentIndex(std::max(0, box.findData(wanted)));
  };
  fill(*x_, false);
  fill(*y_, true);
}

void ObjectPlotPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  draw();
}

std::optional<std::size_t> ObjectPlotPanel::column_in(const QComboBox& box) const {
  return model_.list()->find_column(box.currentData().toString().toStdString());
}

void ObjectPlotPanel::show_chosen(const std::vector<int>& rows) {
  chosen_.assign(rows.empty() ? 0 : model_.list()->objects().size(), false);
  for (const int row : rows)
    chosen_[model_.object_in(row)] = true;
  draw();
}

void ObjectPlotPanel::draw() {
  const auto x = column_in(*x_);
  if (isHidden()) return;
  if (!x || model_.rowCount() == 0) {
    drawing_.cancel();
    plot_->set_bins({}, {}, {});
    return;
  }
  drawing_.start([this, list = model_.list(), objects = model_.order(), x = *x, y = column_in(*y_),
                  chosen = chosen_](Context& context) -> BackgroundTask::Delivery {
    auto bins = bin_objects(*list, objects, x, y, chosen, context);
    return [this, bins = std::move(bins)] {
      plot_->set_bins(bins, x_->currentText(), y_->currentText());
    };
  });
}

void ObjectPlotPanel::find(const std::vector<ColumnRange>& ranges) {
  if (ranges.empty()) {
    finding_.cancel();
    emit chosen({});
    return;
  }
  finding_.start([this, list = model_.list(), objects = model_.order(),
                  ranges](Context& context) -> BackgroundTask::Delivery {
    auto found = objects_within(*list, objects, ranges, context);
    return [this, list, found = std::move(found)] {
      if (list == model_.list()) emit chosen(found);
    };
  });
}

}  // namespace seedwave::ui
