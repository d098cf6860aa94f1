// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/sweep_dialog.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/engine/sweep/row_report.h"
#include "core/engine/sweep/sweep_grid.h"
#include "core/engine/sweep/sweep_report.h"
#include "ui/models/parameter_scale.h"
#include "ui/models/parameter_words.h"
#include "ui/panels/heat_map.h"
#include "ui/panels/list_view.h"
#include "ui/plots/chart_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace seedwave::ui {

namespace {

constexpr int kUsualCount = 7;
constexpr int kUsualCountAlone = 11;
constexpr int kMostCount = 200;

/// Rounds to two digits, so that the form does not begin with 11.7643.
double near(double number) {
  return QString::number(number, 'g', 2).toDouble();
}

using Range = std::pair<double, double>;

Range inside(const Parameter& parameter, double low, double high) {
  const NumberDomain& range = *parameter.numbers();
  return {std::clamp(near(low), range.low, range.high),
          std::clamp(near(high), range.low, range.high)};
}

/// Values below this share of the slider are small: half of them is a step that matters.
constexpr double kSmallShare = 0.05;

bool is_small(const ParameterScale& scale, double value) {
  return value != 0.0 && std::abs(value) < kSmallShare * (scale.high() - scale.low());
}

/// Returns the distance from the current value to both ends of a range around it, at least `least`
/// unless the value is small for its slider.
double half_width(const ParameterScale& scale, double now, double least) {
  return is_small(scale, now) ? std::abs(now) / 2 : std::max(least, std::abs(now) / 2);
}

/// Returns the usual range of a parameter: around its current value, or the whole range of its
/// slider.
Range usual_range(const Parameter& parameter, const ValueRange& image, std::optional<double> now) {
  constexpr double kNarrow = 1000.0;
  if (parameter.is_logarithmic()) {
    const double middle = now && *now > 0.0 ? *now : 10.0;
    return inside(parameter, middle / 4, middle * 4);
  }
  const ParameterScale scale(parameter, image);
  const bool is_narrow = scale.high() - scale.low() <= kNarrow;
  if (!now || (is_narrow && !is_small(scale, *now)))
    return inside(parameter, scale.low(), scale.high());
  const double around = half_width(scale, *now, 1.0);
  return inside(parameter, *now - around, *now + around);
}

/// Returns a range around the current value: for a sweep of one parameter, started from its row.
Range range_around(const Parameter& parameter, const ValueRange& image, std::optional<double> now) {
  if (!now || parameter.is_logarithmic()) return usual_range(parameter, image, now);
  const ParameterScale scale(parameter, image);
  const double around = half_width(scale, *now, kSmallShare * (scale.high() - scale.low()));
  return inside(parameter, *now - around, *now + around);
}

/// Returns the number of values from one bound to the other in about the steps of an axis.
int values_between(const SweepAxis& axis, double first, double last) {
  const auto begin = std::get<double>(axis.values.front());
  const auto end = std::get<double>(axis.values.back());
  const bool by_ratio = axis.scale == Scale::Logarithmic && begin > 0.0 && end > 0.0 && first > 0.0;
  const double wider =
      by_ratio ? std::log(last / first) / std::log(end / begin) : (last - first) / (end - begin);
  const auto steps = static_cast<double>(axis.values.size() - 1);
  return std::clamp(static_cast<int>(std::lround(wider * steps)) + 1, 2, kMostCount);
}

QLabel* text_line(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setWordWrap(true);
  return label;
}

QPushButton* push_button(const QString& name, const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setObjectName(name);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

SweepDialog::SweepDialog(Workbench& workbench, RunController& runs, SweepController& sweep,
                         QWidget* parent)
    : QDialog(parent), workbench_(workbench), runs_(runs), sweep_(sweep), model_(sweep, workbench) {
  setObjectName(QStringLiteral("sweep"));
  setWindowTitle(tr("Parameter sweep"));
  resize(980, 640);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(make_form());
  layout->addLayout(make_bar());
  note_ = text_line(QStringLiteral("note"), this);
  layout->addWidget(note_);
  auto* parts = new QSplitter(this);
  parts->addWidget(make_figures(parts));
  parts->addWidget(make_list(parts));
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
  parts->setSizes({540, 420});  // all columns of one parameter
  layout->addWidget(parts, 1);
  layout->addLayout(make_foot());
  connect_buttons();
  connect_figures();
  connect_models();
  follow_document();
  follow_sweep();
}

SweepDialog::~SweepDialog() {
  hide();
}

QGridLayout* SweepDialog::make_form() {
  auto* form = new QGridLayout;
  int column = 0;
  for (const QString& title : {tr("Vary"), tr("From"), tr("To"), tr("Values"), tr("Spacing")})
    form->addWidget(new QLabel(title, this), 0, column++);
  rows_[0] = add_row(*form, 1, QStringLiteral("first"), Needed::Always);
  rows_[1] = add_row(*form, 2, QStringLiteral("second"), Needed::Optional);
  form->setColumnStretch(0, 2);
  form->setColumnStretch(1, 1);
  form->setColumnStretch(2, 1);
  return form;
}

QHBoxLayout* SweepDialog::make_bar() {
  auto* bar = new QHBoxLayout;
  plan_ = text_line(QStringLiteral("plan"), this);
  bar->addWidget(plan_, 1);
  progress_ = new QProgressBar(this);
  progress_->setAccessibleName(tr("Runs done"));
  progress_->setMaximumWidth(220);
  bar->addWidget(progress_);
  run_ = push_button(QStringLiteral("run_sweep"), tr("Run sweep"), this);
  bar->addWidget(run_);
  pause_ = push_button(QStringLiteral("pause"), tr("Pause"), this);
  pause_->setToolTip(tr("Pause after the current run"));
  bar->addWidget(pause_);
  return bar;
}

QWidget* SweepDialog::make_figures(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  auto* show = new QHBoxLayout;
  auto* show_label = new QLabel(tr("Show"), box);
  measure_ = new QComboBox(box);
  measure_->setObjectName(QStringLiteral("measure"));
  show_label->setBuddy(measure_);
  show->addWidget(show_label);
  show->addWidget(measure_, 1);
  column->addLayout(show);
  figures_ = new QStackedWidget(box);
  map_ = new HeatMap(figures_);
  chart_ = new ChartView(figures_);
  chart_->setAccessibleName(tr("Curve of the sweep"));
  figures_->addWidget(map_);
  figures_->addWidget(chart_);
  column->addWidget(figures_, 1);
  pointed_ = text_line(QStringLiteral("pointed"), box);
  pointed_->setMinimumHeight(2 * fontMetrics().height());
  pointed_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(pointed_);
  return box;
}

QWidget* SweepDialog::make_list(QWidget* parent) {
  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(&model_);
  sorted_->setSortRole(Qt::UserRole);
  list_ = make_list_view(*sorted_, QStringLiteral("rows"), tr("Runs of the sweep"), 0, parent,
                         tr("Every run of the sweep is listed here."));
  list_->setSortingEnabled(true);
  list_->sortByColumn(0, Qt::AscendingOrder);
  return list_;
}

QHBoxLayout* SweepDialog::make_foot() {
  auto* foot = new QHBoxLayout;
  found_ = text_line(QStringLiteral("found"), this);
  foot->addWidget(found_, 1);
  extend_ = push_button(QStringLiteral("extend"), tr("Extend the range"), this);
  extend_->setToolTip(tr("Sweep again, as far again beyond each end that the plateau reaches"));
  foot->addWidget(extend_);
  copy_ = push_button(QStringLiteral("copy"), tr("Copy table"), this);
  copy_->setToolTip(tr("Copy all runs as CSV"));
  foot->addWidget(copy_);
  save_ = push_button(QStringLiteral("save"), tr("Save…"), this);
  save_->setToolTip(tr("Write all runs as CSV, or the figure as PNG"));
  foot->addWidget(save_);
  take_ = push_button(QStringLiteral("take"), tr("Use the centre"), this);
  take_->setToolTip(
      tr("Restore the run at the centre of the plateau, where neighbouring values give similar "
         "results"));
  foot->addWidget(take_);
  return foot;
}

void SweepDialog::connect_buttons() {
  connect(run_, &QPushButton::clicked, this, &SweepDialog::run_or_stop);
  connect(pause_, &QPushButton::clicked, this, [this] {
    sweep_.state() == SweepController::State::Paused ? sweep_.go_on() : sweep_.pause();
  });
  connect(take_, &QPushButton::clicked, this, [this] {
    if (sweep_.plateau()) choose(sweep_.plateau()->centre);
  });
  connect(extend_, &QPushButton::clicked, this, &SweepDialog::extend_range);
  connect(copy_, &QPushButton::clicked, this, &SweepDialog::copy_table);
  connect(save_, &QPushButton::clicked, this, [this] { emit save_wanted(csv(), picture()); });
}

void SweepDialog::connect_figures() {
  connect(measure_, &QComboBox::activated, this, [this] {
    is_measure_chosen_ = true;
    model_.set_measure(measure());
    show_figures();
  });
  connect(map_, &HeatMap::pointed_at, pointed_, &QLabel::setText);
  connect(map_, &HeatMap::chosen, this, [this](std::size_t cell) { choose(cell); });
  connect(chart_, &ChartView::sample_hovered, this, [this](const PlotSample& sample) {
    pointed_->setText(sentence_of(sample.index));
    chart_->setAccessibleDescription(pointed_->text());
  });
  connect(chart_, &ChartView::hover_ended, pointed_, &QLabel::clear);
  connect(chart_, &ChartView::sample_picked, this,
          [this](const PlotSample& sample) { choose(sample.index); });
  connect(list_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    choose(static_cast<std::size_t>(sorted_->mapToSource(index).row()));
  });
}

void SweepDialog::connect_models() {
  connect(&sweep_, &SweepController::changed, this, &SweepDialog::follow_sweep);
  connect(&workbench_, &Workbench::part_changed, this, &SweepDialog::follow_document);
  connect(&workbench_, &Workbench::reference_changed, this, &SweepDialog::follow_document);
  connect(&workbench_, &Workbench::image_changed, this, &SweepDialog::follow_document);
  connect(&runs_.next(), &NextRun::missing_changed, this, &SweepDialog::show_plan);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &SweepDialog::show_plan);
}

