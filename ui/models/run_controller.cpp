// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_controller.h"

#include "core/engine/score.h"
#include "core/ops/sigma_search.h"

#include <QUndoCommand>

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

namespace seedwave::ui {

namespace {

/// Returns `after`. If both have the same grid, the box where it differs from `before`, the labels
/// on screen, is marked as changed.
LabelMap with_changes_since(const LabelMap& before, const LabelMap& after) {
  if (after.empty() || before.empty() || !same_grid(before.geometry(), after.geometry()))
    return after;
  return after.with_changed(changed_box(before, after));
}

/// The most voxels of a change of edits that the window's thread looks at.
constexpr std::int64_t kMostPatched = 1 << 20;
/// The longest time [ms] that a change waits for the run in flight.
constexpr double kLongestDebounceMs = 1000.0;

/// Drops the numbers kept for `auto`; undone, they are back.
class ForgetFixedValues final : public QUndoCommand {
 public:
  explicit ForgetFixedValues(NextRun& next) : next_(next) {}

  void redo() override { kept_ = next_.forget_fixed_values(); }
  void undo() override { next_.bring_back_fixed_values(std::move(kept_)); }

 private:
  NextRun& next_;
  FixedValues kept_;
};

}  // namespace

RunController::RunController(Workbench& workbench, const OperationTable& table, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      table_(table),
      displayed_(workbench, table, history_),
      next_(workbench, table, history_),
      scoring_(workbench, table, history_, displayed_) {
  debounce_.setSingleShot(true);
  connect(&debounce_, &QTimer::timeout, this, &RunController::submit);
  connect(&workbench_, &Workbench::part_changed, this, &RunController::on_part_changed);
  connect(&workbench_, &Workbench::image_changed, this, &RunController::on_image_changed);
  connect(&workbench_, &Workbench::scene_changed, this, &RunController::on_scene_changed);
  connect(&task_, &BackgroundTask::progressed, this, [this](const QString& stage, double fraction) {
    const std::optional<Preview>& preview = running_->preview;
    emit progressed(!preview                   ? stage
                    : preview == Preview::Part ? tr("Rest of the image: %1").arg(stage)
                                               : tr("Refining the draft: %1").arg(stage),
                    fraction);
  });
  connect(&task_, &BackgroundTask::failed, this,
          [this](const QString& message) { finish([] {}, message); });
  connect(&scoring_, &Scoring::failed, this, [this](const QString& message) {
    emit said(tr("Dice could not be computed: %1").arg(message));
  });
}

void RunController::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  emit live_changed(live);
  if (live && displayed_.result().stale) schedule();
}

void RunController::on_image_changed() {
  clear();
  next_.check_missing();
}

void RunController::on_scene_changed() {
  if (const auto asked_for = std::exchange(when_scene_is_there_, {})) {
    asked_for();
    return;
  }
  const Run* run = displayed_.run();
  if (run != nullptr && !changed_since_submit_ && !busy() && displayed_.result().maps.empty()) {
    start_maps(*run);  // of a restored run, once its channel is ready
  }
}

void RunController::clear() {
  cancel();
  displayed_.set_result({});
  failure_.clear();
  history_.record().clear();
  latest_ = {};
  emit history_.changed();
  emit displayed_.changed();
  next_.forget_fixed_values();
}

void RunController::on_part_changed(Part part) {
  // Names, colours, regions and offered stains do not affect results; strokes affect only
  // operations that read them.
  const bool is_input = part != Part::Labels && part != Part::Regions && part != Part::Stains &&
                        (part != Part::Seeds || next_.operation().wants(InputKind::Seeds));
  if (!is_input) {
    next_.check_missing();
    return;
  }
  if (part == Part::Channel) next_.forget_fixed_values();
  failure_.clear();
  next_.check_missing();
  const bool edits_on = std::exchange(is_editing_, part == Part::Edits) && part == Part::Edits;
  if (!workbench_.steps().change_continues() && !edits_on) ++gesture_;
  if (restoring_) return;
  changed_since_submit_ = true;
  // Edits are no run: they are shown at once, also without Live.
  const bool keeps_result = !live_ || next_.missing().isEmpty();
  if (part == Part::Edits && keeps_result && submit_edits(next_.recipe())) return;
  schedule();
  if (displayed_.result().run != 0 && !displayed_.result().stale) {
    displayed_.set_stale(true);
    emit displayed_.changed();
  }
}

void RunController::schedule() {
  if (!live_) return;
  if (!next_.missing().isEmpty()) {
    // The result is a function of the inputs: if one is missing, no result is displayed, not even
    // an old one.
    cancel();
    debounce_.stop();
    if (displayed_.result().run != 0) {
      displayed_.set_result({});
      emit displayed_.changed();
    }
    return;
  }
  if (workbench_.opened().scene.volume.empty()) {  // another channel is being computed
    cancel();
    when_scene_is_there_ = [this] { schedule(); };
    return;
  }
  // If the run in flight has already displayed something, the next one need not wait.
  const bool waits = busy() && !running_->preview;
  debounce_.start(waits ? static_cast<int>(std::min(last_ms_, kLongestDebounceMs)) : 0);
}

void RunController::run() {
  debounce_.stop();
  ++gesture_;
  if (next_.missing().isEmpty()) {
    submit();
  } else {
    emit next_.missing_changed(next_.missing());
  }
}

RunController::Basis RunController::basis() const {
  return {.before = displayed_.result().labels,
          .reference = workbench_.reference().labels,
          .scored = workbench_.document().scored,
          .gesture = gesture_,
          .scoring = scoring_.number()};
}

bool RunController::submit_edits(const Recipe& asked) {
  const Run* run = displayed_.run();
  const LabelMap& unedited = displayed_.result().unedited;
  const bool edits_run = busy() && running_->edits;
  if (run == nullptr || unedited.empty() || (busy() && !edits_run) ||
      !agrees_but_for_edits(next_.operation(), asked, *run,
                            workbench_.image().geometry().is_2d())) {
    return false;
  }
  if (asked.edits == run->recipe.edits) {
    if (!edits_run) return false;
    changed_since_submit_ = false;
    displayed_.set_stale(false);
    cancel();  // the edits in flight have been undone
    return true;
  }
  changed_since_submit_ = false;
  displayed_.set_stale(true);  // until the result with the edits is there
  const std::uint64_t order = ++last_order_;
  std::shared_ptr<const LabelPatch> patch;
  if (auto small = patch_between(unedited, run->recipe.edits, asked.edits, kMostPatched)) {
    displayed_.set_patch(*std::move(small));
    patch = displayed_.patch();
  }
  start({.what = tr("Editing"),
         .work =
             [this, order, patch, run = *run, unedited, edits = asked.edits,
              maps = displayed_.result().maps, basis = basis(), &table = table_](Context& context) {
               const LabelMap edited =
                   patch ? with_patch(basis.before, *patch)
                         : with_edits(unedited, edits, basis.before, run.recipe.edits);
               if (!patch) {
                 // Before digest, volumes and score, which take longer for a large image.
                 MadeRun first;
                 first.run.recipe = run.recipe;
                 first.run.facts.voxels = run.facts.voxels;
                 first.picture.labels = edited;
                 first.picture.maps = maps;
                 mailbox_.post(
                     [this, order, before = basis.before, first = std::move(first)]() mutable {
                       mark_changed(before, first);
                       take_preview(order, Preview::Part, first);
                     });
               }
               MadeRun made = with_other_edits(table, run, edits, edited);
               made.picture.maps = maps;
               made.picture.unedited = unedited;
               return taking(std::move(made), basis, context);
             },
         .order = order,
         .keeps_part = true,
         .edits = true});
  if (patch) emit displayed_.part_changed();
  return true;
}

BackgroundTask::Delivery RunController::taking(MadeRun made, const Basis& basis, Context& context) {
  LabelMap& labels = made.picture.labels;
  if (!basis.reference.empty() && !labels.empty())
    made.run.score = score_against(basis.reference, basis.scored, labels, context);
  labels = with_changes_since(basis.before, labels);
  return [this, made = std::move(made), basis]() mutable {
    const bool scored_otherwise = basis.scoring != scoring_.number();
    if (scored_otherwise) made.run.score = {};
    mark_changed(basis.before, made);
    take(made, basis.gesture);
    if (scored_otherwise) scoring_.score_displayed();
  };
}

void RunController::mark_changed(const LabelMap& before, MadeRun& made) const {
  const auto& part = displayed_.part();
  const auto& on_screen = part ? part->picture.labels : displayed_.result().labels;
  LabelMap& labels = made.picture.labels;
  if (on_screen.owner() == labels.owner()) {
    labels = labels.with_changed({});
  } else if (on_screen.owner() != before.owner()) {
    labels = all_changed(labels);
  }
}

void RunController::submit() {
  if (!next_.missing().isEmpty()) return;
  const Recipe asked = next_.recipe();
  if (submit_edits(asked)) return;
  if (workbench_.opened().scene.volume.empty()) {
    when_scene_is_there_ = [this] { submit(); };
    return;
  }
  changed_since_submit_ = false;
  const std::uint64_t order = ++last_order_;
  start({.what = tr("Segmenting"),
         .work =
             [this, asked, of = next_.case_for(workbench_.document().current_inputs()),
              previews = previews(order), basis = basis(), &table = table_](Context& context) {
               return taking(make_run(table, asked, of, context, previews), basis, context);
             },
         .order = order,
         .keeps_part = displayed_.patch() != nullptr ||
                       (displayed_.part() &&
                        displayed_.part()->run.recipe.operation == next_.operation().id)});
}

void RunController::start(Job job) {
  failure_.clear();
  task_.start([this, work = std::move(job.work)](Context& context) {
    return [this, take = work(context)] { finish(take, {}); };
  });
  running_ = Running{.maps_of = job.maps_of, .order = job.order, .edits = job.edits};
  running_->since.start();
  if (!job.keeps_part) forget_part();
  emit started(job.what);
}

Previews RunController::previews(std::uint64_t order) {
  std::optional<Box> visible = focus_ ? focus_() : std::nullopt;
  if (visible && visible->empty()) visible.reset();
  return {.visible = visible, .take = [this, order](Preview preview, MadeRun made) {
            mailbox_.post([this, order, preview, made = std::move(made)]() mutable {
              take_preview(order, preview, made);
            });
          }};
}

void RunController::take_preview(std::uint64_t order, Preview preview, MadeRun& part) {
  if (!running_ || running_->order != order) return;  // late: another job is in flight
  running_->preview = preview;
  last_ms_ = static_cast<double>(running_->since.elapsed());
  displayed_.set_part(std::move(part), preview);
  emit displayed_.part_changed();
  if (debounce_.isActive()) schedule();
}

void RunController::forget_part() {
  if (displayed_.drop_part()) emit displayed_.part_changed();
}

Label RunController::searched_label() const {
  const std::set<Label>& ids = workbench_.reference().ids;
  const Label current = workbench_.document().current_label;
  if (ids.contains(current)) return current;
  // The current label is often the background, because it was painted last.
  for (const Stroke& stroke : workbench_.document().seeds.strokes) {
    if (ids.contains(stroke.label)) return stroke.label;
  }
  return 0;
}

void RunController::search_sigma() {
  const Label label = searched_label();
  if (!next_.missing().isEmpty() || workbench_.reference().labels.empty()) {
    emit said(workbench_.reference().labels.empty()
                  ? tr("Import a reference first: the search needs one.")
                  : next_.missing());
    return;
  }
  if (workbench_.opened().scene.volume.empty()) {
    emit said(tr("The channel is still being computed: try again in a moment."));
    return;
  }
  if (label == 0) {
    emit said(
        tr("The reference contains none of the painted labels. Paint a label that it contains."));
    return;
  }
  start({.what = tr("Searching for the best σo"),
         .work = [this, asked = next_.recipe(),
                  of = next_.case_for(workbench_.document().current_inputs()),
                  reference = workbench_.reference().labels, scored = workbench_.document().scored,
                  label, &table = table_](Context& context) {
           const Inputs inputs = resolve(table, asked, of, context);
           const Operation& operation = table.at(asked.operation);
           const Values values =
               checked_values(operation, effective_values(asked), inputs.image.geometry().is_2d());
           check_inputs(operation, inputs);
           const ImplementationChoice choice = choose_implementation(
               table, operation, {.algorithm = asked.algorithm, .backend = asked.backend}, inputs,
               values);
           return [this, label, scored,
                   found = search_sigma_o(*choice.implementation, inputs, values, reference, label,
                                          scored, context)] {
             const QString name = workbench_.label_name(label);
             const bool everywhere = scored == Scored::Everywhere;
             emit said(
                 tr("Best σo %1: Dice %2 for %3, the best of %n run(s); chosen with the reference",
                    nullptr, static_cast<int>(found.tried.size()))
                     .arg(found.best.sigma_o, 0, 'g', 4)
                     .arg(found.best.dice, 0, 'f', 3)
                     .arg(everywhere ? name : tr("%1 where the reference has a label").arg(name)));
             workbench_.steps().set_value("sigma_o", found.values.at("sigma_o"),
                                          tr("σo by search"));
             if (!live_) run();
           };
         }});
}

void RunController::cancel() {
  debounce_.stop();
  when_scene_is_there_ = {};
  task_.cancel();
  // The window is free at once: later deliveries of this job are ignored.
  if (!running_) return;
  running_.reset();
  forget_part();
  emit ended({});
}

void RunController::finish(const BackgroundTask::Delivery& take, const QString& failure) {
  assert(running_);  // set as long as the task runs
  const std::uint64_t maps_of = std::exchange(running_, std::nullopt)->maps_of;
  take();
  if (running_) return;  // the job has started another
  forget_part();
  (maps_of != 0 ? map_failure_ : failure_) = failure;
  emit ended(failure);
}

bool RunController::is_read(const Run& run) const {
  const auto reads = [&run](const InputChoices& inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [&run](const auto& input) {
      return input.second.step && same_step(*input.second.step, run);
    });
  };
  const auto& by_operation = workbench_.document().inputs;
  return std::any_of(by_operation.begin(), by_operation.end(),
                     [&](const auto& each) { return reads(each.second); }) ||
         std::any_of(history_.runs().begin(), history_.runs().end(),
                     [&](const Run& each) { return reads(each.recipe.inputs); });
}

