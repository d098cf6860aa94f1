// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_controller.h"

#include "core/ops/sigma_search.h"
#include "core/session/label_choice.h"
#include "ui/models/missing.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace seedwave::ui {

namespace {

bool has_only_maps(const Operation& operation) {
  return has_maps(operation) && !operation.gives(OutputKind::Labels);
}

/// Returns `after`. If both have the same grid, the box where it differs from `before`, the labels
/// on screen, is marked as changed.
LabelMap with_changes_since(const LabelMap& before, const LabelMap& after) {
  if (after.empty() || before.empty() || !same_grid(before.geometry(), after.geometry()))
    return after;
  return after.with_changed(changed_box(before, after));
}

LabelMap all_changed(const LabelMap& labels) {
  return labels.empty() ? labels : labels.with_changed(Box::whole(labels.geometry()));
}

/// The longest time [ms] that a change waits for the run in flight.
constexpr double kLongestDebounceMs = 1000.0;

}  // namespace

RunController::RunController(Workbench& workbench, const OperationTable& table, QObject* parent)
    : QObject(parent), workbench_(workbench), table_(table) {
  debounce_.setSingleShot(true);
  connect(&debounce_, &QTimer::timeout, this, &RunController::submit);
  connect(&workbench_, &Workbench::part_changed, this, &RunController::on_part_changed);
  connect(&workbench_, &Workbench::image_changed, this, &RunController::on_image_changed);
  connect(&workbench_, &Workbench::scene_changed, this, &RunController::on_scene_changed);
  connect(&workbench_, &Workbench::reference_changed, this, &RunController::rescore);
  connect(&workbench_, &Workbench::scored_changed, this, &RunController::rescore);
  connect(&task_, &BackgroundTask::progressed, this, [this](const QString& stage, double fraction) {
    emit progressed(running_->gave_part ? tr("Rest of the image: %1").arg(stage) : stage, fraction);
  });
  connect(&task_, &BackgroundTask::failed, this,
          [this](const QString& message) { finish([] {}, message); });
  connect(&scoring_, &BackgroundTask::failed, this, [this](const QString& message) {
    emit said(tr("Dice could not be computed: %1").arg(message));
  });
  last_missing_ = missing();
}

const Operation& RunController::operation() const {
  const Operation* chosen = table_.find(workbench_.document().operation);
  return chosen == nullptr ? table_.operations().front() : *chosen;
}

std::string RunController::unknown_operation() const {
  const std::string& id = workbench_.document().operation;
  return table_.find(id) == nullptr ? id : std::string();
}

void RunController::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  emit live_changed(live);
  if (live && shown_.stale) schedule();
}

QString RunController::missing() const {
  return what_is_missing(operation(), workbench_.document(), workbench_.image(), history_);
}

void RunController::tell_missing() {
  const QString now = missing();
  if (now == last_missing_) return;
  last_missing_ = now;
  emit missing_changed(now);
}

void RunController::on_image_changed() {
  clear();
  tell_missing();
}

void RunController::on_scene_changed() {
  if (const auto asked_for = std::exchange(when_scene_is_there_, {})) {
    asked_for();
    return;
  }
  const Run* run = shown_run();
  if (run != nullptr && !changed_since_submit_ && !busy() && shown_.maps.empty()) {
    start_maps(*run);  // of a restored run, once its channel is ready
  }
}

void RunController::clear() {
  cancel();
  shown_ = {};
  failure_.clear();
  history_.clear();
  pinned_ = 0;
  latest_ = {};
  fixed_values_.clear();
  emit history_changed();
  emit shown_changed();
  emit fixed_values_changed();
}

void RunController::on_part_changed(Part part) {
  // Names and colours do not affect results; strokes affect only operations that read them.
  const bool is_input =
      part != Part::Labels && (part != Part::Seeds || operation().wants(InputKind::Seeds));
  if (!is_input) {
    tell_missing();
    return;
  }
  if (part == Part::Channel) forget_estimates();
  failure_.clear();
  tell_missing();
  if (!workbench_.steps().change_continues()) ++gesture_;
  if (restoring_) return;
  changed_since_submit_ = true;
  schedule();
  if (shown_.run != 0 && !shown_.stale) {
    shown_.stale = true;
    emit shown_changed();
  }
}

