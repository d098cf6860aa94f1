// SPDX-License-Identifier: Apache-2.0
#include "ui/models/sweep_controller.h"

#include "core/engine/run_inputs.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace seedwave::ui {

namespace {

/// The values without those that the sweep sets.
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

SweepRequest request_of(const OperationTable& table, const RunOrder& order, const SweepGrid& grid,
                        Context& context) {
  SweepRequest request{.base = order.request, .grid = grid};
  request.base.values = without_varied(order.request.values, grid);
  take_inputs(table, order.inputs, order.sources, request.base.inputs, context);
  request.base.inputs.seeds = order.seeds.rasterise(order.sources.scene.geometry());
  if (table.at(order.request.operation).main_output().kind == OutputKind::Labels) {
    request.base.inputs.reference = order.reference;
    request.scored = order.scored;
  }
  return request;
}

}  // namespace

SweepController::SweepController(Workbench& workbench, RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {
  connect(&task_, &BackgroundTask::failed, this, &SweepController::fail);
  connect(&workbench_, &Workbench::image_changed, this, &SweepController::clear);
  connect(&runs_, &RunController::started, this, &SweepController::give_way);
  connect(&runs_, &RunController::ended, this, &SweepController::submit_next);
}

void SweepController::clear() {
  if (state_ == State::None) return;
  task_.cancel();
  grid_ = {};
  order_ = {};
  sweep_.reset();
  rows_.clear();
  times_.clear();
  scores_.clear();
  plateau_.reset();
  failure_.clear();
  set_state(State::None);
}

void SweepController::start(SweepGrid grid) {
  clear();
  grid_ = std::move(grid);
  scores_.resize(grid_.size());
  order_ = runs_.order();
  set_state(State::Running);
  submit_next();
}

void SweepController::prepare() {
  task_.start([this, order = order_, grid = grid_, &table = runs_.table()](Context& context) {
    auto made = std::make_shared<const Sweep>(table, request_of(table, order, grid, context));
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
  if (row.score) scores_[row.run] = row.score->dice;
  rows_.push_back(std::move(row));
  times_.push_back(ms);
  plateau_ = find_plateau(grid_, scores_);
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
  Run wanted;
  wanted.operation = order_.request.operation;
  wanted.values = order_.asked;
  for (const auto& [id, value] : grid_.values_of(run))
    wanted.values.set(id, value);
  wanted.values_used = row.values;
  wanted.digest = row.digest;
  wanted.seeds = order_.seeds;
  wanted.inputs = order_.inputs;
  wanted.requested = order_.requested;
  wanted.channel = order_.channel;
  runs_.repeat(wanted, tr("take run %1 of the sweep").arg(run + 1));
}

}  // namespace seedwave::ui
