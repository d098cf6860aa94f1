// SPDX-License-Identifier: Apache-2.0
#include "ui/models/plot_model.h"

#include "core/engine/shown_unit.h"
#include "core/ops/curve_columns.h"
#include "ui/models/fitting_input.h"
#include "ui/models/run_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace seedwave::ui {

namespace {

bool is_pinned_run(const Run& run) {
  return run.curve_pinned || run.pinned;
}

bool has_curve(const Run& run) {
  return !run.curves.empty();
}

QString title_of(const CurveColumn& column) {
  return QString::fromStdString(column.title);
}

/// Returns the quantities over x, each once: the columns of a label share those without a label.
QStringList quantities_in(const std::vector<CurveColumn>& columns) {
  QStringList titles;
  for (auto column = columns.begin() + 1; column < columns.end(); ++column)
    titles << title_of(*column);
  titles.removeDuplicates();
  return titles;
}

/// Returns whether all columns of a kind are drawn together. They are not if there are columns of
/// labels.
bool are_seen_together(const OutputSpec& output, const std::vector<CurveColumn>& columns) {
  return output.columns().back().repeats &&
         std::none_of(columns.begin(), columns.end(),
                      [](const CurveColumn& column) { return column.label.has_value(); });
}

/// Returns a value in the range of the parameter, rounded if it is an integer; nothing if there is
/// none.
std::optional<double> value_in_domain(const Parameter& parameter, double value, double period) {
  const NumberDomain* range = parameter.numbers();
  if (range == nullptr) return std::nullopt;
  if (range->whole) value = std::round(value);
  if (period > 0 && value > range->high)
    value -= period * std::ceil((value - range->high) / period);
  if (period > 0 && value < range->low) value += period * std::ceil((range->low - value) / period);
  if (!(value >= range->low && value <= range->high)) return std::nullopt;
  return value;
}

/// Returns a title such as "Angle" in lower case for use inside a sentence. Symbols and
/// abbreviations are unchanged.
QString inside_sentence(const QString& title) {
  if (title.size() < 2 || !title[1].isLower()) return title;
  return title[0].toLower() + title.mid(1);
}

}  // namespace

PlotModel::PlotModel(Workbench& workbench, RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {
  connect(&runs_.history(), &KeptRuns::changed, this, &PlotModel::refresh);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &PlotModel::refresh);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    // The uses of an x depend on them.
    if (part == Part::Operation || part == Part::Values) emit changed();
  });
}

const Operation* PlotModel::operation_of(const Run& run) const {
  return runs_.next().table().find(run.recipe.operation);
}

std::vector<const Run*> PlotModel::runs_with_curves() const {
  std::vector<const Run*> runs;
  for (const Run& run : runs_.history().runs()) {
    if (has_curve(run) && operation_of(run) != nullptr) runs.push_back(&run);
  }
  return runs;
}

const OutputSpec* PlotModel::output_of(const Run& run, int output) const {
  const Operation* operation = operation_of(run);
  if (operation == nullptr) return nullptr;
  int at = 0;
  for (const OutputSpec& spec : operation->outputs) {
    const auto curve = run.curves.find(spec.id);
    if (spec.curve() == nullptr || curve == run.curves.end()) continue;
    if (curve_columns(spec, curve->second).size() < 2) continue;
    if (at++ == output) return &spec;
  }
  return nullptr;
}

PlotAxis PlotModel::axis_of(const Run& run, const ColumnSpec& column) const {
  const Geometry& grid = workbench_.image().geometry();
  std::string unit = column.unit_of(run.facts.values, grid);
  if (unit == "image units") {
    // The unit of an image that a run computed is unknown.
    unit = run.recipe.inputs.contains(name_of(InputKind::Image))
               ? ""
               : workbench_.opened().loaded.hints.unit;
  }
  const ShownUnit shown = shown_unit(unit, grid);
  return {.title = QString::fromStdString(column.title),
          .unit = QString::fromStdString(shown.symbol),
          .period = column.period * shown.scale,
          .note = QString::fromStdString(column.note)};
}

double PlotModel::scale_of(const Run& run, const ColumnSpec& column) const {
  const Geometry& grid = workbench_.image().geometry();
  const std::string unit = column.unit_of(run.facts.values, grid);
  return shown_unit(unit, grid).scale;
}