bool RunController::is_replaced_by(std::uint64_t gesture) const {
  const Run* run = history_.find(latest_.run);
  return run != nullptr && latest_.gesture == gesture && !run->pinned && !run->curve_pinned &&
         run->note.empty() && !is_read(*run);
}

void RunController::take(MadeRun& made, std::uint64_t gesture) {
  Run& run = made.run;
  if (!displayed_.part()) last_ms_ = run.facts.total_ms;
  run.score = scoring_.meaningful(run, run.score);
  next_.keep_fixed_values(run.recipe, run.facts.values);
  map_failure_.clear();
  if (is_replaced_by(gesture)) history_.record().remove(latest_.run);
  const std::uint64_t id = history_.record().add(std::move(run));
  latest_ = {.run = id, .gesture = gesture};
  displayed_.set_result({.labels = std::move(made.picture.labels),
                         .unedited = std::move(made.picture.unedited),
                         .maps = std::move(made.picture.maps),
                         .run = id,
                         .stale = changed_since_submit_});
  emit history_.changed();  // first: lists must know the displayed run
  emit displayed_.changed();
}

void RunController::re_estimate() {
  cancel();  // a run on its way would fix its older numbers again
  ++gesture_;
  next_.forget_fixed_values();
  if (displayed_.result().run != 0) schedule();
}

