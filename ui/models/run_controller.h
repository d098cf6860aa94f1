// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/fixed_values.h"
#include "core/engine/make_run.h"
#include "core/engine/run_history.h"
#include "core/engine/score.h"
#include "core/image/label_map.h"
#include "core/ops/operation_table.h"
#include "ui/base/mailbox.h"
#include "ui/models/background_task.h"
#include "ui/models/workbench.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace seedwave::ui {

/// The displayed outputs of the last run, and whether they still belong to the document.
struct Shown {
  /// Empty if the operation gives none.
  LabelMap labels;
  /// In the operation's order; empty if it gives none, or while they are recomputed.
  std::vector<ScalarMap> maps;
  /// The entry in the history; 0: none.
  std::uint64_t run = 0;
  /// The document has changed since the run: the displayed result is out of date.
  bool stale = false;
};

/// The outputs on screen: the last result, or the visible part of a newer run.
struct Seen {
  const LabelMap& labels;
  const std::vector<ScalarMap>& maps;
  /// The run that gave them, or null. For a part only operation, strokes and labels are known.
  const Run* run = nullptr;
};

/// Runs the chosen operation on the data of the workbench in the background, and keeps the history.
///
/// Live: every change of strokes or values starts a run, and the newest wins. While a run is in
/// flight, further changes wait as long as the last run took. Once: only run() starts a run. The
/// last good result stays until a newer one is ready. The runs of one slider drag leave one entry
/// in the history, the last. If the operation supports it, the visible part is displayed before the
/// whole is ready. That part is not a result: no history or file contains it. Signals are emitted
/// on the window's thread.
class RunController : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this object.
  RunController(Workbench& workbench, const OperationTable& table, QObject* parent = nullptr);

  [[nodiscard]] const OperationTable& table() const noexcept { return table_; }
  /// Returns the operation chosen in the document; the first of the table if that is unknown.
  [[nodiscard]] const Operation& operation() const;
  /// Returns the id of the document's operation if this version lacks it, otherwise "".
  [[nodiscard]] std::string unknown_operation() const;

  [[nodiscard]] bool live() const noexcept { return live_; }
  void set_live(bool live);
  /// Starts a run now. If missing() is not empty, emits `missing_changed` instead.
  void run();
  /// Stops the run in flight and any request that waits for its channel. The last good result
  /// stays.
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return running_.has_value(); }
  /// Returns whether a job is in flight, scheduled, or waiting for its channel.
  [[nodiscard]] bool is_coming() const {
    return busy() || debounce_.isActive() || when_scene_is_there_;
  }
  /// Returns the next thing that the user must do; empty if a run can start.
  [[nodiscard]] QString missing() const;
  /// Returns why the last run failed; empty if it succeeded or if its inputs have changed since.
  [[nodiscard]] const QString& failure() const noexcept { return failure_; }

  [[nodiscard]] const Shown& shown() const noexcept { return shown_; }
  [[nodiscard]] Seen seen() const;
  /// Returns whether only the visible part of the coming result is displayed so far.
  [[nodiscard]] bool sees_part() const noexcept { return part_.has_value(); }
  /// Sets the function that returns the visible part of the image. It returns nothing if all of the
  /// image, or no particular part, is visible.
  void set_focus(std::function<std::optional<Box>()> focus) { focus_ = std::move(focus); }
  /// Returns why no map is displayed, or what it waits for; empty if one is displayed.
  [[nodiscard]] QString map_note() const;
  /// Returns whether the operation of the displayed run gives maps and no labels.
  [[nodiscard]] bool shows_only_maps() const;
  /// Returns whether the operation of the displayed run gives labels.
  [[nodiscard]] bool shows_labels() const;
  /// Returns whether the displayed labels are objects that an operation numbered.
  [[nodiscard]] bool shows_objects() const;
  /// Same for a run of the history.
  [[nodiscard]] bool has_objects(const Run& run) const;
  /// Returns the number of ranks that a run's labels may have, see ranks_in(); 0 if they are not
  /// ranks.
  [[nodiscard]] int ranks(const Run& run) const;
  /// Returns the name of a label of the displayed result: "liver", "object 3".
  [[nodiscard]] QString label_text(Label label) const;
  /// Returns the run of the last result, or null.
  [[nodiscard]] const Run* shown_run() const;
  /// Removes the result and the history, as for another image.
  void clear();

  [[nodiscard]] const RunHistory& history() const noexcept { return history_; }
  void restore_history(std::vector<Run> runs);
  /// Restores the strokes and values of a run as one undoable step, then its result and maps in the
  /// background. Evicted results are recomputed as in that run and kept again. If the digest of the
  /// recomputed result differs, the run stays empty and `ended` reports why.
  void restore(std::uint64_t id);
  /// Same for a recipe that may not be in the history, such as one of a sweep. If the history has
  /// no run of it with that digest, the recipe is run again. Its `fixed` holds the values that it
  /// used. `step` is the name of the undo step.
  void repeat(const Recipe& recipe, const std::string& digest, const QString& step);
  void remove(std::uint64_t id);
  void set_note(std::uint64_t id, const QString& note);
  /// Pins a run as "A", with which others are compared; 0 unpins.
  void pin(std::uint64_t id);
  [[nodiscard]] const Run* pinned() const;
  /// Keeps a run's curve in the plot, beside those of later runs.
  void pin_curve(std::uint64_t id, bool pinned);

  /// Returns the values that the user set. Parameters that name a label and were left unset get a
  /// painted label.
  [[nodiscard]] Values asked_values() const;
  /// Returns the values used for `auto` since the first run with these labels; empty before it.
  [[nodiscard]] Values fixed_values() const;
  /// Searches for the sigma_o with the best Dice of the current label and sets it, as one step.
  void search_sigma();

  /// Intermediate results that runs keep for the next one.
  [[nodiscard]] ScratchCache& cache() const noexcept { return task_.cache(); }

  /// Returns the recipe of the next run.
  [[nodiscard]] Recipe recipe() const;
  /// Returns the data that recipes are applied to: the image of the workbench, and the runs that
  /// `inputs` lead to.
  [[nodiscard]] LoadedCase case_for(const InputChoices& inputs) const;

  /// Makes the next run estimate `auto` values anew from the current strokes.
  void re_estimate();

 signals:
  void live_changed(bool live);
  void missing_changed(const QString& missing);
  /// A job has started; `what` describes it in a word or two. If it replaces a job in flight,
  /// `ended` is not emitted for that one.
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  /// The job has ended, with or without a result. `message` is empty unless it failed.
  void ended(const QString& message);
  void shown_changed();
  /// The visible part of the coming result is ready or was discarded.
  void part_changed();
  /// The maps of the displayed run are ready, after its labels.
  void maps_changed();
  void history_changed();
  /// A message for the user, such as the result of a search.
  void said(const QString& text);
  void fixed_values_changed();

 private:
  struct Job {
    /// Description for the user, in a word or two.
    QString what;
    BackgroundTask::Work work;
    /// The run whose maps the job computes; 0 for other jobs.
    std::uint64_t maps_of = 0;
    /// Number of the requested run, which identifies late parts of other runs; 0 for other jobs.
    std::uint64_t order = 0;
    /// The displayed part stays until this job gives another part or the whole.
    bool keeps_part = false;
  };
  /// The job in flight.
  struct Running {
    std::uint64_t maps_of = 0;
    std::uint64_t order = 0;
    QElapsedTimer since;
    bool gave_part = false;
  };
  void on_part_changed(Part part);
  void on_image_changed();
  void on_scene_changed();
  void schedule();
  void submit();
  /// Ends the job: takes its result, or keeps the reason for its failure.
  void finish(const BackgroundTask::Delivery& take, const QString& failure);
  void start(Job job);
  void show_restored(std::uint64_t id, const LabelMap& labels, std::vector<ScalarMap> maps = {});
  /// Recomputes the evicted results of a run.
  void recompute(std::uint64_t id);
  void start_maps(const Run& run);
  void take(MadeRun& made, std::uint64_t gesture);
  [[nodiscard]] std::optional<FirstPart> first_part(std::uint64_t order);
  void take_part(std::uint64_t order, MadeRun& part);
  void forget_part();
  /// Returns the values that the user set and that have a meaning for images of this dimension.
  [[nodiscard]] Values applicable_values() const;
  /// Returns whether an operation or another run uses this run as an input.
  [[nodiscard]] bool is_read(std::uint64_t run) const;
  [[nodiscard]] bool is_replaced_by(std::uint64_t gesture) const;
  /// Returns the label whose Dice a search maximizes; 0 if the reference has no painted label.
  [[nodiscard]] Label searched_label() const;
  /// Scores all runs against the current reference and region, the displayed run first.
  void rescore();
  void score_others(std::uint64_t scored);
  /// Scores the displayed run, then calls `then`.
  void score_shown(const std::function<void()>& then = [] {});
  void score_late();
  void set_score(std::uint64_t id, const Score& score);
  void keep_fixed_values(const Recipe& recipe, const Values& used);
  void tell_missing();
  void forget_estimates();
  void bring_back(const Recipe& recipe, const Values& used, std::uint64_t run, const QString& step);

  Workbench& workbench_;
  const OperationTable& table_;
  bool live_ = true;
  /// A run is being restored: the changes of the document start no new run.
  bool restoring_ = false;
  bool changed_since_submit_ = false;
  /// The newest request that waits for the scene, or empty.
  std::function<void()> when_scene_is_there_;
  /// Counts user actions. The moves of one drag are one action, with one entry in the history.
  std::uint64_t gesture_ = 0;
  /// The newest entry of the history, which the next run of the same gesture replaces.
  struct Latest {
    std::uint64_t run = 0;
    std::uint64_t gesture = 0;
  } latest_;
  QTimer debounce_;
  /// Time [ms] until a part or the whole of the last run was displayed.
  double last_ms_ = 0.0;
  std::function<std::optional<Box>()> focus_;
  std::uint64_t last_order_ = 0;
  std::optional<MadeRun> part_;
  std::optional<Running> running_;
  Shown shown_;
  RunHistory history_;
  std::uint64_t pinned_ = 0;
  /// The reason why the maps of the displayed run could not be recomputed.
  QString map_failure_;
  QString failure_;
  FixedValues fixed_values_;
  QString last_missing_;
  /// Computes the Dice of results that are older than their reference.
  BackgroundTask scoring_;
  /// Counts changes of reference or region, because a run in flight may deliver an outdated Dice.
  std::uint64_t last_scoring_ = 0;
  /// Delivers the visible part, which is ready before its task has ended.
  Mailbox mailbox_;
  BackgroundTask task_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