void SweepDialog::sweep_parameter(const std::string& id) {
  follow_document();
  if (is_under_way()) return;
  const int item = rows_[0].parameter->findData(QString::fromStdString(id));
  if (item < 0) return;
  rows_[0].parameter->setCurrentIndex(item);
  rows_[1].parameter->setCurrentIndex(0);
  for (Row& row : rows_)
    offer_values(row);
  const Parameter& parameter = runs_.next().operation().parameter(id);
  if (parameter.choices() != nullptr) return;
  const auto [low, high] = range_around(parameter, runs_.next().scene().range, value_now(id));
  rows_[0].from->setText(QString::fromStdString(number_text(low)));
  rows_[0].to->setText(QString::fromStdString(number_text(high)));
  rows_[0].count->setValue(kUsualCountAlone);
  rows_[0].from->setFocus();
}

QString SweepDialog::csv() const {
  return sweep_.sweep() == nullptr ? QString()
                                   : QString::fromStdString(to_csv(*sweep_.sweep(), sweep_.rows()));
}

QImage SweepDialog::picture() {
  return figures_->currentWidget() == chart_ ? chart_->picture() : map_->grab().toImage();
}

SweepDialog::Row SweepDialog::add_row(QGridLayout& form, int line, const QString& name,
                                      Needed needed) {
  const QString which = needed == Needed::Always ? tr("first parameter") : tr("second parameter");
  const auto named = [&](QWidget* widget, const char* part, const QString& title) {
    widget->setObjectName(name + QLatin1Char('_') + QLatin1String(part));
    widget->setAccessibleName(title);
  };
  Row row;
  row.parameter = new QComboBox(this);
  named(row.parameter, "parameter", which);
  row.from = new QLineEdit(this);
  named(row.from, "from", tr("From, %1").arg(which));
  row.to = new QLineEdit(this);
  named(row.to, "to", tr("To, %1").arg(which));
  row.count = new QSpinBox(this);
  row.count->setRange(1, kMostCount);
  row.count->setValue(kUsualCount);
  named(row.count, "count", tr("Number of values, %1").arg(which));
  row.scale = new QComboBox(this);
  row.scale->addItem(tr("linear"), static_cast<int>(Scale::Linear));
  row.scale->addItem(tr("logarithmic"), static_cast<int>(Scale::Logarithmic));
  named(row.scale, "scale", tr("Spacing of the values, %1").arg(which));
  int column = 0;
  for (QWidget* widget :
       std::initializer_list<QWidget*>{row.parameter, row.from, row.to, row.count, row.scale})
    form.addWidget(widget, line, column++);
  Row* const own = &rows_[needed == Needed::Always ? 0 : 1];
  connect(row.parameter, &QComboBox::activated, this, [this, own] {
    offer_values(*own);
    show_plan();
  });
  connect(row.from, &QLineEdit::textChanged, this, &SweepDialog::show_plan);
  connect(row.to, &QLineEdit::textChanged, this, &SweepDialog::show_plan);
  connect(row.count, &QSpinBox::valueChanged, this, &SweepDialog::show_plan);
  connect(row.scale, &QComboBox::currentIndexChanged, this, &SweepDialog::show_plan);
  return row;
}