/// Another run may have fewer quantities: the one at the same place is drawn instead.
bool PlotModel::is_drawn(const QStringList& titles, const QString& title) const {
  if (quantity_ >= quantities_.size() || quantities_[quantity_] == tr("All")) return true;
  const QString& chosen = quantities_[quantity_];
  return title == (titles.contains(chosen) ? chosen : titles.value(quantity_, title));
}

Plot PlotModel::plot_of(const Run& run, const OutputSpec& output, const QString& name) const {
  const Table& table = run.curves.at(output.id);
  const std::vector<CurveColumn> columns = curve_columns(output, table);
  const QStringList quantities = quantities_in(columns);
  Plot plot{.x = axis_of(run, *columns.front().spec), .y = {}, .curves = {}};
  const std::vector<std::vector<double>>& rows = table.rows;
  const auto column = [&](std::size_t at) {
    const double scale = scale_of(run, *columns[at].spec);
    std::vector<double> numbers;
    numbers.reserve(rows.size());
    for (const std::vector<double>& row : rows)
      numbers.push_back(row[at] * scale);
    return numbers;
  };
  const auto drawn = std::count_if(quantities.begin(), quantities.end(),
                                   [&](const QString& each) { return is_drawn(quantities, each); });
  QStringList axis_titles;
  for (std::size_t at = 1; at < columns.size(); ++at) {
    const QString title = title_of(columns[at]);
    if (!is_drawn(quantities, title)) continue;
    // The curves of a label do not depend on the pointer; those of the run are drawn.
    if (columns[at].label && look_ && &run == &*look_) continue;
    const PlotAxis y = axis_of(run, *columns[at].spec);
    axis_titles << y.title;
    plot.y.unit = y.unit;
    QStringList parts{name};
    if (columns[at].label) parts << workbench_.label_name(*columns[at].label);
    if (drawn > 1) parts << title;
    plot.curves.push_back(
        {.name = parts.join(QStringLiteral(", ")), .run = run.id, .x = column(0), .y = column(at)});
    if (columns[at].label) plot.curves.back().color = workbench_.label_color(*columns[at].label);
    // The colour identifies a kind when the pointer moves.
    if (drawn > 1 && columns[at].spec->repeats && !columns[at].label)
      plot.curves.back().kind = static_cast<std::size_t>(quantities.indexOf(title));
  }
  axis_titles.removeDuplicates();
  plot.y.title = axis_titles.join(QStringLiteral(", "));
  return plot;
}

QString PlotModel::name_of_run(const Run& run) const {
  const Run* shown = runs_.history().find(run_);
  const Operation* operation = operation_of(run);
  QStringList parts;
  if (shown == nullptr || operation == nullptr) return tr("Run %1").arg(run.id);
  if (run.recipe.operation != shown->recipe.operation) {
    parts << QString::fromStdString(operation->title);
  } else {
    // Values in which any two of the drawn runs differ.
    std::set<std::string> differing;
    for (const Run* other : runs_with_curves()) {
      if (other->recipe.operation != run.recipe.operation) continue;
      if (other->id != run_ && !is_pinned_run(*other)) continue;
      for (const auto& [id, value] : shown->facts.values) {
        if (!other->facts.values.has(id) || !(other->facts.values.at(id) == value))
          differing.insert(id);
      }
    }
    for (const Parameter& parameter : operation->parameters) {
      if (!differing.contains(parameter.id) || !run.facts.values.has(parameter.id)) continue;
      parts << QStringLiteral("%1 %2").arg(inside_sentence(QString::fromStdString(parameter.title)),
                                           value_text(run.facts.values.at(parameter.id)));
    }
    if (run.recipe.channel != shown->recipe.channel)
      parts << QString::fromStdString(run.recipe.channel);
  }
  const QString name = tr("Run %1").arg(run.id);
  return parts.isEmpty() ? name
                         : QStringLiteral("%1: %2").arg(name, parts.join(QStringLiteral(", ")));
}

QString PlotModel::title() const {
  const Run* run = drawn_run();
  const Operation* operation = run == nullptr ? nullptr : operation_of(*run);
  if (operation == nullptr) return {};
  const QString name = look_ ? look_name_ : tr("Run %1").arg(run->id);
  return tr("%1: %2").arg(name, QString::fromStdString(operation->title));
}