bool RunController::can_correct_result() const {
  const Run* run = displayed_.run();
  if (run == nullptr || displayed_.result().stale || displayed_.result().labels.empty())
    return false;
  return run->recipe.operation == next_.operation().id &&
         next_.operation().wants(InputKind::Start) && !workbench_.document().seeds.strokes.empty();
}

void RunController::correct_result() {
  if (!can_correct_result()) return;
  cancel();
  const Run run = *displayed_.run();
  const QString name = tr("correction of run %1").arg(run.id);
  Recipe recipe = run.recipe;
  recipe.inputs[name_of(InputKind::Start)] =
      output_of(run, next_.operation().find_output(OutputKind::Labels)->id);
  recipe.seeds = {};
  QUndoStack& undo_stack = workbench_.steps().undo_stack();
  undo_stack.beginMacro(name);
  undo_stack.push(new ForgetFixedValues(next_));
  workbench_.steps().restore(recipe, name);
  undo_stack.endMacro();
  emit said(tr("Run %1 is kept: each stroke decides anew only what it reaches. Undo brings its "
               "strokes back.")
                .arg(run.id));
}

void RunController::restore_history(std::vector<Run> runs) {
  std::uint64_t last_id = 0;
  for (const auto& [operation, inputs] : workbench_.document().inputs) {
    for (const auto& [input, choice] : inputs)
      last_id = std::max(last_id, choice.step ? choice.step->id : 0);
  }
  history_.record().restore(std::move(runs), last_id);
  emit history_.changed();
  if (history_.runs().empty()) return;
  const Document& document = workbench_.document();
  const std::vector<Run>& all = history_.runs();
  const auto is_of_document = [asked = next_.recipe()](const Run& run) {
    const Recipe& made = run.recipe;
    return made.operation == asked.operation && made.values == asked.values &&
           made.algorithm == asked.algorithm && made.backend == asked.backend &&
           made.devices == asked.devices && made.seeds == asked.seeds &&
           made.edits == asked.edits && made.inputs == asked.inputs &&
           made.channel == asked.channel && made.requested == asked.requested;
  };
  const auto found = std::find_if(all.rbegin(), all.rend(), is_of_document);
  if (found != all.rend()) {
    restore(found->id);
  } else if (const Run& last = all.back();
             last.recipe.seeds == document.seeds && last.recipe.edits == document.edits) {
    show_outdated(last);
  }
}