void SweepDialog::follow_document() {
  const bool is_2d = workbench_.image().geometry().is_2d();
  if (runs_.next().operation().id != operation_ || is_2d != is_2d_) {
    is_2d_ = is_2d;
    fill_parameters();
  }
  show_plan();
}

void SweepDialog::fill_parameters() {
  const Operation& operation = runs_.next().operation();
  operation_ = operation.id;
  for (Row& row : rows_) {
    row.parameter->clear();
    if (&row == &rows_[1]) row.parameter->addItem(tr("none"), QString());
    for (const Parameter& parameter : operation.parameters) {
      if (!can_vary(parameter, is_2d_)) continue;
      row.parameter->addItem(QString::fromStdString(parameter.title),
                             QString::fromStdString(parameter.id));
    }
  }
  // Logarithmic parameters are tuned most often, then other numbers.
  std::vector<int> preferred;
  for (const bool logarithmic : {true, false}) {
    int item = 0;
    for (const Parameter& parameter : operation.parameters) {
      if (!can_vary(parameter, is_2d_)) continue;
      const bool is_log = parameter.is_logarithmic();
      if (parameter.choices() == nullptr && is_log == logarithmic) {
        preferred.push_back(item);
      }
      ++item;
    }
  }
  if (!preferred.empty()) rows_[0].parameter->setCurrentIndex(preferred[0]);
  if (preferred.size() > 1) rows_[1].parameter->setCurrentIndex(preferred[1] + 1);
  for (Row& row : rows_)
    offer_values(row);
}

