// SPDX-License-Identifier: Apache-2.0
#include "ui/models/fitting_input.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace seedwave::ui {

namespace {

const OutputSpec* find_output(const Operation* operation, const std::string& id) {
  if (operation == nullptr) return nullptr;
  for (const OutputSpec& output : operation->outputs) {
    if (output.id == id) return &output;
  }
  return nullptr;
}

/// Returns the output that a choice names; null if its operation is unknown.
const OutputSpec* output_named(const OperationTable& table, const InputChoice& choice) {
  return find_output(table.find(choice.step->recipe.operation), choice.output);
}

/// Returns the kind of content of an output; empty if it has none, or if its source is unknown.
std::string held_by(const OperationTable& table, const Step& step, const OutputSpec& output) {
  if (output.holds != kHeldByImage) return output.holds;
  const InputChoice* source = source_of(step.recipe);
  const OutputSpec* read = source == nullptr ? nullptr : output_named(table, *source);
  return read == nullptr ? std::string() : held_by(table, *source->step, *read);
}

/// Returns the newest output that serves.
std::optional<InputChoice> newest_output(
    const RunController& runs,
    const std::function<bool(const Run& run, const OutputSpec& output)>& serves) {
  const std::vector<Run>& all = runs.history().runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    const Operation* operation = runs.next().table().find(run->recipe.operation);
    if (operation == nullptr) continue;
    for (const OutputSpec& output : operation->outputs) {
      if (serves(*run, output)) return output_of(*run, output.id);
    }
  }
  return std::nullopt;
}

/// Returns the newest result with this content.
std::optional<InputChoice> newest_of(const RunController& runs, const std::string& held) {
  return newest_output(runs, [&](const Run& run, const OutputSpec& output) {
    return output.is_given(reads_of(run.recipe)) &&
           held_by(runs.next().table(), run, output) == held;
  });
}

bool holds_labels(const OperationTable& table, const Step& step, const OutputSpec& output) {
  if (!output.is_given(reads_of(step.recipe))) return false;
  const InputChoice* source = output.holds == kHeldByImage ? source_of(step.recipe) : nullptr;
  if (source == nullptr) return output.labels() != nullptr;
  const OutputSpec* read = output_named(table, *source);
  return read != nullptr && holds_labels(table, *source->step, *read);
}

/// Returns the displayed labels, an image made from labels, or the labels from which the displayed
/// map was made.
std::optional<InputChoice> shown_labels(const RunController& runs) {
  const Run* run = runs.displayed().run();
  const Operation* operation =
      run == nullptr ? nullptr : runs.next().table().find(run->recipe.operation);
  if (operation == nullptr) return std::nullopt;
  for (const OutputSpec& output : operation->outputs) {
    if (holds_labels(runs.next().table(), *run, output)) return output_of(*run, output.id);
  }
  const InputChoice* source = source_of(run->recipe);
  const OutputSpec* read = source == nullptr ? nullptr : output_named(runs.next().table(), *source);
  const bool are_labels =
      read != nullptr && holds_labels(runs.next().table(), *source->step, *read);
  return are_labels ? std::optional(*source) : std::nullopt;
}

/// Returns the displayed labels, or else those of the newest run that gives some.
std::optional<InputChoice> shown_or_newest_labels(const RunController& runs) {
  if (auto shown = shown_labels(runs)) return shown;
  return newest_output(runs, [&](const Run& run, const OutputSpec& output) {
    return holds_labels(runs.next().table(), run, output);
  });
}

std::uint64_t last_run_of(const RunController& runs, const std::string& operation) {
  std::uint64_t last = 0;
  for (const Run& run : runs.history().runs()) {
    if (run.recipe.operation == operation) last = std::max(last, run.id);
  }
  return last;
}

/// Returns the result that an input of an operation is to be set to; nothing if it stays.
std::optional<InputChoice> fitting_choice(const Workbench& workbench, const RunController& runs,
                                          const std::string& id, const InputSpec& input) {
  const bool wants_labels = input.holds == kLabelsHeld;
  const std::optional<InputChoice> newest =
      wants_labels ? shown_or_newest_labels(runs) : newest_of(runs, input.holds);
  const auto& all = workbench.document().inputs;
  const auto of_operation = all.find(id);
  if (!newest || of_operation == all.end()) return newest;
  const auto chosen = of_operation->second.find(name_of(input.kind));
  if (chosen == of_operation->second.end()) return newest;
  const Step* step = chosen->second.step.get();
  const bool is_listed = step == nullptr || runs.history().record().find(*step) != nullptr;
  const bool is_kept =
      step == nullptr || (!wants_labels && last_run_of(runs, id) > newest->step->id);
  return is_listed && is_kept ? std::nullopt : newest;
}

/// Returns whether the image of an operation is a file, whose values are not known before a run.
bool reads_file(const Workbench& workbench, const std::string& operation) {
  const auto& all = workbench.document().inputs;
  const auto inputs = all.find(operation);
  if (inputs == all.end()) return false;
  const auto image = inputs->second.find(name_of(InputKind::Image));
  return image != inputs->second.end() && image->second.step == nullptr;
}

/// Returns whether a step of the operation lies in a chain of images.
bool has_step_of(const std::string& operation, const Step* last) {
  for (const Step* step = last; step != nullptr;) {
    if (step->recipe.operation == operation) return true;
    const auto image = step->recipe.inputs.find(name_of(InputKind::Image));
    step = image == step->recipe.inputs.end() ? nullptr : image->second.step.get();
  }
  return false;
}

