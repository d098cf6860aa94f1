// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/plot_panel.h"

#include "core/ops/table_csv.h"
#include "ui/panels/action_button.h"
#include "ui/panels/elided_label.h"
#include "ui/plots/chart_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace seedwave::ui {

namespace {

/// More operations that can use a value are put into a menu.
constexpr std::size_t kMostOffers = 2;

QToolButton* text_button(const QString& text, const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setObjectName(name);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  return button;
}

QComboBox* chooser(const QString& name, const QString& title, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setObjectName(name);
  box->setAccessibleName(title);
  box->setToolTip(title);
  return box;
}

void fill(QComboBox& box, const QStringList& texts, int chosen) {
  const QSignalBlocker quiet(box);
  box.clear();
  box.addItems(texts);
  box.setCurrentIndex(chosen);
  box.setVisible(texts.size() > 1);
}

}  // namespace

PlotPanel::PlotPanel(PlotModel& model, RunController& runs, const PlotActions& actions,
                     QWidget* parent)
    : QWidget(parent), model_(model), runs_(runs), actions_(actions) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 4);
  layout->setSpacing(4);
  layout->addLayout(add_head());
  chart_ = new ChartView(this);
  chart_->setObjectName(QStringLiteral("plot"));
  layout->addWidget(chart_, 1);
  layout->addLayout(add_foot());
  left_out_ = new QLabel(this);
  left_out_->setObjectName(QStringLiteral("plot_left_out"));
  left_out_->setWordWrap(true);
  layout->addWidget(left_out_);
  connect(chart_, &ChartView::sample_hovered, this, &PlotPanel::read);
  connect(chart_, &ChartView::hover_ended, this, [this] { rest(); });
  connect(chart_, &ChartView::sample_picked, this, &PlotPanel::pick);
  connect(&model_, &PlotModel::changed, this, &PlotPanel::refresh);
  connect_actions();
  refresh();
}

QHBoxLayout* PlotPanel::add_head() {
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  title_ = new ElidedLabel(QString(), this);
  title_->setObjectName(QStringLiteral("plot_title"));
  row->addWidget(title_, 1);
  outputs_ = chooser(QStringLiteral("plot_output"), tr("Displayed curve of the run"), this);
  quantities_ = chooser(QStringLiteral("plot_quantity"), tr("Quantity on the y axis"), this);
  row->addWidget(outputs_);
  row->addWidget(quantities_);
  connect(outputs_, &QComboBox::activated, &model_, &PlotModel::choose_output);
  connect(quantities_, &QComboBox::activated, &model_, &PlotModel::choose_quantity);
  pinned_ = text_button({}, QStringLiteral("plot_pinned"), this);
  pinned_->setToolTip(tr("Pinned curves; choose one to unpin it"));
  pinned_->setPopupMode(QToolButton::InstantPopup);
  pinned_menu_ = new QMenu(pinned_);
  pinned_->setMenu(pinned_menu_);
  // Not on every run: the menu may be open.
  connect(pinned_menu_, &QMenu::aboutToShow, this, &PlotPanel::fill_pinned);
  row->addWidget(pinned_);
  row->addWidget(make_short_action_button(actions_.pin, tr("Pin curve"), this));
  auto* copy = text_button(tr("Copy"), QStringLiteral("plot_copy"), this);
  copy->setToolTip(tr("Copy the numbers or the image"));
  copy->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(copy);
  menu->addAction(actions_.copy_csv);
  menu->addAction(actions_.copy_picture);
  copy->setMenu(menu);
  row->addWidget(copy);
  row->addWidget(make_short_action_button(actions_.save, tr("Save…"), this));
  return row;
}

QHBoxLayout* PlotPanel::add_foot() {
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  // The height does not depend on offers: the chart must not jump under the pointer.
  const QToolButton offer;
  row->addStrut(std::max(offer.sizeHint().height(), fontMetrics().height() + 10));
  readout_ = new ElidedLabel(QString(), this);
  readout_->setObjectName(QStringLiteral("plot_readout"));
  readout_->setAccessibleName(tr("Sample at the pointer"));
  readout_->setTextFormat(Qt::PlainText);
  row->addWidget(readout_, 1);
  offers_ = new QWidget(this);
  auto* offers = new QHBoxLayout(offers_);
  offers->setContentsMargins(0, 0, 0, 0);
  offers->setSpacing(4);
  row->addWidget(offers_);
  return row;
}

void PlotPanel::connect_actions() {
  connect(actions_.pin, &QAction::triggered, this,
          [this] { runs_.history().pin_curve(model_.run(), !model_.is_pinned()); });
  connect(actions_.copy_csv, &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setText(csv());
    emit said(tr("Copied %n row(s) as CSV", nullptr,
                 static_cast<int>(table_of(model_.plot()).rows.size())));
  });
  connect(actions_.copy_picture, &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setImage(picture());
    emit said(tr("Copied the plot as an image"));
  });
}

QString PlotPanel::csv() const {
  return QString::fromStdString(csv_of(table_of(model_.plot())));
}

QImage PlotPanel::picture() {
  return chart_->picture();
}