std::optional<double> SweepDialog::value_now(const std::string& id) const {
  const Run* shown = runs_.displayed().run();
  const Values values = runs_.next().asked_values();
  if (values.has(id) && !values.is_word(id)) return values.number(id);
  if (shown != nullptr && shown->recipe.operation == operation_ && shown->facts.values.has(id) &&
      !shown->facts.values.is_word(id)) {
    return shown->facts.values.number(id);
  }
  return {};
}

void SweepDialog::offer_values(Row& row) {
  const std::string id = row.parameter->currentData().toString().toStdString();
  const Parameter* parameter = runs_.next().operation().find_parameter(id);
  const bool has_range = parameter != nullptr && parameter->choices() == nullptr;
  for (QWidget* widget : std::initializer_list<QWidget*>{row.from, row.to, row.count, row.scale}) {
    widget->setEnabled(has_range);
  }
  if (!has_range) {
    row.from->clear();
    row.to->clear();
    return;
  }
  const auto [low, high] = usual_range(*parameter, runs_.next().scene().range, value_now(id));
  row.from->setText(QString::fromStdString(number_text(low)));
  row.to->setText(QString::fromStdString(number_text(high)));
  row.from->setToolTip(QString::fromStdString(domain_text(*parameter)));
  row.to->setToolTip(row.from->toolTip());
  row.scale->setCurrentIndex(parameter->is_logarithmic() ? 1 : 0);
}

