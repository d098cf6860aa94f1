// SPDX-License-Identifier: Apache-2.0
#include "ui/models/sweep_controller.h"

#include "ui/models/run_inputs.h"

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
    : QObject(parent),
      workbench_(workbench),
      runs_(runs),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [this](std::uint64_t job, const JobOutcome& outcome) {
              mailbox_.post([this, job, outcome] { finish(job, outcome); });
            }) {
  connect(&workbench_, &Workbench::image_changed, this, &SweepController::clear);
  connect(&runs_, &RunController::started, this, &SweepController::give_way);
  connect(&runs_, &RunController::ended, this, &SweepController::submit_next);
}

SweepController::~SweepController() {
  jobs_.cancel();
}

void SweepController::clear() {
  if (state_ == State::None) return;
  jobs_.cancel();
  job_ = 0;
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
  auto made = std::make_shared<std::shared_ptr<const Sweep>>();
  job_ =
      jobs_.submit([made, order = order_, grid = grid_, &table = runs_.table()](Context& context) {
        *made = std::make_shared<const Sweep>(table, request_of(table, order, grid, context));
      });
  take_ = [this, made] { sweep_ = *made; };
}

void SweepController::submit_next() {
  if (state_ != State::Running || job_ != 0 || runs_.busy()) return;
  if (sweep_ == nullptr) {
    prepare();
    return;
  }
  struct Made {
    SweepRow row;
    double ms = 0.0;
  };
  auto made = std::make_shared<Made>();
  job_ = jobs_.submit([made, sweep = sweep_, run = rows_.size()](Context& context) {
    const auto start = std::chrono::steady_clock::now();
    made->row = sweep->run(run, context);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    made->ms = taken.count();
  });
  take_ = [this, made] { take_row(std::move(made->row), made->ms); };
}

void SweepController::give_way() {
  if (job_ == 0) return;
  jobs_.cancel();
  job_ = 0;  // what still comes of it is late
}

void SweepController::finish(std::uint64_t job, const JobOutcome& outcome) {
  if (job != job_ || job_ == 0) return;
  job_ = 0;
  if (outcome.end == JobEnd::Done) {
    std::exchange(take_, {})();
    if (rows_.size() == grid_.size()) {
      set_state(State::Ended);
    } else {
      submit_next();
      emit changed();
    }
    return;
  }
  if (outcome.end == JobEnd::Failed) failure_ = QString::fromStdString(outcome.message);
  set_state(State::Ended);
}

void SweepController::take_row(SweepRow row, double ms) {
  if (row.score) scores_[row.run] = row.score->dice;
  rows_.push_back(std::move(row));
  times_.push_back(ms);
  plateau_ = find_plateau(grid_, scores_);
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