void RunController::schedule() {
  if (!live_) return;
  if (!missing().isEmpty()) {
    // The result is a function of the inputs: if one is missing, no result is displayed, not even
    // an old one.
    cancel();
    debounce_.stop();
    if (shown_.run != 0) {
      shown_ = {};
      emit shown_changed();
    }
    return;
  }
  if (workbench_.opened().scene.volume.empty()) {  // another channel is being computed
    cancel();
    when_scene_is_there_ = [this] { schedule(); };
    return;
  }
  // If the run in flight has already displayed its visible part, the next one need not wait.
  const bool waits = busy() && !running_->gave_part;
  debounce_.start(waits ? static_cast<int>(std::min(last_ms_, kLongestDebounceMs)) : 0);
}

void RunController::run() {
  debounce_.stop();
  ++gesture_;
  if (missing().isEmpty()) {
    submit();
  } else {
    emit missing_changed(missing());
  }
}

LoadedCase RunController::case_for(const InputChoices& inputs) const {
  LoadedCase of = whole_case(workbench_.image());
  of.earlier = runs_behind(inputs, history_);
  of.unit = workbench_.opened().loaded.hints.unit;
  if (of.image.components() == 3) {
    of.channel_image = workbench_.opened().scene.volume;
    of.channel = workbench_.document().channel;
  }
  return of;
}

Recipe RunController::recipe() const {
  const Document& document = workbench_.document();
  const Operation& chosen = operation();
  Recipe recipe{.operation = chosen.id,
                .values = applicable_values(),
                .algorithm = document.algorithm,
                .backend = backend_named(document.backend),
                .seeds = document.seeds,
                .inputs = workbench_.document().current_inputs()};
  for (const auto& [id, value] : fixed_values_.filled(chosen, asked_values())) {
    if (!recipe.values.has(id) || recipe.values.at(id) != value) recipe.fixed.set(id, value);
  }
  if (const auto found = document.requested.find(chosen.id); found != document.requested.end())
    recipe.requested = found->second;
  const bool reads_channel = workbench_.image().components() == 3 && !reads_colours(chosen) &&
                             !recipe.inputs.contains(name_of(InputKind::Image));
  if (reads_channel) recipe.channel = document.channel;
  return recipe;
}

void RunController::submit() {
  if (!missing().isEmpty()) return;
  if (workbench_.opened().scene.volume.empty()) {
    when_scene_is_there_ = [this] { submit(); };
    return;
  }
  changed_since_submit_ = false;
  const std::uint64_t order = ++last_order_;
  start({.what = tr("Segmenting"),
         .work =
             [this, asked = recipe(), of = case_for(workbench_.document().current_inputs()),
              before = shown_.labels, first = first_part(order),
              reference = workbench_.reference().labels, how = workbench_.document().scored,
              gesture = gesture_, scoring = last_scoring_, &table = table_](Context& context) {
               MadeRun made = make_run(table, asked, of, context, first);
               if (!reference.empty() && !made.picture.labels.empty()) {
                 made.run.score = score_against(reference, how, made.picture.labels, context);
               }
               made.picture.labels = with_changes_since(before, made.picture.labels);
               return [this, made = std::move(made), before, gesture, scoring]() mutable {
                 const bool scored_otherwise = scoring != last_scoring_;
                 if (scored_otherwise) made.run.score = {};
                 // The changed box is relative to the map on screen when the run started.
                 if (part_ || before.owner() != shown_.labels.owner())
                   made.picture.labels = all_changed(made.picture.labels);
                 take(made, gesture);
                 if (scored_otherwise) score_late();
               };
             },
         .order = order,
         .keeps_part = part_ && part_->run.recipe.operation == operation().id});
}

void RunController::start(Job job) {
  failure_.clear();
  task_.start([this, work = std::move(job.work)](Context& context) {
    return [this, take = work(context)] { finish(take, {}); };
  });
  running_ = Running{.maps_of = job.maps_of, .order = job.order};
  running_->since.start();
  if (!job.keeps_part) forget_part();
  emit started(job.what);
}

