// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_merge.h"

#include "core/image/label_map.h"
#include "core/ops/label_numbers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace seedwave::ui {

namespace {

/// More labels are objects, to be split by an operation rather than merged by hand.
constexpr std::size_t kMostMergedLabels = 32;

struct Renumbering {
  const Operation* operation = nullptr;
  const Parameter* parameter = nullptr;
};

std::optional<Renumbering> renumbering(const OperationTable& table) {
  for (const Operation& operation : table.operations()) {
    for (const Parameter& parameter : operation.parameters) {
      if (parameter.role_as<RenumbersLabels>() != nullptr)
        return Renumbering{&operation, &parameter};
    }
  }
  return std::nullopt;
}

/// Returns the renumbering of single labels by a run; nothing if the run was of another operation
/// or did something else.
std::optional<LabelNumbers> made_by(const Renumbering& how, const Run& run) {
  if (run.recipe.operation != how.operation->id || !run.facts.values.has(how.parameter->id) ||
      !run.facts.values.is_word(how.parameter->id) ||
      !run.recipe.inputs.contains(name_of(InputKind::Image))) {
    return std::nullopt;
  }
  const Value& value = run.facts.values.at(how.parameter->id);
  return how.parameter->is_word(value) ? LabelNumbers() : parse_label_numbers(text_of(value));
}

LabelNumbers with_merged(LabelNumbers numbers, Label label, Label into) {
  // A label that became another one no longer exists for merging.
  numbers.emplace(label, label);
  for (auto& [from, to] : numbers) {
    if (to == label) to = into;
  }
  std::erase_if(numbers, [](const auto& each) { return each.first == each.second; });
  return numbers;
}

}  // namespace

std::vector<Label> labels_to_merge_into(const RunController& runs, Label label) {
  const Run* run = runs.displayed().run();
  if (run == nullptr || label == 0 || runs.displayed().result().labels.empty() ||
      !run->facts.voxels.contains(label) || run->facts.voxels.size() > kMostMergedLabels ||
      !renumbering(runs.next().table())) {
    return {};
  }
  std::vector<Label> others;
  for (const auto& [other, voxels] : run->facts.voxels) {
    if (other != label) others.push_back(other);
  }
  others.push_back(0);
  return others;
}

void merge_label(Workbench& workbench, const RunController& runs, Label label, Label into) {
  const Run* run = runs.displayed().run();
  const std::optional<Renumbering> how = renumbering(runs.next().table());
  const Operation* of_run =
      run == nullptr ? nullptr : runs.next().table().find(run->recipe.operation);
  const OutputSpec* labels = of_run == nullptr ? nullptr : of_run->find_output(OutputKind::Labels);
  if (!how || labels == nullptr) return;
  Recipe recipe{.operation = how->operation->id, .seeds = workbench.document().seeds};
  const std::optional<LabelNumbers> before = made_by(*how, *run);
  if (before) {
    recipe.inputs = run->recipe.inputs;
  } else {
    recipe.inputs[name_of(InputKind::Image)] = output_of(*run, labels->id);
  }
  const LabelNumbers numbers = with_merged(before.value_or(LabelNumbers()), label, into);
  recipe.values.set(how->parameter->id,
                    numbers.empty() ? how->parameter->word() : seedwave::to_text(numbers));
  workbench.steps().restore(
      recipe, Workbench::tr("merge of %1 into %2")
                  .arg(runs.displayed().label_text(label), runs.displayed().label_text(into)));
}

}  // namespace seedwave::ui
