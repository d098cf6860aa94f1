// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/plateau.h"
#include "core/engine/sweep/sweep.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// What a sweep is made from, as it was when it started.
struct SweepSource {
  Recipe recipe;
  LoadedCase of;
  EarlierRuns earlier;
  LabelMap reference;
  Scored scored = Scored::Everywhere;
};

/// Runs a sweep of the chosen operation on what is on the workbench, run by run, in the background.
///
/// It has a thread of its own (decision 006) and gives way: while the window's own runs are going
/// on it waits, and a run of the sweep that is in flight when one of those starts is stopped and
/// made again afterwards. What it runs on is what was there when it started, whatever changes
/// since; another image ends it. Signals come on the window's thread.
class SweepController : public QObject {
  Q_OBJECT

 public:
  enum class State { None, Running, Paused, Ended };

  /// Both must outlive this.
  SweepController(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  /// Takes the place of the sweep before.
  void start(SweepGrid grid);
  /// Stops between two runs; go_on() makes those that are left.
  void pause();
  void go_on();
  /// Stops for good; what was done stays.
  void cancel();

  [[nodiscard]] State state() const noexcept { return state_; }
  /// The sweep that runs or ran last; null before its inputs are there.
  [[nodiscard]] const Sweep* sweep() const noexcept { return sweep_.get(); }
  [[nodiscard]] const SweepGrid& grid() const noexcept { return grid_; }
  /// What was done so far, in order of the runs' numbers.
  [[nodiscard]] const std::vector<SweepRow>& rows() const noexcept { return rows_; }
  [[nodiscard]] const SweepScores& scores() const noexcept { return scores_; }
  [[nodiscard]] const std::optional<Plateau>& plateau() const noexcept { return plateau_; }
  /// What is left may take so long; nothing before the first run has ended.
  [[nodiscard]] std::optional<double> ms_left() const;
  /// Why it ended before its end; empty otherwise.
  [[nodiscard]] const QString& failure() const noexcept { return failure_; }

  /// Brings strokes and values of a run back, and its result, as one undoable step.
  void restore(std::size_t run);

 signals:
  /// Another sweep, another state, or one row more.
  void changed();

 private:
  void clear();
  void prepare();
  void submit_next();
  void give_way();
  void take_row(SweepRow row, double ms);
  void fail(const QString& message);
  void set_state(State state);

  Workbench& workbench_;
  RunController& runs_;
  State state_ = State::None;
  SweepGrid grid_;
  SweepSource source_;
  std::shared_ptr<const Sweep> sweep_;
  std::vector<SweepRow> rows_;
  std::vector<double> times_;
  SweepScores scores_;
  std::optional<Plateau> plateau_;
  QString failure_;
  BackgroundTask task_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
