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

/// The inputs of a sweep, as they were when it started.
struct SweepSource {
  Recipe recipe;
  LoadedCase of;
  LabelMap reference;
  Scored scored = Scored::Everywhere;
};

/// Runs a sweep of the chosen operation on what is on the workbench, run by run, in the background.
///
/// It has its own thread (decision 006) and gives way to the window's own runs: it waits for them,
/// and stops and repeats its current run when one starts. It uses the data as they were when it
/// started; opening another image ends it. Signals are emitted on the window's thread.
class SweepController : public QObject {
  Q_OBJECT

 public:
  enum class State { None, Running, Paused, Ended };

  /// Both must outlive this object.
  SweepController(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  /// Replaces the previous sweep.
  void start(SweepGrid grid);
  /// Interrupts the current run; go_on() repeats it and makes the remaining ones.
  void pause();
  void go_on();
  /// Stops for good; finished runs are kept.
  void cancel();

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Returns the current or last sweep; null until its inputs are ready.
  [[nodiscard]] const Sweep* sweep() const noexcept { return sweep_.get(); }
  [[nodiscard]] const SweepGrid& grid() const noexcept { return grid_; }
  /// Returns the finished runs in order of their numbers.
  [[nodiscard]] const std::vector<SweepRow>& rows() const noexcept { return rows_; }
  /// Returns the operation that the sweep runs.
  [[nodiscard]] const Operation& operation() const;
  /// Returns the score by which the runs are ranked.
  [[nodiscard]] ScoreKind ranked_by() const noexcept { return ranked_by_; }
  [[nodiscard]] const SweepFindings& found() const noexcept { return found_; }
  [[nodiscard]] const std::optional<Plateau>& plateau() const noexcept { return found_.plateau; }
  /// Returns the estimated time [ms] of the remaining runs; nothing before the first run has ended.
  [[nodiscard]] std::optional<double> ms_left() const;
  /// Returns why the sweep ended early; empty otherwise.
  [[nodiscard]] const QString& failure() const noexcept { return failure_; }

  /// Restores the strokes, values and result of a run as one undoable step.
  void restore(std::size_t run);

 signals:
  /// The sweep, its state or its rows have changed.
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
  ScoreKind ranked_by_ = ScoreKind::Dice;
  SweepFindings found_;
  QString failure_;
  BackgroundTask task_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
