// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/fixed_values.h"
#include "core/engine/make_run.h"
#include "core/engine/run_history.h"
#include "core/engine/score.h"
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

/// What is shown of the last run: its outputs, and whether they still belong to the document.
struct Shown {
  /// Empty where the operation gives none.
  LabelMap labels;
  /// In the operation's order; empty where it gives none, or while they are computed again.
  std::vector<ScalarMap> maps;
  /// The entry in the history; 0: none.
  std::uint64_t run = 0;
  /// The document has changed since: the picture is older than the strokes.
  bool stale = false;
};

/// What is looked at: the last result, or what a newer run has given of the visible part.
struct Seen {
  const LabelMap& labels;
  const std::vector<ScalarMap>& maps;
  /// Whose they are; of a part only operation, strokes and labels are known. Null: none's.
  const Run* run = nullptr;
};

/// Runs the chosen operation on what is on the workbench, in the background, and keeps the history.
///
/// Live: every change of strokes or values starts a run, the newest wins; while one is in flight
/// further changes wait as long as the last run took. Once: only run() starts one. The last good
/// result stays until a newer one is there. The runs of one drag of a slider leave one entry in the
/// history, the last. Of an operation that can, the visible part is seen before the whole is there;
/// it is no result: it is in no history or file. Signals come on the window's thread.
class RunController : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  RunController(Workbench& workbench, const OperationTable& table, QObject* parent = nullptr);

  [[nodiscard]] const OperationTable& table() const noexcept { return table_; }
  /// Of the table; null where it has none of that name, as for a run of an older session.
  [[nodiscard]] const Operation* find_operation(const std::string& id) const;
  /// The operation chosen in the document; the first of the table where that is unknown.
  [[nodiscard]] const Operation& operation() const;
  /// The id of an operation that the document names and this version lacks; "" if there is none.
  [[nodiscard]] std::string unknown_operation() const;

  [[nodiscard]] bool live() const noexcept { return live_; }
  void set_live(bool live);
  /// Starts a run now. Without what it needs, says so by `missing_changed` and does nothing.
  void run();
  /// Stops the run in flight and what waits for its channel; the last good result stays.
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return running_.has_value(); }
  /// Busy, or about to be, without anyone asking again.
  [[nodiscard]] bool is_coming() const {
    return busy() || debounce_.isActive() || when_scene_is_there_;
  }
  /// What the user must still do; empty when a run can start.
  [[nodiscard]] QString missing() const;
  /// Why the last run gave nothing; empty when it gave something, or what it was made from has
  /// changed since.
  [[nodiscard]] const QString& failure() const noexcept { return failure_; }

  [[nodiscard]] const Shown& shown() const noexcept { return shown_; }
  [[nodiscard]] Seen seen() const;
  /// Only the visible part of what comes is seen yet.
  [[nodiscard]] bool sees_part() const noexcept { return part_.has_value(); }
  /// Who says which part of the image is seen; nothing: all of it, or none in particular.
  void set_focus(std::function<std::optional<Box>()> focus) { focus_ = std::move(focus); }
  /// Why there is no map to be seen, or what it waits for; empty when there is one.
  [[nodiscard]] QString map_note() const;
  /// The operation of the run that is seen gives maps and nothing else.
  [[nodiscard]] bool shows_only_maps() const;
  /// The operation of the run that is seen gives labels.
  [[nodiscard]] bool shows_labels() const;
  /// The labels that are seen are objects that an operation numbered.
  [[nodiscard]] bool shows_objects() const;
  /// The same of a run of the history.
  [[nodiscard]] bool has_objects(const Run& run) const;
  /// How many ranks the labels of a run may have, as ranks_in() says; 0 where they are none.
  [[nodiscard]] int ranks(const Run& run) const;
  /// What a label of the result that is seen is called: "liver", "object 3".
  [[nodiscard]] QString label_text(std::uint16_t label) const;
  /// The run that is shown, or null.
  [[nodiscard]] const Run* shown_run() const;
  /// Takes result and history away (another image).
  void clear();

  [[nodiscard]] const RunHistory& history() const noexcept { return history_; }
  void restore_history(std::vector<Run> runs);
  /// Brings strokes and values of a run back, as one undoable step, and then in the background its
  /// result, and its maps. What was given up for space is computed again as that run did, and put
  /// back; where something else comes out the run stays empty, and `ended` says why.
  void restore(std::uint64_t id);
  /// The same for a recipe that may not be in the history, such as one of a sweep: where the
  /// history has no run of it with that digest, it is run again. `fixed` holds the values that it
  /// used. `step` names the change for undo.
  void repeat(const Recipe& recipe, const std::string& digest, const QString& step);
  void remove(std::uint64_t id);
  void set_note(std::uint64_t id, const QString& note);
  /// Pins a run as "A", which others are compared with; 0 unpins.
  void pin(std::uint64_t id);
  [[nodiscard]] const Run* pinned() const;
  /// Keeps a run's curve in the plot, beside those of later runs.
  void pin_curve(std::uint64_t id, bool pinned);

  /// What the user set, with a painted label where naming one was left to us.
  [[nodiscard]] Values asked_values() const;
  /// The numbers that `auto` stands for since the first run with these labels; empty before it.
  [[nodiscard]] Values fixed_values() const;
  /// Looks for the sigma_o with the best Dice of the current label and sets it, as one step.
  void search_sigma();

  /// What runs keep for the next one.
  [[nodiscard]] ScratchCache& cache() const noexcept { return task_.cache(); }

  /// The recipe of the next run.
  [[nodiscard]] Recipe recipe() const;
  /// What recipes are applied to: the image on the workbench.
  [[nodiscard]] LoadedCase loaded_case() const;

  /// Lets the next run estimate `auto` values anew from the strokes as they are now.
  void re_estimate();

 signals:
  void live_changed(bool live);
  void missing_changed(const QString& missing);
  /// `what` is in work, in a word or two; also when it takes the place of a job in flight, which
  /// then does not end.
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  /// The job ended, with a result or without; `message` is empty unless it failed.
  void ended(const QString& message);
  void shown_changed();
  /// The visible part of what comes is there, or no longer wanted.
  void part_changed();
  /// The maps of the run that is shown came after its labels.
  void maps_changed();
  void history_changed();
  /// Something worth a line: what a search found.
  void said(const QString& text);
  void fixed_values_changed();

 private:
  struct Job {
    /// In a word or two, for people.
    QString what;
    BackgroundTask::Work work;
    /// The run whose maps it computes; 0: another job.
    std::uint64_t maps_of = 0;
    /// Of a run that was asked for: a part of another one is late. 0: another job.
    std::uint64_t order = 0;
    /// The part that is seen stays until this gives another, or all.
    bool keeps_part = false;
  };
  /// A job under way.
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
  /// The job is over: takes what it made, or keeps why it made nothing.
  void finish(const BackgroundTask::Delivery& take, const QString& failure);
  void start(Job job);
  void show_restored(std::uint64_t id, const LabelMap& labels, std::vector<ScalarMap> maps = {});
  /// Computes what a run gave and was given up for space.
  void recompute(std::uint64_t id);
  void start_maps(const Run& run);
  void take(MadeRun& made, std::uint64_t gesture);
  [[nodiscard]] std::optional<FirstPart> first_part(std::uint64_t order);
  void take_part(std::uint64_t order, MadeRun& part);
  void forget_part();
  /// What the user set, less what has no meaning on images of this dimension.
  [[nodiscard]] Values applicable_values() const;
  /// An operation or another run has it as an input.
  [[nodiscard]] bool is_read(std::uint64_t run) const;
  [[nodiscard]] bool is_replaced_by(std::uint64_t gesture) const;
  /// Whose Dice a search looks at; 0: the reference has no label that was painted.
  [[nodiscard]] std::uint16_t searched_label() const;
  /// All runs against the reference as it is compared with now: the one that is shown first.
  void rescore();
  void score_others(std::uint64_t scored);
  /// The run that is shown, and what is to be done after.
  void score_shown(const std::function<void()>& then = [] {});
  void score_late();
  void set_score(std::uint64_t id, const Score& score);
  void keep_fixed_values(const Recipe& recipe, const Values& used);
  void tell_missing();
  void forget_estimates();
  void bring_back(const Recipe& recipe, const Values& used, const QString& step);

  Workbench& workbench_;
  const OperationTable& table_;
  bool live_ = true;
  /// Restoring a run changes the document to what its result was made from: no new run.
  bool restoring_ = false;
  bool changed_since_submit_ = false;
  /// The newest of what was asked for while the scene was not there yet; empty: nothing.
  std::function<void()> when_scene_is_there_;
  /// Counts what the user did: the moves of one drag are one, and so is their entry in the history.
  std::uint64_t gesture_ = 0;
  /// The newest entry, as long as the next run of the same gesture takes its place.
  struct Latest {
    std::uint64_t run = 0;
    std::uint64_t gesture = 0;
  } latest_;
  QTimer debounce_;
  /// Until something of the last run was seen.
  double last_ms_ = 0.0;
  std::function<std::optional<Box>()> focus_;
  std::uint64_t last_order_ = 0;
  std::optional<MadeRun> part_;
  std::optional<Running> running_;
  Shown shown_;
  RunHistory history_;
  std::uint64_t pinned_ = 0;
  /// Why the maps of the run that is shown could not be computed again.
  QString map_failure_;
  QString failure_;
  FixedValues fixed_values_;
  QString last_missing_;
  /// Dice of results that were there before their reference.
  BackgroundTask scoring_;
  /// Counts how results were compared with a reference: a run in flight may tell an older Dice.
  std::uint64_t last_scoring_ = 0;
  /// For the visible part, which is there before its task has ended.
  Mailbox mailbox_;
  BackgroundTask task_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