std::optional<FirstPart> RunController::first_part(std::uint64_t order) {
  const std::optional<Box> box = focus_ ? focus_() : std::nullopt;
  if (!box || box->empty()) return std::nullopt;
  return FirstPart{
      .box = *box, .take = [this, order](MadeRun part) {
        mailbox_.post([this, order, part = std::move(part)]() mutable { take_part(order, part); });
      }};
}

void RunController::take_part(std::uint64_t order, MadeRun& part) {
  if (!running_ || running_->order != order) return;  // late: another job is in flight
  running_->gave_part = true;
  last_ms_ = static_cast<double>(running_->since.elapsed());
  part_ = std::move(part);
  emit part_changed();
  if (debounce_.isActive()) schedule();
}

void RunController::forget_part() {
  if (!part_) return;
  part_.reset();
  // The views displayed another label map in the meantime.
  shown_.labels = all_changed(shown_.labels);
  emit part_changed();
}

Seen RunController::seen() const {
  if (part_) {
    return {.labels = part_->picture.labels, .maps = part_->picture.maps, .run = &part_->run};
  }
  return {.labels = shown_.labels, .maps = shown_.maps, .run = shown_run()};
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
  if (!missing().isEmpty() || workbench_.reference().labels.empty()) {
    emit said(workbench_.reference().labels.empty()
                  ? tr("Import a reference first: the search needs one.")
                  : missing());
    return;
  }
  if (workbench_.opened().scene.volume.empty()) {
    emit said(tr("The channel is still being computed: try again in a moment."));
    return;
  }
  if (label == 0) {
    emit said(tr("The reference has none of the painted labels: paint one that it has."));
    return;
  }
  start({.what = tr("Searching σo"),
         .work = [this, asked = recipe(), of = case_for(workbench_.document().current_inputs()),
                  reference = workbench_.reference().labels, scored = workbench_.document().scored,
                  label, &table = table_](Context& context) {
           Inputs inputs = resolve(table, asked, of, context);
           inputs.reference = reference;
           const Operation& operation = table.at(asked.operation);
           const Values values =
               checked_values(operation, effective_values(asked), inputs.image.geometry().is_2d());
           check_inputs(operation, inputs);
           const ImplementationChoice choice = choose_implementation(
               table, operation, {.algorithm = asked.algorithm, .backend = asked.backend}, inputs,
               values);
           return [this, label, scored,
                   found = search_sigma_o(*choice.implementation, inputs, values, label, scored,
                                          context)] {
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

void RunController::rescore() {
  ++last_scoring_;
  scoring_.cancel();
  // Scores of different kinds must not stand side by side: clear all until the new ones are ready.
  for (const Run& run : history_.runs())
    history_.set_score(run.id, {});
  emit history_changed();
  if (workbench_.reference().labels.empty()) return;
  if (shown_.labels.empty()) {
    score_others(0);
  } else {
    score_shown([this, first = shown_.run] { score_others(first); });
  }
}

void RunController::score_shown(const std::function<void()>& then) {
  scoring_.start([this, id = shown_.run, labels = shown_.labels,
                  reference = workbench_.reference().labels, how = workbench_.document().scored,
                  then](Context& context) {
    return [this, id, score = score_against(reference, how, labels, context), then] {
      set_score(id, score);
      emit history_changed();
      then();
    };
  });
}

void RunController::score_late() {
  if (workbench_.reference().labels.empty() || shown_.labels.empty()) return;
  if (scoring_.busy()) {
    rescore();
  } else {
    score_shown();
  }
}

void RunController::score_others(std::uint64_t scored) {
  std::map<std::uint64_t, PackedLabels> others;
  for (const Run& run : history_.runs()) {
    if (run.id != scored && !run.labels.empty()) others.emplace(run.id, run.labels);
  }
  if (others.empty()) return;
  scoring_.start([this, others = std::move(others), reference = workbench_.reference().labels,
                  how = workbench_.document().scored](Context& context) {
    std::map<std::uint64_t, Score> scores;
    for (const auto& [id, labels] : others)
      scores[id] = score_against(reference, how, labels.unpack(), context);
    return [this, scores = std::move(scores)] {
      for (const auto& [id, score] : scores)
        set_score(id, score);
      emit history_changed();
    };
  });
}

void RunController::set_score(std::uint64_t id, const Score& score) {
  const Run* run = history_.find(id);
  if (run == nullptr || table_.find(run->recipe.operation) == nullptr) return;
  history_.set_score(
      id, scored(label_origin(table_, history_, *run), *run, score, workbench_.reference().ids));
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

bool RunController::is_read(std::uint64_t run) const {
  const auto reads = [run](const InputChoices& inputs) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [run](const auto& input) { return input.second.run == run; });
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
         run->note.empty() && !is_read(run->id);
}

void RunController::take(MadeRun& made, std::uint64_t gesture) {
  Run& run = made.run;
  if (!part_) last_ms_ = run.total_ms;
  part_.reset();
  if (table_.find(run.recipe.operation) != nullptr) {
    run.score =
        scored(label_origin(table_, history_, run), run, run.score, workbench_.reference().ids);
  }
  keep_fixed_values(run.recipe, run.values_used);
  map_failure_.clear();
  shown_.labels = std::move(made.picture.labels);
  shown_.maps = std::move(made.picture.maps);
  shown_.stale = changed_since_submit_;
  if (is_replaced_by(gesture)) history_.remove(latest_.run);
  shown_.run = history_.add(std::move(run));
  latest_ = {.run = shown_.run, .gesture = gesture};
  emit history_changed();  // first: lists must know the displayed run
  emit shown_changed();
}

void RunController::keep_fixed_values(const Recipe& recipe, const Values& used) {
  // Another operation may have been chosen while this one ran.
  const Operation* of_run = table_.find(recipe.operation);
  if (of_run == nullptr || !fixed_values_.keep(*of_run, recipe.values, used)) return;
  emit fixed_values_changed();
}

Values RunController::applicable_values() const {
  const bool is_2d = workbench_.has_image() && workbench_.image().geometry().is_2d();
  return applicable(operation(), workbench_.document().current_values(), is_2d);
}

Values RunController::asked_values() const {
  return with_labels_chosen(operation(), applicable_values(), workbench_.document());
}

Values RunController::fixed_values() const {
  return fixed_values_.of(operation(), asked_values());
}

void RunController::forget_estimates() {
  fixed_values_.clear();
  emit fixed_values_changed();
}

void RunController::re_estimate() {
  ++gesture_;
  forget_estimates();
  if (shown_.run != 0) schedule();
}

const Run* RunController::shown_run() const {
  return history_.find(shown_.run);
}

void RunController::restore_history(std::vector<Run> runs) {
  history_.restore(std::move(runs));
  pinned_ = 0;
  for (const Run& run : history_.runs()) {
    if (run.pinned) pinned_ = run.id;
  }
  emit history_changed();
  if (history_.runs().empty()) return;
  const Run& last = history_.runs().back();
  if (last.recipe.seeds == workbench_.document().seeds) restore(last.id);
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
  shown_.stale = shown_.run != 0 && shown_.run != run;
  keep_fixed_values(recipe, used);
}

void RunController::repeat(const Recipe& recipe, const std::string& digest, const QString& step) {
  for (const Run& run : history_.runs()) {
    if (run.recipe.operation != recipe.operation || run.digest != digest ||
        run.values_used != recipe.fixed || run.recipe.seeds != recipe.seeds) {
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
  bring_back(run->recipe, run->values_used, id, tr("return to run %1").arg(id));
  const Operation* of_run = table_.find(run->recipe.operation);
  if (of_run != nullptr && !of_run->gives(OutputKind::Labels)) {
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
         .work = [this, run = *run, of = case_for(run->recipe.inputs),
                  &table = table_](Context& context) {
           RunPicture picture = picture_of(table, run, of, context);
           PackedLabels packed(picture.labels);
           return [this, id = run.id, picture = std::move(picture),
                   packed = std::move(packed)]() mutable {
             history_.put_back(id, std::move(packed), std::move(picture.images));
             show_restored(id, picture.labels, std::move(picture.maps));
             score_late();
           };
         }});
}

void RunController::show_restored(std::uint64_t id, const LabelMap& labels,
                                  std::vector<ScalarMap> maps) {
  const Run* run = history_.find(id);
  if (run == nullptr) return;
  map_failure_.clear();
  shown_ =
      Shown{.labels = labels, .maps = std::move(maps), .run = id, .stale = changed_since_submit_};
  if (shown_.maps.empty() && !workbench_.opened().scene.volume.empty()) start_maps(*run);
  emit shown_changed();
}

void RunController::start_maps(const Run& run) {
  const Operation* of_run = table_.find(run.recipe.operation);
  if (of_run == nullptr || !has_maps(*of_run)) return;
  start({.what = tr("Computing maps of run %1").arg(run.id),
         .work =
             [this, run, of = case_for(run.recipe.inputs), &table = table_](Context& context) {
               return [this, id = run.id, labels = run.labels,
                       picture = run.images.empty() ? picture_of(table, run, of, context)
                                                    : kept_maps(table, run, of)]() mutable {
                 if (const Run* now = history_.find(id); now != nullptr && now->images.empty())
                   history_.put_back(id, labels, std::move(picture.images));
                 if (shown_.run != id) return;
                 shown_.maps = std::move(picture.maps);
                 emit maps_changed();
               };
             },
         .maps_of = run.id});
}

QString RunController::map_note() const {
  const Seen seen = this->seen();
  if (!seen.maps.empty()) return {};
  const Run* run = seen.run;
  if (run == nullptr) return busy() ? tr("The map will appear with the result") : QString();
  if (running_ && running_->maps_of == run->id) {
    return tr("The map of run %1 is being computed").arg(run->id);
  }
  if (busy()) return tr("The map will appear with the result");
  if (!map_failure_.isEmpty()) return tr("The map could not be recomputed: run again");
  const Operation* of_run = table_.find(run->recipe.operation);
  if (of_run != nullptr && !has_maps(*of_run)) {
    return shows_labels() ? tr("This operation gives labels only")
                          : tr("This operation gives a curve: see the plot");
  }
  return tr("The map was not computed: run again");
}

bool RunController::shows_only_maps() const {
  const Run* run = seen().run;
  const Operation* of_run = run == nullptr ? nullptr : table_.find(run->recipe.operation);
  return of_run != nullptr && has_only_maps(*of_run);
}

bool RunController::shows_labels() const {
  const Run* run = seen().run;
  const Operation* of_run = run == nullptr ? nullptr : table_.find(run->recipe.operation);
  return of_run != nullptr && of_run->gives(OutputKind::Labels);
}

bool RunController::shows_objects() const {
  const Run* run = seen().run;
  return run != nullptr && has_objects(*run);
}

bool RunController::has_objects(const Run& run) const {
  if (table_.find(run.recipe.operation) == nullptr) return false;
  const LabelOrigin origin = label_origin(table_, history_, run);
  return holds_objects(origin.operation, origin.run);
}

int RunController::ranks(const Run& run) const {
  if (table_.find(run.recipe.operation) == nullptr) return 0;
  const LabelOrigin origin = label_origin(table_, history_, run);
  return ranks_in(origin.operation, origin.run);
}

QString RunController::label_text(Label label) const {
  if (label == 0 || !shows_objects()) return workbench_.label_name(label);
  return (ranks(*seen().run) != 0 ? tr("label %1") : tr("object %1")).arg(label);
}

void RunController::remove(std::uint64_t id) {
  if (pinned_ == id) pinned_ = 0;
  history_.remove(id);
  emit history_changed();
}

void RunController::set_note(std::uint64_t id, const QString& note) {
  history_.set_note(id, note.toStdString());
  emit history_changed();
}

void RunController::pin(std::uint64_t id) {
  if (pinned_ != 0) history_.set_pinned(pinned_, false);
  pinned_ = history_.find(id) == nullptr ? 0 : id;
  if (pinned_ != 0) history_.set_pinned(pinned_, true);
  emit history_changed();
}

void RunController::pin_curve(std::uint64_t id, bool pinned) {
  history_.set_curve_pinned(id, pinned);
  emit history_changed();
}

const Run* RunController::pinned() const {
  return history_.find(pinned_);
}

}  // namespace seedwave::ui