std::optional<Vary> SweepDialog::vary_of(const Row& row) const {
  const std::string id = row.parameter->currentData().toString().toStdString();
  const Parameter* parameter = runs_.next().operation().find_parameter(id);
  if (parameter == nullptr) return {};
  if (parameter->choices() != nullptr) {
    Vary vary{.parameter = id, .by = Vary::By::List};
    for (const Choice& choice : *parameter->choices()) {
      if (applies_to(choice.applies, is_2d_)) vary.list.emplace_back(choice.id);
    }
    return vary;
  }
  const auto number = [&](const QLineEdit& edit) {
    const auto read = parse_number(edit.text().trimmed().toStdString());
    if (!read) {
      throw UsageError(tr("%1: '%2' is not a number")
                           .arg(QString::fromStdString(parameter->title), edit.text())
                           .toStdString());
    }
    return *read;
  };
  const double from = number(*row.from);
  const double to = number(*row.to);
  const auto scale = static_cast<Scale>(row.scale->currentData().toInt());
  if (scale == Scale::Logarithmic && !(from > 0.0 && to > 0.0)) {
    throw UsageError(tr("%1: logarithmic spacing needs numbers above 0")
                         .arg(QString::fromStdString(parameter->title))
                         .toStdString());
  }
  return vary_evenly(*parameter, from, to, row.count->value(), scale);
}

SweepGrid SweepDialog::planned() const {
  std::vector<SweepAxis> axes;
  for (const Row& row : rows_) {
    if (const auto vary = vary_of(row))
      axes.push_back(axis_of(runs_.next().operation(), *vary, is_2d_));
  }
  return SweepGrid(std::move(axes));
}

void SweepDialog::show_plan() {
  const bool under_way = is_under_way();
  QString text = runs_.next().missing();
  if (text.isEmpty() && !workbench_.has_image()) text = tr("Open an image first.");
  bool can_run = false;
  if (text.isEmpty()) {
    try {
      const std::size_t count = planned().size();
      text = tr("%n run(s)", nullptr, static_cast<int>(count));
      const Run* shown = runs_.displayed().run();
      if (shown != nullptr && shown->recipe.operation == operation_) {
        text += tr(", about %1")
                    .arg(QString::fromStdString(
                        in_time(shown->facts.total_ms * static_cast<double>(count))));
      }
      can_run = true;
    } catch (const UsageError& error) {
      text = QString::fromStdString(error.what());
    }
  }
  if (!under_way) plan_->setText(text);
  extend_->setVisible(!open_ends().empty());
  run_->setEnabled(can_run || under_way);
  const Reads reads = reads_of(runs_.next().recipe());
  const bool labels = runs_.next().operation().main_output(reads).labels() != nullptr;
  note_->setVisible(labels && workbench_.has_image() && workbench_.reference().labels.empty());
  note_->setText(tr(
      "No reference: the sweep shows volumes. Import a reference (Ctrl+R) to compute the Dice."));
}

void SweepDialog::run_or_stop() {
  if (is_under_way()) {
    sweep_.cancel();
    return;
  }
  try {
    sweep_.start(planned());
  } catch (const UsageError& error) {
    plan_->setText(QString::fromStdString(error.what()));
  }
}

