// SPDX-License-Identifier: Apache-2.0
#include "ui/models/sweep_controller.h"

#include "core/engine/resolve.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace seedwave::ui {

namespace {

/// Returns the values without those that the sweep sets.
Values without_varied(const Values& values, const SweepGrid& grid) {
  Values kept;
  for (const auto& [id, value] : values) {
    const bool varied =
        std::any_of(grid.axes().begin(), grid.axes().end(),
                    [&id = id](const SweepAxis& axis) { return axis.parameter == id; });
    if (!varied) kept.set(id, value);
  }
  return kept;
}

Sweep sweep_of(const OperationTable& table, const SweepSource& source, const SweepGrid& grid,
               Context& context) {
  RunRequest run = request_of(source.recipe, resolve(table, source.recipe, source.of, context));
  run.values = without_varied(run.values, grid);
  SweepRequest request{.subject = std::make_shared<const OperationSubject>(table, std::move(run)),
                       .grid = grid};
  if (request.subject->gives_labels()) {
    request.reference = source.reference;
    request.scored = source.scored;
  }
  return Sweep(std::move(request));
}

}  // namespace

SweepController::SweepController(Workbench& workbench, RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {
  connect(&task_, &BackgroundTask::failed, this, &SweepController::fail);
  connect(&workbench_, &Workbench::image_changed, this, &SweepController::clear);
  connect(&runs_, &RunController::started, this, &SweepController::give_way);
  connect(&runs_, &RunController::ended, this, &SweepController::submit_next);
}

const Operation& SweepController::operation() const {
  return runs_.next().table().at(source_.recipe.operation);
}

void SweepController::clear() {
  if (state_ == State::None) return;
  task_.cancel();
  grid_ = {};
  source_ = {};
  sweep_.reset();
  rows_.clear();
  times_.clear();
  ranked_by_ = ScoreKind::Dice;
  found_ = {};
  failure_.clear();
  set_state(State::None);
}

void SweepController::start(SweepGrid grid) {
  clear();
  grid_ = std::move(grid);
  found_.scores.resize(grid_.size());
  source_ = {.recipe = runs_.next().recipe(),
             .of = runs_.next().case_for(workbench_.document().current_inputs()),
             .reference = workbench_.reference().labels,
             .scored = workbench_.document().scored};
  set_state(State::Running);
  submit_next();
}

void SweepController::prepare() {
  task_.start(
      [this, source = source_, grid = grid_, &table = runs_.next().table()](Context& context) {
        auto made = std::make_shared<const Sweep>(sweep_of(table, source, grid, context));
        return [this, made] {
          sweep_ = made;
          submit_next();
          emit changed();
        };
      });
}

void SweepController::submit_next() {
  if (state_ != State::Running || task_.busy() || runs_.busy()) return;
  if (sweep_ == nullptr) {
    prepare();
    return;
  }
  task_.start([this, sweep = sweep_, run = rows_.size()](Context& context) {
    const auto start = std::chrono::steady_clock::now();
    SweepRow row = sweep->run(run, context);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return [this, row = std::move(row), ms = taken.count()]() mutable {
      take_row(std::move(row), ms);
    };
  });
}

void SweepController::give_way() {
  task_.cancel();
}

void SweepController::take_row(SweepRow row, double ms) {
  rows_.push_back(std::move(row));
  times_.push_back(ms);
  ranked_by_ = sweep_->ranked_by(rows_);
  found_ = findings_of(grid_, scores_of(grid_, rows_, ranked_by_));
  if (rows_.size() == grid_.size()) {
    set_state(State::Ended);
  } else {
    submit_next();
    emit changed();
  }
}

void SweepController::fail(const QString& message) {
  failure_ = message;
  set_state(State::Ended);
}

void SweepController::set_state(State state) {
  state_ = state;
  emit changed();
}

void SweepController::pause() {
  if (state_ != State::Running) return;
  give_way();
  set_state(State::Paused);
}

void SweepController::go_on() {
  if (state_ != State::Paused) return;
  set_state(State::Running);
  submit_next();
}

void SweepController::cancel() {
  if (state_ != State::Running && state_ != State::Paused) return;
  give_way();
  set_state(State::Ended);
}

std::optional<double> SweepController::ms_left() const {
  return expected_ms(times_, grid_.size() - rows_.size());
}

void SweepController::restore(std::size_t run) {
  if (run >= rows_.size() || !rows_[run].failure.empty()) return;
  const SweepRow& row = rows_[run];
  Recipe recipe = source_.recipe;
  for (const auto& [id, value] : grid_.values_of(run))
    recipe.values.set(id, value);
  recipe.fixed = row.facts.values;
  runs_.repeat(recipe, row.facts.digest, tr("restore run %1 of the sweep").arg(run + 1));
}

}  // namespace seedwave::ui