void RunController::show_outdated(const Run& run) {
  const bool is_evicted = gives_labels(run) && run.labels.empty();
  if (is_evicted && !live_) return;  // computing old labels again is for the user to decide
  changed_since_submit_ = true;
  next_.keep_fixed_values(run.recipe, run.facts.values);
  start({.what = tr("Restoring run %1").arg(run.id),
         .work = [this, id = run.id, is_evicted, packed = run.labels](Context&) {
           return [this, id, is_evicted, labels = packed.unpack()] {
             if (!is_evicted) show_restored(id, labels);
             if (live_) submit();
           };
         }});
}

bool RunController::gives_labels(const Run& run) const {
  const Operation* operation = table_.find(run.recipe.operation);
  return operation == nullptr || operation->gives(OutputKind::Labels, reads_of(run.recipe));
}

void RunController::bring_back(const Recipe& recipe, const Values& used, std::uint64_t run,
                               const QString& step) {
  cancel();
  ++gesture_;
  restoring_ = true;
  workbench_.steps().restore(recipe, step);
  restoring_ = false;
  changed_since_submit_ = false;
  // Until the result is there, whatever happens to the job that brings it.
  const std::uint64_t displayed = displayed_.result().run;
  displayed_.set_stale(displayed != 0 && displayed != run);
  next_.keep_fixed_values(recipe, used);
}