void SweepDialog::follow_sweep() {
  if (sweep_.sweep() != measured_) show_measures();
  show_ranking_score();
  show_plan();
  show_progress();
  show_figures();
}

void SweepDialog::show_measures() {
  measured_ = sweep_.sweep();
  const SweepMeasure before = measure();
  measure_->clear();
  measures_.clear();
  if (measured_ != nullptr) measures_ = measures_of(*measured_);
  for (const SweepMeasure& each : measures_)
    measure_->addItem(title_of(*measured_, each, workbench_));
  const auto same = std::find(measures_.begin(), measures_.end(), before);
  if (same != measures_.end())
    measure_->setCurrentIndex(static_cast<int>(same - measures_.begin()));
  model_.set_measure(measure());
  for (int column = 0; column < model_.columnCount(); ++column)
    list_->resizeColumnToContents(column);
}

void SweepDialog::show_ranking_score() {
  if (is_measure_chosen_ || sweep_.rows().empty()) return;
  const ScoreKind ranked_by = sweep_.ranked_by();
  if (ranked_by == std::exchange(ranked_by_, ranked_by)) return;
  const auto ranking =
      std::find(measures_.begin(), measures_.end(), SweepMeasure{.score = ranked_by});
  if (ranking == measures_.end()) return;
  measure_->setCurrentIndex(static_cast<int>(ranking - measures_.begin()));
  model_.set_measure(*ranking);
}

SweepMeasure SweepDialog::measure() const {
  const int index = measure_->currentIndex();
  return index < 0 || index >= static_cast<int>(measures_.size())
             ? SweepMeasure{}
             : measures_[static_cast<std::size_t>(index)];
}

void SweepDialog::show_progress() {
  using State = SweepController::State;
  const State state = sweep_.state();
  const bool under_way = is_under_way();
  const auto done = static_cast<int>(sweep_.rows().size());
  run_->setText(under_way ? tr("Stop") : tr("Run sweep"));
  run_->setDefault(!under_way);  // Return in the form runs, and never stops
  run_->setToolTip(under_way ? tr("Stop the sweep; finished runs are kept")
                             : tr("Run the operation with every combination of these values"));
  pause_->setEnabled(under_way);
  pause_->setText(state == State::Paused ? tr("Continue") : tr("Pause"));
  progress_->setVisible(under_way);
  progress_->setRange(0, std::max(1, static_cast<int>(sweep_.grid().size())));
  progress_->setValue(done);
  for (Row& row : rows_)
    row.parameter->setEnabled(!under_way);
  copy_->setEnabled(done > 0);
  save_->setEnabled(done > 0);
  take_->setEnabled(sweep_.plateau().has_value());
  if (under_way) {
    plan_->setText(progress_text());
  } else if (!sweep_.failure().isEmpty()) {
    plan_->setText(sweep_.failure());
  }
  found_->setText(found_text());
  extend_->setVisible(!open_ends().empty());
}

bool SweepDialog::is_under_way() const {
  using State = SweepController::State;
  return sweep_.state() == State::Running || sweep_.state() == State::Paused;
}

QString SweepDialog::progress_text() const {
  const auto total = static_cast<int>(sweep_.grid().size());
  QString text = tr("%1 of %n run(s)", nullptr, total).arg(sweep_.rows().size());
  if (const auto left = sweep_.ms_left()) {
    text += tr(", %1 left").arg(QString::fromStdString(in_time(*left)));
  }
  if (sweep_.state() == SweepController::State::Paused) text += tr(", paused");
  return text;
}

std::vector<std::string> SweepDialog::open_ends() const {
  if (!sweep_.plateau() || is_under_way() || !is_form_of_sweep()) return {};
  return could_go_on(sweep_.grid(), *sweep_.plateau());
}