const Run* PlotModel::drawn_run() const {
  return look_ ? &*look_ : runs_.history().find(run_);
}

QString PlotModel::name_of_drawn() const {
  return look_ ? look_name_ : name_of_run(*runs_.history().find(run_));
}

void PlotModel::look_at(const std::optional<Run>& look, const QString& name) {
  if (!look && !look_) return;
  look_ = look;
  look_name_ = name;
  refresh();
}

void PlotModel::follow_run() {
  const Run* shown = runs_.displayed().run();
  if (shown != nullptr && has_curve(*shown) && operation_of(*shown) != nullptr) run_ = shown->id;
  if (const Run* run = runs_.history().find(run_); run != nullptr && has_curve(*run)) return;
  run_ = 0;
  for (const Run* run : runs_with_curves()) {
    if (is_pinned_run(*run)) run_ = run->id;
  }
}

void PlotModel::tell_what_there_is() {
  outputs_.clear();
  quantities_.clear();
  const Run* run = drawn_run();
  if (run == nullptr) return;
  for (int at = 0; const OutputSpec* output = output_of(*run, at); ++at)
    outputs_ << QString::fromStdString(output->id);
  if (output_ >= outputs_.size()) output_ = 0;
  const OutputSpec* output = output_of(*run, output_);
  if (output == nullptr) return;
  const std::vector<CurveColumn> columns = curve_columns(*output, run->curves.at(output->id));
  std::set<QString> units;
  for (std::size_t i = 1; i < columns.size(); ++i)
    units.insert(axis_of(*run, *columns[i].spec).unit);
  quantities_ = quantities_in(columns);
  if (quantities_.size() > 1 && units.size() == 1) quantities_ << tr("All");
  if (std::exchange(quantities_of_, run->recipe.operation) != run->recipe.operation)
    chosen_quantity_.reset();
  const int first =
      are_seen_together(*output, columns) ? static_cast<int>(quantities_.size()) - 1 : 0;
  quantity_ = chosen_quantity_.value_or(first);
  if (quantity_ >= quantities_.size()) quantity_ = first;
}

std::optional<QString> PlotModel::add_curve(const Run& run, const QString& name) {
  QString other;
  for (int at = 0; const OutputSpec* output = output_of(run, at); ++at) {
    Plot plot = plot_of(run, *output, name);
    const bool same_curve = run.recipe.operation != drawn_run()->recipe.operation || at == output_;
    if (same_curve && plot.x == plot_.x && plot.y == plot_.y) {
      std::move(plot.curves.begin(), plot.curves.end(), std::back_inserter(plot_.curves));
      return std::nullopt;
    }
    if (other.isEmpty()) other = tr("%1 over %2").arg(plot.y.text(), plot.x.text());
  }
  return other;
}

void PlotModel::add_pinned() {
  pinned_.clear();
  left_out_.clear();
  const Run* shown = runs_.history().find(run_);
  if (look_ && shown != nullptr && shown->recipe.operation == look_->recipe.operation)
    static_cast<void>(add_curve(*shown, name_of_run(*shown)));
  QStringList left_out;
  for (const Run* run : runs_with_curves()) {
    if (!is_pinned_run(*run)) continue;
    const QString name = name_of_run(*run);
    pinned_.push_back({.run = run->id, .name = name, .by_curve = run->curve_pinned});
    if (run->id == run_ || drawn_run() == nullptr) continue;
    if (const auto other = add_curve(*run, name)) left_out << tr("%1 (%2)").arg(name, *other);
  }
  if (!left_out.isEmpty())
    left_out_ =
        tr("Not drawn, because its axes differ: %1").arg(left_out.join(QStringLiteral("; ")));
}

void PlotModel::keep_colors() {
  const auto before = std::exchange(colors_, {});
  std::map<std::uint64_t, std::size_t> places;
  std::set<std::size_t> taken;
  std::vector<std::pair<PlotCurve*, std::size_t>> fresh;
  for (PlotCurve& curve : plot_.curves) {
    if (curve.kind || !curve.color.isEmpty()) continue;
    const std::size_t place = places[curve.run]++;
    const auto had = before.find({curve.run, place});
    if (had == before.end()) {
      fresh.emplace_back(&curve, place);
      continue;
    }
    curve.kind = colors_[had->first] = had->second;
    taken.insert(had->second);
  }
  for (std::size_t free = 0; const auto& [curve, place] : fresh) {
    while (taken.contains(free))
      ++free;
    curve->kind = colors_[{curve->run, place}] = free;
    taken.insert(free);
  }
}