void PlotPanel::refresh() {
  const Plot& plot = model_.plot();
  if (plot.x != picked_axis_) {
    picked_.reset();
    picked_text_.clear();
    picked_axis_ = plot.x;
    chart_->set_picked({});
  }
  chart_->set_plot(plot);
  title_->setText(model_.title());
  fill(*outputs_, model_.outputs(), model_.output());
  fill(*quantities_, model_.quantities(), model_.quantity());
  actions_.pin->setIconText(model_.is_pinned() ? tr("Unpin curve") : tr("Pin curve"));
  actions_.pin->setText(model_.is_pinned() ? tr("Unpin the displayed curve")
                                           : tr("Pin the displayed curve"));
  for (QAction* action : {actions_.pin, actions_.copy_csv, actions_.copy_picture, actions_.save})
    action->setEnabled(!plot.empty());
  pinned_->setText(tr("Pinned (%1)").arg(model_.pinned().size()));
  pinned_->setVisible(!model_.pinned().empty());
  left_out_->setText(model_.left_out());
  left_out_->setVisible(!model_.left_out().isEmpty());
  rest();
  show_offers();
}

void PlotPanel::fill_pinned() {
  pinned_menu_->clear();
  for (const PlotModel::Pinned& each : model_.pinned()) {
    const QString text =
        each.by_curve ? tr("Unpin %1").arg(each.name) : tr("Unpin %1 (A)").arg(each.name);
    connect(pinned_menu_->addAction(text), &QAction::triggered, this,
            [this, run = each.run, by_curve = each.by_curve] {
              if (by_curve) {
                runs_.history().pin_curve(run, false);
              } else {
                runs_.history().pin(0);
              }
            });
  }
}

QString PlotPanel::text_of(const PlotSample& sample) const {
  const Plot& plot = model_.plot();
  const PlotCurve& curve = plot.curves[sample.curve];
  const QString place =
      QStringLiteral("%1, %2").arg(number_with_unit(curve.x[sample.index], plot.x.unit),
                                   number_with_unit(curve.y[sample.index], plot.y.unit));
  return plot.curves.size() < 2 ? place : QStringLiteral("%1  –  %2").arg(place, curve.name);
}

void PlotPanel::read(const PlotSample& sample) {
  readout_->setText(text_of(sample));
  chart_->setAccessibleDescription(text_of(sample));
}

void PlotPanel::rest() {
  QString hint;
  if (!model_.plot().empty()) {
    hint = model_.has_uses()
               ? tr("Point at the curve to read its values; click a peak to try it out.")
               : tr("Point at the curve to read its values.");
    hint += tr(" Scroll to zoom, double-click to show everything.");
    if (!model_.plot().x.note.isEmpty()) hint += " " + model_.plot().x.note;
  }
  readout_->setText(picked_text_.isEmpty() ? hint : picked_text_);
  readout_->setToolTip(model_.plot().x.note);  // the panel may be too narrow for it
}

void PlotPanel::pick(const PlotSample& sample, bool is_peak) {
  const double x = model_.plot().curves[sample.curve].x[sample.index];
  picked_ = x;
  picked_text_ = text_of(sample);
  chart_->set_picked(x);
  const std::vector<PlotUse> uses = model_.uses(x);
  const bool in_others = !uses.empty() && !model_.is_current(uses.front());
  others_ = in_others ? uses : std::vector<PlotUse>();
  if (is_peak && !uses.empty()) {
    apply(uses.front());
  } else {
    show_offers();
  }
  rest();
}

void PlotPanel::apply(const PlotUse& use) {
  // The text is set first, because a live run may redraw everything immediately. The use is offered
  // again after another pick.
  picked_text_ =
      tr("%1 is now the %2 of %3").arg(use.value_text, use.parameter_title, use.operation_title);
  model_.apply(use);
  show_offers();
  rest();
}

void PlotPanel::add_offer(const QString& text, const PlotUse& use) {
  auto* button = text_button(text, QStringLiteral("plot_use"), offers_);
  connect(button, &QToolButton::clicked, this, [this, use] { apply(use); });
  offers_->layout()->addWidget(button);
  button->show();
}

void PlotPanel::show_offers() {
  const auto old = offers_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
  for (QWidget* button : old) {
    button->hide();
    button->setObjectName({});
    button->deleteLater();  // it may be the one that was clicked
  }
  if (!picked_) return;
  std::vector<PlotUse> uses = model_.uses(*picked_);
  const bool has_current = !uses.empty() && model_.is_current(uses.front());
  std::erase_if(uses, [this](const PlotUse& use) { return model_.is_set(use); });
  // After a peak was used in the most likely operation, the others are one more click.
  for (const PlotUse& use : others_) {
    if (has_current && !model_.is_current(use)) uses.push_back(use);
  }
  if (uses.size() > kMostOffers) {
    const PlotUse& first = uses.front();
    auto* button = text_button(tr("Use %1 as %2 in").arg(first.value_text, first.parameter_title),
                               QStringLiteral("plot_use"), offers_);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    for (const PlotUse& use : uses) {
      connect(menu->addAction(use.operation_title), &QAction::triggered, this,
              [this, use] { apply(use); });
    }
    button->setMenu(menu);
    offers_->layout()->addWidget(button);
    button->show();
    return;
  }
  for (const PlotUse& use : uses) {
    add_offer(model_.is_current(use) ? tr("Use %1 as %2").arg(use.value_text, use.parameter_title)
                                     : tr("Use %1 in %2").arg(use.value_text, use.operation_title),
              use);
  }
}

}  // namespace seedwave::ui