/// Returns the displayed image that an operation can go on from; nothing if the displayed run gives
/// labels, or an image on other voxels, or was made with that operation, whose values are then to
/// be changed.
std::optional<InputChoice> shown_image(const RunController& runs, const Operation& next) {
  const Run* run = runs.displayed().run();
  const Operation* operation =
      run == nullptr ? nullptr : runs.next().table().find(run->recipe.operation);
  if (operation == nullptr || reads_colours(next) || !runs.displayed().has_only_maps()) return {};
  if (has_step_of(next.id, run)) return {};
  for (const OutputSpec& output : operation->outputs) {
    const bool is_image = output.image() != nullptr && !output.image()->own_grid;
    if (is_image && run->images.contains(output.id)) return output_of(*run, output.id);
  }
  return std::nullopt;
}

/// Returns the results that the inputs of an operation are to be set to, by the input's name.
InputChoices fitting_choices(const Workbench& workbench, const RunController& runs,
                             const std::string& id) {
  InputChoices choices;
  const Operation* operation = runs.next().table().find(id);
  if (operation == nullptr) return choices;
  for (const InputSpec& input : operation->inputs) {
    if (input.kind == InputKind::Image && operation->labels_replace_image()) continue;
    std::optional<InputChoice> choice;
    if (!input.holds.empty()) choice = fitting_choice(workbench, runs, id, input);
    if (input.holds.empty() && input.kind == InputKind::Image && !reads_file(workbench, id))
      choice = shown_image(runs, *operation);
    if (choice) choices.emplace(name_of(input.kind), *choice);
  }
  return choices;
}

/// Returns the parameters that start at Otsu's threshold and that the user has not set.
std::vector<const Parameter*> unset_thresholds(const Workbench& workbench,
                                               const RunController& runs, const std::string& id) {
  const Operation* operation = runs.next().table().find(id);
  if (operation == nullptr) return {};
  const Document& document = workbench.document();
  const auto set = document.values.find(id);
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : operation->parameters) {
    const bool is_set = set != document.values.end() && set->second.has(parameter.id);
    if (parameter.role_as<StartsAtOtsu>() != nullptr && !is_set) found.push_back(&parameter);
  }
  return found;
}

/// Returns the parameters that are Otsu's threshold of the image that is read.
std::vector<const Parameter*> thresholds_at_otsu(const Workbench& workbench,
                                                 const RunController& runs) {
  const Values values = workbench.document().current_values();
  const Scene& scene = runs.next().scene();
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : runs.next().operation().parameters) {
    if (parameter.role_as<StartsAtOtsu>() == nullptr || !values.has(parameter.id)) continue;
    const Value value = values.at(parameter.id);
    const auto* number = std::get_if<double>(&value);
    if (!scene.volume.empty() && number != nullptr && *number == scene.threshold)
      found.push_back(&parameter);
  }
  return found;
}

void set_to_otsu(Workbench& workbench, const RunController& runs,
                 const std::vector<const Parameter*>& parameters) {
  for (const Parameter* parameter : parameters) {
    workbench.steps().set_value(parameter->id, runs.next().scene().threshold,
                                QString::fromStdString(parameter->title));
  }
}

/// Sets the parameters to Otsu's threshold of the image that is read: now, or as soon as its voxels
/// were looked at, unless another image or operation was chosen meanwhile.
void start_at_otsu(Workbench& workbench, const RunController& runs,
                   const std::vector<const Parameter*>& parameters) {
  if (parameters.empty() || !workbench.has_image() ||
      reads_file(workbench, workbench.document().operation))
    return;
  if (!runs.next().scene().volume.empty()) {
    set_to_otsu(workbench, runs, parameters);
    return;
  }
  const Document& asked = workbench.document();
  const auto when_known = [&workbench, &runs, parameters, operation = asked.operation,
                           channel = asked.channel, inputs = asked.current_inputs(),
                           values = asked.current_values()] {
    const Document& now = workbench.document();
    if (now.operation == operation && now.channel == channel && now.current_inputs() == inputs &&
        now.current_values() == values) {
      set_to_otsu(workbench, runs, parameters);
    }
  };
  QObject::connect(&runs.next(), &NextRun::scene_changed, &workbench, when_known,
                   Qt::SingleShotConnection);
}

}  // namespace

void choose_operation(Workbench& workbench, const RunController& runs, const std::string& id,
                      const QString& title) {
  if (id == workbench.document().operation) return;
  const InputChoices inputs = fitting_choices(workbench, runs, id);
  const std::vector<const Parameter*> thresholds = unset_thresholds(workbench, runs, id);
  if (inputs.empty() && thresholds.empty()) {
    workbench.steps().set_operation(id, title);
    return;
  }
  workbench.steps().undo_stack().beginMacro(Workbench::tr("choice of %1").arg(title));
  workbench.steps().set_operation(id, title);
  for (const auto& [input, choice] : inputs)
    workbench.steps().set_input(input, choice);
  start_at_otsu(workbench, runs, thresholds);
  workbench.steps().undo_stack().endMacro();
}

void choose_input(Workbench& workbench, const RunController& runs, const std::string& input,
                  const std::optional<InputChoice>& choice) {
  const std::vector<const Parameter*> following = thresholds_at_otsu(workbench, runs);
  workbench.steps().set_input(input, choice);
  start_at_otsu(workbench, runs, following);
}

void choose_channel(Workbench& workbench, const RunController& runs, const std::string& channel) {
  const std::vector<const Parameter*> following = thresholds_at_otsu(workbench, runs);
  workbench.steps().set_channel(channel);
  start_at_otsu(workbench, runs, following);
}

}  // namespace seedwave::ui