void RunController::repeat(const Recipe& recipe, const std::string& digest, const QString& step) {
  for (const Run& run : history_.runs()) {
    if (run.recipe.operation != recipe.operation || run.facts.digest != digest ||
        run.facts.values != recipe.fixed || run.recipe.seeds != recipe.seeds ||
        run.recipe.edits != recipe.edits) {
      continue;
    }
    restore(run.id);
    return;
  }
  bring_back(recipe, recipe.fixed, 0, step);
  submit();
}

void RunController::restore(std::uint64_t id) {
  const Run* run = history_.find(id);
  if (run == nullptr) return;
  bring_back(run->recipe, run->facts.values, id, tr("restore run %1").arg(id));
  if (!gives_labels(*run)) {
    show_restored(id, {});
    return;
  }
  if (run->labels.empty()) {  // evicted
    recompute(id);
    return;
  }
  start(
      {.what = tr("Restoring run %1").arg(id), .work = [this, id, packed = run->labels](Context&) {
         return [this, id, labels = packed.unpack()] { show_restored(id, labels); };
       }});
}

void RunController::recompute(std::uint64_t id) {
  const Run* run = history_.find(id);
  if (run == nullptr) return;
  if (workbench_.opened().scene.volume.empty()) {
    when_scene_is_there_ = [this, id] { recompute(id); };
    return;
  }
  start({.what = tr("Recomputing run %1").arg(id),
         .work = [this, run = *run, of = next_.case_for(run->recipe.inputs),
                  &table = table_](Context& context) {
           RunPicture picture = picture_of(table, run, of, context);
           PackedLabels packed(picture.labels);
           return [this, id = run.id, picture = std::move(picture),
                   packed = std::move(packed)]() mutable {
             history_.record().put_back(id, std::move(packed), std::move(picture.images));
             show_restored(id, picture.labels, std::move(picture.maps));
             scoring_.score_displayed();
           };
         }});
}

