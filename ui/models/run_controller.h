// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/make_run.h"
#include "core/image/label_map.h"
#include "core/ops/operation_table.h"
#include "ui/base/mailbox.h"
#include "ui/models/background_task.h"
#include "ui/models/displayed_result.h"
#include "ui/models/kept_runs.h"
#include "ui/models/next_run.h"
#include "ui/models/scoring.h"
#include "ui/models/workbench.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::ui {

/// Runs the chosen operation on the data of the workbench in the background.
///
/// Live: every change of strokes or values starts a run, and the newest wins. While a run is in
/// flight, further changes wait as long as the last run took. Once: only run() starts a run. The
/// last good result stays until a newer one is ready. The runs of one slider drag leave one entry
/// in the history, the last. If the operation supports it, the visible part is displayed before the
/// whole is ready, or a draft of the whole. Neither is a result: no history or file contains it.
/// Signals are emitted on the window's thread.
class RunController : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this object.
  RunController(Workbench& workbench, const OperationTable& table, QObject* parent = nullptr);

  [[nodiscard]] const NextRun& next() const noexcept { return next_; }
  [[nodiscard]] const DisplayedResult& displayed() const noexcept { return displayed_; }
  [[nodiscard]] KeptRuns& history() noexcept { return history_; }
  [[nodiscard]] const KeptRuns& history() const noexcept { return history_; }

  [[nodiscard]] bool live() const noexcept { return live_; }
  void set_live(bool live);
  /// Starts a run now. If something is missing, NextRun::missing_changed is emitted instead.
  void run();
  /// Stops the run in flight and any request that waits for its channel. The last good result
  /// stays.
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return running_.has_value(); }
  /// Returns whether a job is in flight, scheduled, or waiting for its channel.
  [[nodiscard]] bool is_coming() const {
    return busy() || debounce_.isActive() || when_scene_is_there_;
  }
  /// Returns why the last run failed; empty if it succeeded or if its inputs have changed since.
  [[nodiscard]] const QString& failure() const noexcept { return failure_; }
  /// Returns why no map is displayed, or what it waits for; empty if one is displayed.
  [[nodiscard]] QString map_note() const;
  /// Sets the function that returns the visible part of the image. It returns nothing if all of the
  /// image, or no particular part, is visible.
  void set_focus(std::function<std::optional<Box>()> focus) { focus_ = std::move(focus); }
  /// Removes the result and the history, as for another image.
  void clear();

  /// Sets the runs of a session, and shows the result of the document: that of the run with its
  /// strokes and values or, if there is none, of the last one with its strokes, as outdated.
  void restore_history(std::vector<Run> runs);
  /// Restores the strokes and values of a run as one undoable step, then its result and maps in the
  /// background. Evicted results are recomputed as in that run and kept again. If the digest of the
  /// recomputed result differs, the run stays empty and `ended` reports why.
  void restore(std::uint64_t id);
  /// Same for a recipe that may not be in the history, such as one of a sweep. If the history has
  /// no run of it with that digest, the recipe is run again. Its `fixed` holds the values that it
  /// used. `step` is the name of the undo step.
  void repeat(const Recipe& recipe, const std::string& digest, const QString& step);
  /// Makes the next run estimate `auto` values anew from the current strokes.
  void re_estimate();
  /// Returns whether the displayed labels belong to the document and the operation can start from
  /// them.
  [[nodiscard]] bool can_correct_result() const;
  /// Makes the displayed labels those that the operation starts from, and takes all strokes off the
  /// list, as one step: further strokes decide anew only what they reach. `auto` values are
  /// estimated from these.
  void correct_result();
  /// Searches for the sigma_o with the best Dice of the current label and sets it, as one step.
  void search_sigma();

  /// Intermediate results that runs keep for the next one.
  [[nodiscard]] ScratchCache& cache() const noexcept { return task_.cache(); }

 signals:
  void live_changed(bool live);
  /// A job has started; `what` describes it in a word or two. If it replaces a job in flight,
  /// `ended` is not emitted for that one.
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  /// The job has ended, with or without a result. `message` is empty unless it failed.
  void ended(const QString& message);
  /// A message for the user, such as the result of a search.
  void said(const QString& text);

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
    /// Only edits change: see submit_edits().
    bool edits = false;
  };
  /// The job in flight.
  struct Running {
    std::uint64_t maps_of = 0;
    std::uint64_t order = 0;
    bool edits = false;
    QElapsedTimer since;
    std::optional<Preview> preview{};  // the last one
  };
  void on_part_changed(Part part);
  void on_image_changed();
  void on_scene_changed();
  void schedule();
  void submit();
  /// Puts the document's edits above the displayed result if nothing else has changed since its
  /// run. A small change is on screen at once, as a patch. Returns whether it has.
  bool submit_edits(const Recipe& asked);
  /// The state of the window that a job starts from.
  struct Basis {
    LabelMap before;     // the labels on screen
    LabelMap reference;  // empty: none
    Scored scored = Scored::Everywhere;
    std::uint64_t gesture = 0;
    std::uint64_t scoring = 0;  // Scoring::number()
  };
  [[nodiscard]] Basis basis() const;
  /// Scores a run, and returns what takes it as the result. Called on the thread of the job.
  [[nodiscard]] BackgroundTask::Delivery taking(MadeRun made, const Basis& basis, Context& context);
  /// Sets the changed box of the labels of a run, which is relative to `before`, to one that is
  /// relative to what is on screen.
  void mark_changed(const LabelMap& before, MadeRun& made) const;
  /// Ends the job: takes its result, or keeps the reason for its failure.
  void finish(const BackgroundTask::Delivery& take, const QString& failure);
  void start(Job job);
  void show_restored(std::uint64_t id, const LabelMap& labels, std::vector<ScalarMap> maps = {});
  /// Shows the labels of a run whose values are no longer those of the document, until there are
  /// newer ones: at once if live.
  void show_outdated(const Run& run);
  /// Returns whether its operation gives labels; true if this version has no such operation.
  [[nodiscard]] bool gives_labels(const Run& run) const;
  /// Recomputes the evicted results of a run.
  void recompute(std::uint64_t id);
  void start_maps(const Run& run);
  void take(MadeRun& made, std::uint64_t gesture);
  [[nodiscard]] Previews previews(std::uint64_t order);
  void take_preview(std::uint64_t order, Preview preview, MadeRun& part);
  void forget_part();
  /// Returns whether an operation or another run uses this run as an input.
  [[nodiscard]] bool is_read(const Run& run) const;
  [[nodiscard]] bool is_replaced_by(std::uint64_t gesture) const;
  /// Returns the label whose Dice a search maximizes; 0 if the reference has no painted label.
  [[nodiscard]] Label searched_label() const;
  void bring_back(const Recipe& recipe, const Values& used, std::uint64_t run, const QString& step);

  Workbench& workbench_;
  const OperationTable& table_;
  bool live_ = true;
  /// A run is being restored: the changes of the document start no new run.
  bool restoring_ = false;
  bool changed_since_submit_ = false;
  /// The newest request that waits for the scene, or empty.
  std::function<void()> when_scene_is_there_;
  /// Counts user actions. The moves of one drag are one action, with one entry in the history, and
  /// so are edits that follow each other.
  std::uint64_t gesture_ = 0;
  bool is_editing_ = false;
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
  std::optional<Running> running_;
  KeptRuns history_;
  DisplayedResult displayed_;
  NextRun next_;
  Scoring scoring_;
  /// The reason why the maps of the displayed run could not be recomputed.
  QString map_failure_;
  QString failure_;
  /// Delivers the visible part, which is ready before its task has ended.
  Mailbox mailbox_;
  BackgroundTask task_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