QString SweepDialog::found_text() const {
  if (!sweep_.plateau() || sweep_.sweep() == nullptr) return {};
  const Plateau& plateau = *sweep_.plateau();
  QStringList lines{tr("Best (ring): %1\nCentre of the plateau (dot): %2")
                        .arg(sentence_of(plateau.best), sentence_of(plateau.centre))};
  if (sweep_.found().is_flat() && !is_under_way()) {
    lines << tr("The curve is flat: %1 does not tell these values apart.")
                 .arg(name_of(sweep_.ranked_by()));
  }
  QStringList ends;
  for (const std::string& id : open_ends())
    ends << QString::fromStdString(sweep_.operation().parameter(id).title);
  if (!ends.isEmpty()) {
    lines << tr("The plateau reaches the end of %1. Try values beyond it.")
                 .arg(ends.join(tr(" and ")));
  }
  return lines.join(QLatin1Char('\n'));
}

bool SweepDialog::is_form_of_sweep() const {
  if (runs_.next().operation().id != sweep_.operation().id) return false;
  std::vector<std::string> chosen;
  for (const Row& row : rows_) {
    if (const QString id = row.parameter->currentData().toString(); !id.isEmpty())
      chosen.push_back(id.toStdString());
  }
  return std::ranges::equal(chosen, sweep_.grid().axes(), {}, {}, &SweepAxis::parameter);
}

void SweepDialog::extend_range() {
  const std::vector<std::string> ends = open_ends();
  if (ends.empty()) return;
  for (const std::string& id : ends) {
    const auto row = std::ranges::find_if(rows_, [&](const Row& each) {
      return each.parameter->currentData().toString().toStdString() == id;
    });
    const SweepAxis& axis = *std::ranges::find(sweep_.grid().axes(), id, &SweepAxis::parameter);
    auto [first, last] = extended_range(sweep_.grid(), *sweep_.plateau(), id);
    const int count = values_between(axis, first, last);
    if (sweep_.operation().parameter(id).is_whole()) {
      first = std::round(first);
      last = std::round(last);
    }
    row->from->setText(QString::fromStdString(number_text(first)));
    row->to->setText(QString::fromStdString(number_text(last)));
    row->count->setValue(count);
  }
  run_or_stop();
}

QString SweepDialog::sentence_of(std::size_t run) const {
  if (sweep_.sweep() == nullptr) return {};
  const QString values = varied_text(sweep_.operation(), sweep_.grid(), run);
  if (run >= sweep_.rows().size()) return tr("%1: not run yet").arg(values);
  const SweepRow& row = sweep_.rows()[run];
  if (!row.failure.empty()) return values + ": " + QString::fromStdString(row.failure);
  QStringList parts;
  const ScoreKind ranked_by = sweep_.ranked_by();
  if (const auto score = row.score(ranked_by)) {
    parts << tr("%1 %2").arg(name_of(ranked_by)).arg(*score, 0, 'f', 3);
    if (const auto mean = neighbour_mean(sweep_.grid(), sweep_.found().scores, run))
      parts << tr("mean with neighbours %1").arg(*mean, 0, 'f', 3);
  }
  const SweepMeasure shown = measure();
  if (!(shown == SweepMeasure{.score = ranked_by}) && !measures_.empty()) {
    parts << title_of(*sweep_.sweep(), shown, workbench_) + QLatin1Char(' ') +
                 figure_text(shown, figure_of(*sweep_.sweep(), row, shown));
  }
  return values + ": " + parts.join(QStringLiteral(", "));
}

void SweepDialog::show_figures() {
  const std::vector<SweepAxis>& axes = sweep_.grid().axes();
  const bool is_curve =
      sweep_.sweep() != nullptr && axes.size() == 1 && axes.front().values.size() > 1 &&
      std::all_of(axes.front().values.begin(), axes.front().values.end(),
                  [](const Value& value) { return std::holds_alternative<double>(value); });
  if (is_curve) {
    chart_->set_plot(curve());
  } else {
    show_heat_map();
  }
  figures_->setCurrentWidget(is_curve ? static_cast<QWidget*>(chart_) : map_);
}

