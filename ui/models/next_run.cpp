// SPDX-License-Identifier: Apache-2.0
#include "ui/models/next_run.h"

#include "core/session/label_choice.h"
#include "ui/models/missing.h"

namespace seedwave::ui {

NextRun::NextRun(const Workbench& workbench, const OperationTable& table, const KeptRuns& history,
                 QObject* parent)
    : QObject(parent), workbench_(workbench), table_(table), history_(history) {
  last_missing_ = missing();
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
  return recipe;
}

LoadedCase NextRun::case_for(const InputChoices& inputs) const {
  LoadedCase of = whole_case(workbench_.image());
  of.kept = kept_behind(inputs, history_.record());
  of.unit = workbench_.opened().loaded.hints.unit;
  if (of.image.components() == 3) {
    of.channel_image = workbench_.opened().scene.volume;
    of.channel = workbench_.document().channel;
  }
  return of;
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
  return with_labels_chosen(operation(), applicable_values(), workbench_.document());
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

void NextRun::forget_fixed_values() {
  fixed_values_.clear();
  emit fixed_values_changed();
}

}  // namespace seedwave::ui
