// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_controller.h"

#include "core/metrics/overlap.h"
#include "core/ops/sigma_search.h"
#include "ui/models/missing.h"

#include <QDateTime>
#include <QMetaObject>

#include <algorithm>
#include <utility>
#include <variant>

namespace seedwave::ui {

namespace {

/// A run that took longer than this is waited for no longer than this.
constexpr double kLongestDebounceMs = 1000.0;

std::string now_utc() {
  return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

/// The labels of a report: its main output where that is one.
LabelMap labels_of(const RunReport& report) {
  for (const auto& [id, output] : report.outputs) {
    if (const auto* labels = std::get_if<LabelMap>(&output)) return *labels;
  }
  return {};
}

Volume strength_of(const RunReport& report) {
  const auto found = report.outputs.find("strength");
  if (found == report.outputs.end()) return {};
  const auto* strength = std::get_if<Volume>(&found->second);
  return strength == nullptr ? Volume() : *strength;
}

std::string digest_of(const RunReport& report) {
  const auto found = report.summaries.find("labels");
  if (found != report.summaries.end()) return found->second.digest;
  return report.summaries.empty() ? std::string() : report.summaries.begin()->second.digest;
}

Run run_from(const RunReport& report, const Values& asked, const SeedSet& seeds) {
  Run run;
  run.time = now_utc();
  run.operation = report.operation;
  run.values = asked;
  run.values_used = report.values;
  run.algorithm = report.algorithm;
  run.backend = name_of(report.backend);
  run.device = report.device;
  run.why = report.why;
  run.stages = report.stages;
  run.total_ms = report.total_ms;
  run.digest = digest_of(report);
  run.dice = report.dice;
  run.warnings = report.warnings;
  run.seeds = seeds;
  if (const auto found = report.summaries.find("labels"); found != report.summaries.end()) {
    run.voxels = found->second.counts;
  }
  return run;
}

std::optional<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return Backend::Cpu;
  if (name == "cuda") return Backend::Cuda;
  return std::nullopt;
}

bool is_word_of(const Parameter& parameter, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == parameter.word;
}

}  // namespace

/// What a job makes on its thread; the window's thread reads it after the job has ended.
struct RunController::Made {
  Values asked;
  LabelMap before;
  LabelMap labels;
  Volume strength;
  Run run;
};

RunController::RunController(Workbench& workbench, const OperationTable& table, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      table_(table),
      scoring_([](std::uint64_t, const std::string&, double) {},
               [](std::uint64_t, const JobOutcome&) {}),
      jobs_(
          [this](std::uint64_t job, const std::string& stage, double fraction) {
            QMetaObject::invokeMethod(
                this,
                [this, job, name = QString::fromStdString(stage), fraction] {
                  if (running_ && running_->job == job) emit progressed(name, fraction);
                },
                Qt::QueuedConnection);
          },
          [this](std::uint64_t job, const JobOutcome& outcome) {
            QMetaObject::invokeMethod(
                this, [this, job, outcome] { finish(job, outcome); }, Qt::QueuedConnection);
          }) {
  debounce_.setSingleShot(true);
  connect(&debounce_, &QTimer::timeout, this, &RunController::submit);
  connect(&workbench_, &Workbench::part_changed, this, &RunController::on_part_changed);
  connect(&workbench_, &Workbench::image_changed, this, &RunController::on_image_changed);
  connect(&workbench_, &Workbench::reference_changed, this, &RunController::rescore);
  last_missing_ = missing();
}

RunController::~RunController() {
  jobs_.cancel();
}

const Operation& RunController::operation() const {
  for (const Operation& each : table_.operations()) {
    if (each.id == workbench_.document().operation) return each;
  }
  return table_.operations().front();
}

void RunController::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  emit live_changed(live);
  if (live && shown_.stale) schedule();
}

QString RunController::missing() const {
  return what_is_missing(operation(), workbench_.document(), workbench_.has_image());
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

void RunController::clear() {
  cancel();
  debounce_.stop();
  shown_ = {};
  history_.clear();
  pinned_ = 0;
  fixed_values_.clear();
  emit history_changed();
  emit shown_changed();
  emit fixed_values_changed();
}

void RunController::on_part_changed(Part part) {
  if (part == Part::Labels) {  // names and colours change nothing that is computed
    tell_missing();
    return;
  }
  if (part == Part::Channel) re_estimate();
  tell_missing();
  if (restoring_) return;
  changed_since_submit_ = true;
  if (shown_.run != 0 && !shown_.stale) {
    shown_.stale = true;
    emit shown_changed();
  }
  schedule();
}

void RunController::schedule() {
  if (!live_) return;
  if (!missing().isEmpty()) {
    // Strokes are the input and the result a function of them: without enough strokes there is
    // no result, not an old one.
    cancel();
    debounce_.stop();
    if (shown_.run != 0) {
      shown_ = {};
      emit shown_changed();
    }
    return;
  }
  debounce_.start(busy() ? static_cast<int>(std::min(last_ms_, kLongestDebounceMs)) : 0);
}

void RunController::run() {
  debounce_.stop();
  if (missing().isEmpty()) {
    submit();
  } else {
    emit missing_changed(missing());
  }
}

RunRequest RunController::request() const {
  RunRequest request;
  const Document& document = workbench_.document();
  request.operation = operation().id;
  request.values = workbench_.values();
  const auto fixed = fixed_values_.find(request.operation);
  if (fixed != fixed_values_.end()) {
    for (const auto& [id, value] : fixed->second) {
      const Parameter* parameter = operation().find_parameter(id);
      const bool left_to_us =
          !request.values.has(id) ||
          (parameter != nullptr && is_word_of(*parameter, request.values.at(id)));
      if (left_to_us) request.values.set(id, value);
    }
  }
  request.how.algorithm = document.algorithm;
  request.how.backend = backend_named(document.backend);
  request.inputs.image = workbench_.scene();
  request.inputs.reference = workbench_.reference();
  return request;
}

void RunController::submit() {
  if (!missing().isEmpty()) return;
  auto made = std::make_shared<Made>();
  made->asked = workbench_.values();
  made->before = shown_.labels;
  changed_since_submit_ = false;
  start(
      [made, asked = request(), seeds = workbench_.document().seeds,
       &table = table_](Context& context) mutable {
        asked.inputs.seeds = seeds.rasterise(asked.inputs.image.geometry());
        const RunReport report = run_operation(table, asked, context);
        made->labels = labels_of(report);
        made->strength = strength_of(report);
        made->run = run_from(report, made->asked, seeds);
        if (made->labels.empty()) return;
        made->run.labels = PackedLabels(made->labels);
        if (!made->before.empty() && same_grid(made->before.geometry(), made->labels.geometry())) {
          made->labels = made->labels.with_changed(changed_box(made->before, made->labels));
        }
      },
      [this, made] { take(*made); });
}

void RunController::start(JobRunner::Work work, std::function<void()> take) {
  const bool was_busy = busy();
  running_ = Running{jobs_.submit(std::move(work)), std::move(take)};
  if (!was_busy) emit started();
}

void RunController::search_sigma() {
  const std::uint16_t label = workbench_.document().current_label;
  if (!missing().isEmpty() || workbench_.reference().empty()) {
    emit said(workbench_.reference().empty() ? tr("Import a reference first: the search needs one.")
                                             : missing());
    return;
  }
  auto found = std::make_shared<SigmaSearch>();
  start(
      [found, asked = request(), seeds = workbench_.document().seeds, label,
       &table = table_](Context& context) mutable {
        asked.inputs.seeds = seeds.rasterise(asked.inputs.image.geometry());
        const Operation& operation = table.at(asked.operation);
        const Values values =
            checked_values(operation, asked.values, asked.inputs.image.geometry().is_2d());
        check_inputs(operation, asked.inputs);
        const ImplementationChoice choice =
            choose_implementation(table, operation, asked.how, asked.inputs, values);
        *found = search_sigma_o(*choice.implementation, asked.inputs, values, label, context);
      },
      [this, found, label] {
        emit said(tr("Best σo %1: Dice %2 of %3, the best of %n run(s); chosen with the reference",
                     nullptr, static_cast<int>(found->tried.size()))
                      .arg(found->best.sigma_o, 0, 'g', 4)
                      .arg(found->best.dice, 0, 'f', 3)
                      .arg(workbench_.label_name(label)));
        workbench_.set_value("sigma_o", found->values.at("sigma_o"), tr("σo by search"));
        if (!live_) run();
      });
}

/// Dice of the labels that were painted and that the reference has: a background that the reference
/// does not know is no miss.
std::map<std::uint16_t, double> RunController::scored(const std::map<std::uint16_t, double>& dice,
                                                      const SeedSet& seeds) const {
  std::map<std::uint16_t, double> kept;
  for (const Stroke& stroke : seeds.strokes) {
    const auto found = dice.find(stroke.label);
    if (found != dice.end() && workbench_.reference_ids().contains(stroke.label)) {
      kept.insert(*found);
    }
  }
  return kept;
}

void RunController::rescore() {
  const Run* run = shown_run();
  if (run == nullptr) return;
  const std::uint64_t id = run->id;
  if (workbench_.reference().empty()) {
    scoring_.cancel();
    history_.set_dice(id, {});
    emit history_changed();
    emit shown_changed();
    return;
  }
  scoring_job_ =
      scoring_.submit([this, id, job = scoring_job_ + 1, seeds = run->seeds, labels = shown_.labels,
                       reference = workbench_.reference()](Context& context) {
        const auto dice = OverlapCounts(labels, reference, context).dice();
        QMetaObject::invokeMethod(
            this,
            [this, id, job, seeds, dice] {
              if (job != scoring_job_) return;
              history_.set_dice(id, scored(dice, seeds));
              emit history_changed();
              emit shown_changed();
            },
            Qt::QueuedConnection);
      });
}

void RunController::cancel() {
  debounce_.stop();
  jobs_.cancel();
  // What comes in from now on is late: the window is free at once.
  if (!running_) return;
  running_.reset();
  emit ended({});
}

void RunController::finish(std::uint64_t job, const JobOutcome& outcome) {
  if (!running_ || running_->job != job) return;  // late: a newer one is in flight
  const std::function<void()> take = std::move(running_->take);
  running_.reset();
  if (outcome.end == JobEnd::Done) take();
  emit ended(outcome.end == JobEnd::Failed ? QString::fromStdString(outcome.message) : QString());
}

void RunController::take(Made& made) {
  last_ms_ = made.run.total_ms;
  // The changed box is told against the map that is on screen; another may have been restored.
  if (made.before.owner() != shown_.labels.owner() && !made.labels.empty()) {
    made.labels = made.labels.with_changed(Box::whole(made.labels.geometry()));
  }
  made.run.dice = scored(made.run.dice, made.run.seeds);
  keep_fixed_values(made.asked, made.run.values_used);
  shown_.labels = made.labels;
  shown_.strength = made.strength;
  shown_.stale = changed_since_submit_;
  shown_.run = history_.add(std::move(made.run));
  emit history_changed();  // first: lists must know the run that is shown
  emit shown_changed();
}

void RunController::keep_fixed_values(const Values& asked, const Values& used) {
  Values fixed;
  for (const Parameter& parameter : operation().parameters) {
    if (parameter.word != "auto" || !used.has(parameter.id)) continue;
    if (is_word_of(parameter, used.at(parameter.id))) continue;
    if (asked.has(parameter.id) && !is_word_of(parameter, asked.at(parameter.id))) continue;
    fixed.set(parameter.id, used.at(parameter.id));
  }
  if (fixed == fixed_values()) return;
  fixed_values_[operation().id] = fixed;
  emit fixed_values_changed();
}

Values RunController::fixed_values() const {
  const auto found = fixed_values_.find(operation().id);
  return found == fixed_values_.end() ? Values() : found->second;
}

void RunController::re_estimate() {
  fixed_values_.clear();
  emit fixed_values_changed();
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
  if (last.seeds == workbench_.document().seeds) restore(last.id);
}

void RunController::restore(std::uint64_t id) {
  const Run* run = history_.find(id);
  if (run == nullptr) return;
  cancel();
  restoring_ = true;
  workbench_.restore(run->seeds, run->operation, run->values, tr("return to run %1").arg(run->id));
  restoring_ = false;
  keep_fixed_values(run->values, run->values_used);
  if (run->labels.empty()) {  // given up for space: repeat it, the digest proves it
    submit();
    return;
  }
  shown_ = Shown{.labels = run->labels.unpack(), .strength = {}, .run = id, .stale = false};
  emit shown_changed();
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

const Run* RunController::pinned() const {
  return history_.find(pinned_);
}

}  // namespace seedwave::ui