Plot SweepDialog::curve() const {
  const Sweep& sweep = *sweep_.sweep();
  const SweepAxis& axis = sweep_.grid().axes().front();
  const Parameter& parameter = sweep_.operation().parameter(axis.parameter);
  Plot plot;
  plot.samples = Plot::Samples::Sparse;
  PlotCurve tried;
  bool positive = true;
  for (std::size_t run = 0; run < sweep_.grid().size(); ++run) {
    const bool done = run < sweep_.rows().size();
    const auto figure =
        done ? figure_of(sweep, sweep_.rows()[run], measure()) : std::optional<double>();
    tried.x.push_back(std::get<double>(axis.values[run]));
    tried.y.push_back(figure.value_or(std::numeric_limits<double>::quiet_NaN()));
    positive = positive && tried.x.back() > 0.0;
  }
  const bool logarithmic = parameter.is_logarithmic() && positive;
  plot.x = {.title = QString::fromStdString(parameter.title),
            .unit = unit_on(parameter, workbench_.image().geometry()),
            .scale = logarithmic ? PlotScale::Logarithmic : PlotScale::Linear};
  plot.y = {.title = measures_.empty() ? QString() : title_of(sweep, measure(), workbench_)};
  if (const auto& plateau = sweep_.plateau()) {
    const auto [first, last] = std::minmax_element(plateau->runs.begin(), plateau->runs.end());
    const auto [low, high] = std::minmax(tried.x[*first], tried.x[*last]);
    if (low < high) plot.shaded = {.low = low, .high = high};
    plot.marks = {{.curve = 0, .index = plateau->best, .kind = PlotMark::Kind::Ring},
                  {.curve = 0, .index = plateau->centre, .kind = PlotMark::Kind::Dot}};
  }
  plot.curves.push_back(std::move(tried));
  return plot;
}

void SweepDialog::show_heat_map() {
  HeatMapData cells;
  const Sweep* sweep = sweep_.sweep();
  const SweepGrid& grid = sweep_.grid();
  if (sweep == nullptr || measures_.empty()) {
    map_->set_data({});
    return;
  }
  const auto title = [&](const SweepAxis& axis) {
    const Parameter& parameter = sweep_.operation().parameter(axis.parameter);
    const QString name = QString::fromStdString(parameter.title);
    const QString unit = unit_on(parameter, workbench_.image().geometry());
    return unit.isEmpty() ? name : name + ", " + unit;
  };
  const auto texts = [&](const SweepAxis& axis) {
    QStringList all;
    for (const Value& value : axis.values)
      all << short_text(value);
    return all;
  };
  // Cells are numbered like runs: the first parameter upwards, the second to the right.
  cells.x_title = title(grid.axes().back());
  cells.columns = texts(grid.axes().back());
  cells.rows = QStringList{QString()};
  if (grid.axes().size() > 1) {
    cells.y_title = title(grid.axes().front());
    cells.rows = texts(grid.axes().front());
  }
  cells.value_title = title_of(*sweep, measure(), workbench_);
  cells.figures.resize(grid.size());
  for (std::size_t run = 0; run < grid.size(); ++run) {
    if (run < sweep_.rows().size()) {
      cells.figures[run] = figure_of(*sweep, sweep_.rows()[run], measure());
    }
    cells.texts << figure_text(measure(), cells.figures[run]);
    cells.sentences << sentence_of(run);
  }
  if (sweep_.plateau()) {
    cells.outlined = sweep_.plateau()->runs;
    cells.best = sweep_.plateau()->best;
    cells.centre = sweep_.plateau()->centre;
  }
  map_->set_data(std::move(cells));
}

void SweepDialog::choose(std::size_t run) {
  sweep_.restore(run);
}

void SweepDialog::copy_table() {
  if (sweep_.sweep() != nullptr) QGuiApplication::clipboard()->setText(csv());
}

}  // namespace seedwave::ui
