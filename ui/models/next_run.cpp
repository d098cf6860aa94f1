// SPDX-License-Identifier: Apache-2.0
#include "ui/models/next_run.h"

#include "core/engine/label_origin.h"
#include "core/ops/each_label.h"
#include "core/ops/worker_list.h"
#include "core/session/label_choice.h"
#include "ui/models/missing.h"

#include <algorithm>
#include <utility>

namespace seedwave::ui {

bool can_be_seen(const Operation& operation) {
  return operation.gives(OutputKind::Labels) || operation.gives(OutputKind::Image) ||
         operation.gives(OutputKind::Curve);
}

NextRun::NextRun(const Workbench& workbench, const OperationTable& table, const KeptRuns& history,
                 QObject* parent)
    : QObject(parent), workbench_(workbench), table_(table), history_(history) {
  last_missing_ = missing();
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Operation || part == Part::Inputs) follow_image();
  });
  connect(&workbench_, &Workbench::image_changed, this, &NextRun::follow_image);
  connect(&workbench_, &Workbench::scene_changed, this, [this] {
    if (read_.empty()) emit scene_changed();
  });
}

const Operation& NextRun::operation() const {
  const Operation* chosen = table_.find(workbench_.document().operation);
  return chosen == nullptr ? table_.operations().front() : *chosen;
}

std::string NextRun::unknown_operation() const {
  const std::string& id = workbench_.document().operation;
  return table_.find(id) == nullptr ? id : std::string();
}

Recipe NextRun::recipe() const {
  const Document& document = workbench_.document();
  const Operation& chosen = operation();
  Recipe recipe{.operation = chosen.id,
                .values = applicable_values(),
                .algorithm = document.algorithm,
                .backend = backend_named(document.backend),
                .devices = devices_for(chosen),
                .seeds = document.seeds,
                .edits = document.edits,
                .inputs = document.current_inputs()};
  for (const auto& [id, value] : fixed_values_.filled(chosen, asked_values())) {
    if (!recipe.values.has(id) || recipe.values.at(id) != value) recipe.fixed.set(id, value);
  }
  if (const auto found = document.requested.find(chosen.id); found != document.requested.end())
    recipe.requested = found->second;
  const bool reads_channel = workbench_.image().components() == 3 && !reads_colours(chosen) &&
                             !recipe.inputs.contains(name_of(InputKind::Image));
  if (reads_channel) recipe.channel = document.channel;
  // The numbers of objects are no labels that could be painted.
  const InputSpec* seeds = chosen.find_input(InputKind::Seeds);
  const Step* labels = labels_read();
  if (seeds != nullptr && !seeds->required && labels != nullptr && holds_objects(table_, *labels) &&
      ranks_in(table_, *labels) == 0) {
    recipe.seeds = {};
  }
  return recipe;
}

std::string NextRun::devices_for(const Operation& chosen) const {
  if (workbench_.document().backend != kAllDevices) return {};
  if (!table_.devices().empty()) return can_share_among_all(chosen, table_) ? kAllDevices : "";
  // The run says that there is no device.
  const bool might_be_shared =
      std::ranges::any_of(chosen.implementations,
                          [](const Implementation& each) { return each.sharing != Sharing::None; });
  return might_be_shared ? kAllDevices : "";
}

LoadedCase NextRun::case_for(const InputChoices& inputs) const {
  LoadedCase of = whole_case(workbench_.image());
  of.kept = kept_behind(inputs, history_.record());
  of.unit = workbench_.opened().loaded.hints.unit;
  of.level0 = workbench_.opened().loaded.level0();
  if (of.image.components() == 3) {
    of.channel_image = workbench_.opened().scene.volume;
    of.channel = workbench_.document().channel;
  }
  return of;
}

Volume NextRun::result_read() const {
  const InputChoices all = workbench_.document().current_inputs();
  const auto chosen = all.find(name_of(InputKind::Image));
  const bool is_result = chosen != all.end() && chosen->second.step != nullptr;
  const Run* run = is_result ? history_.record().find(*chosen->second.step) : nullptr;
  if (run == nullptr) return {};
  const auto image = run->images.find(chosen->second.output);
  return image == run->images.end() ? Volume() : image->second;
}

void NextRun::follow_image() {
  const Volume now = result_read();
  const bool is_same = now.bytes().data() == read_.bytes().data();
  if (is_same && now.bytes().size() == read_.bytes().size()) return;
  scene_task_.cancel();
  read_ = now;
  scene_of_read_ = {};
  if (read_.empty()) {
    if (!workbench_.opened().scene.volume.empty()) emit scene_changed();
    return;
  }
  scene_task_.start([this, now](Context&) -> BackgroundTask::Delivery {
    return [this, scene = make_scene(now, {})] {
      scene_of_read_ = scene;
      emit scene_changed();
    };
  });
}

QString NextRun::missing() const {
  return what_is_missing(operation(), workbench_.document(), workbench_.image());
}

void NextRun::check_missing() {
  const QString now = missing();
  if (now == last_missing_) return;
  last_missing_ = now;
  emit missing_changed(now);
}

Values NextRun::applicable_values() const {
  const bool is_2d = workbench_.has_image() && workbench_.image().geometry().is_2d();
  return applicable(operation(), workbench_.document().current_values(), is_2d);
}

Values NextRun::asked_values() const {
  Values values = with_labels_chosen(operation(), applicable_values(), workbench_.document());
  const bool is_left_open = operation().labels_replace_image() &&
                            operation().find_parameter(kBackground) != nullptr &&
                            !values.has(kBackground);
  const Label background = is_left_open ? background_of_input() : 0;
  if (background != 0) values.set(kBackground, static_cast<double>(background));
  return values;
}

const Step* NextRun::labels_read() const {
  const InputChoices all = workbench_.document().current_inputs();
  for (const InputSpec& input : operation().inputs) {
    const auto chosen = all.find(name_of(input.kind));
    const bool is_read = input.kind == InputKind::Labels ||
                         (input.kind == InputKind::Image && !operation().labels_replace_image());
    if (!is_read || input.holds != kLabelsHeld || chosen == all.end()) continue;
    const Step* step = chosen->second.step.get();
    return step == nullptr || table_.find(step->recipe.operation) == nullptr ? nullptr : step;
  }
  return nullptr;
}

Label NextRun::background_of_input() const {
  const Step* step = labels_read();
  if (step == nullptr) return 0;
  const LabelOrigin origin = label_origin(table_, *step);
  if (!has_painted_labels(origin)) return 0;
  if (const Label used = background_used(origin); used != 0) return used;
  for (const LabelEntry& entry : workbench_.document().labels) {
    if (is_background_name(entry.name)) return entry.id;
  }
  return 0;
}

Values NextRun::fixed_values() const {
  return fixed_values_.of(operation(), asked_values());
}

void NextRun::keep_fixed_values(const Recipe& recipe, const Values& used) {
  // Another operation may have been chosen while this one ran.
  const Operation* of_run = table_.find(recipe.operation);
  if (of_run == nullptr || !fixed_values_.keep(*of_run, recipe.values, used)) return;
  emit fixed_values_changed();
}

FixedValues NextRun::forget_fixed_values() {
  FixedValues kept = std::exchange(fixed_values_, {});
  emit fixed_values_changed();
  return kept;
}

void NextRun::bring_back_fixed_values(FixedValues values) {
  fixed_values_ = std::move(values);
  emit fixed_values_changed();
}

}  // namespace seedwave::ui