void PlotModel::refresh() {
  follow_run();
  tell_what_there_is();
  plot_ = {};
  const Run* run = drawn_run();
  const OutputSpec* output = run == nullptr ? nullptr : output_of(*run, output_);
  if (output != nullptr) plot_ = plot_of(*run, *output, name_of_drawn());
  add_pinned();
  keep_colors();
  emit changed();
  if (run == nullptr) came_from_.clear();
  const bool is_new = look_ || run_ == runs_.displayed().result().run;
  if (output == nullptr || !is_new || run->recipe.operation == came_from_) return;
  came_from_ = run->recipe.operation;
  emit curve_came();
}

void PlotModel::choose_output(int output) {
  output_ = output;
  chosen_quantity_.reset();
  refresh();
}

void PlotModel::choose_quantity(int quantity) {
  chosen_quantity_ = quantity;
  refresh();
}

bool PlotModel::is_pinned() const {
  const Run* run = runs_.history().find(run_);
  return run != nullptr && run->curve_pinned;
}

bool PlotModel::is_current(const PlotUse& use) const {
  return use.operation == runs_.next().operation().id;
}

bool PlotModel::has_uses() const {
  const Run* run = runs_.history().find(run_);
  const OutputSpec* output = run == nullptr ? nullptr : output_of(*run, output_);
  return output != nullptr && !output->curve()->x_parameter.empty();
}

bool PlotModel::is_set(const PlotUse& use) const {
  const Values set = workbench_.document().current_values();
  return is_current(use) && set.has(use.parameter) && set.at(use.parameter) == Value(use.value);
}

std::vector<PlotUse> PlotModel::uses(double x) const {
  const Run* run = runs_.history().find(run_);
  const OutputSpec* output = run == nullptr ? nullptr : output_of(*run, output_);
  if (output == nullptr || output->curve()->x_parameter.empty() || !std::isfinite(x)) return {};
  const ColumnSpec& column = output->columns().front();
  const double own = x / scale_of(*run, column);
  const bool image_is_2d = workbench_.image().geometry().is_2d();
  std::vector<PlotUse> uses;
  const auto add = [&](const Operation& operation) {
    const Parameter* parameter = operation.find_parameter(output->curve()->x_parameter);
    if (parameter == nullptr || !applies_to(parameter->applies, image_is_2d)) return;
    const std::optional<double> value = value_in_domain(*parameter, own, column.period);
    if (!value) return;
    uses.push_back({.operation = operation.id,
                    .parameter = parameter->id,
                    .value = *value,
                    .value_text = number_with_unit(*value * scale_of(*run, column),
                                                   axis_of(*run, column).unit),
                    .parameter_title = inside_sentence(QString::fromStdString(parameter->title)),
                    .operation_title = QString::fromStdString(operation.title)});
  };
  add(runs_.next().operation());
  if (!uses.empty()) return uses;
  for (const Operation& operation : runs_.next().table().operations())
    add(operation);
  const auto last_run = [this](const PlotUse& use) {
    std::uint64_t last = 0;
    for (const Run& each : runs_.history().runs()) {
      if (each.recipe.operation == use.operation) last = std::max(last, each.id);
    }
    return last;
  };
  std::stable_sort(uses.begin(), uses.end(),
                   [&](const PlotUse& a, const PlotUse& b) { return last_run(a) > last_run(b); });
  return uses;
}

void PlotModel::apply(const PlotUse& use) {
  QUndoStack& steps = workbench_.steps().undo_stack();
  const bool another = !is_current(use);
  if (another) {
    steps.beginMacro(tr("use of %1 as %2").arg(use.value_text, use.parameter_title));
    choose_operation(workbench_, runs_, use.operation, use.operation_title);
  }
  workbench_.steps().set_value(use.parameter, use.value, use.parameter_title);
  if (another) steps.endMacro();
}

}  // namespace seedwave::ui