void RunController::show_restored(std::uint64_t id, const LabelMap& labels,
                                  std::vector<ScalarMap> maps) {
  const Run* run = history_.find(id);
  if (run == nullptr) return;
  map_failure_.clear();
  displayed_.set_result({.labels = labels,
                         .unedited = run->recipe.edits.empty() ? labels : LabelMap(),
                         .maps = std::move(maps),
                         .run = id,
                         .stale = changed_since_submit_});
  if (displayed_.result().maps.empty() && !workbench_.opened().scene.volume.empty())
    start_maps(*run);
  emit displayed_.changed();
}

void RunController::start_maps(const Run& run) {
  const Operation* of_run = table_.find(run.recipe.operation);
  if (of_run == nullptr || !has_maps(*of_run, reads_of(run.recipe))) return;
  start(
      {.what = tr("Computing maps of run %1").arg(run.id),
       .work =
           [this, run, of = next_.case_for(run.recipe.inputs), &table = table_](Context& context) {
             return [this, id = run.id, labels = run.labels,
                     picture = run.images.empty() ? picture_of(table, run, of, context)
                                                  : kept_maps(table, run, of)]() mutable {
               if (const Run* now = history_.find(id); now != nullptr && now->images.empty())
                 history_.record().put_back(id, labels, std::move(picture.images));
               if (displayed_.result().run != id) return;
               displayed_.set_maps(std::move(picture.maps));
               emit displayed_.maps_changed();
             };
           },
       .maps_of = run.id});
}

QString RunController::map_note() const {
  const DisplayedResult::OnScreen on_screen = displayed_.on_screen();
  if (!on_screen.maps.empty()) return {};
  const Run* run = on_screen.run;
  if (run == nullptr) return busy() ? tr("The map will appear with the result") : QString();
  if (running_ && running_->maps_of == run->id) {
    return tr("The map of run %1 is being computed").arg(run->id);
  }
  if (busy()) return tr("The map will appear with the result");
  if (!map_failure_.isEmpty()) return tr("The map could not be recomputed: run again");
  const Operation* of_run = table_.find(run->recipe.operation);
  if (of_run != nullptr && !has_maps(*of_run, reads_of(run->recipe))) {
    return of_run->gives(OutputKind::Labels) ? tr("This operation produces labels only")
                                             : tr("This operation produces a curve: see the plot");
  }
  return tr("The map was not computed: run again");
}

}  // namespace seedwave::ui
