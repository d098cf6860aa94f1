// SPDX-License-Identifier: Apache-2.0
#include "core/engine/label_origin.h"

#include "core/ops/each_label.h"

namespace seedwave {

namespace {

/// Returns the choice of the labels whose numbers a step keeps: those that it corrects, or has as
/// its image (kHeldByImage); null if it gives numbers itself, or reads those of a file.
const InputChoice* numbers_kept(const Operation& operation, const Recipe& recipe) {
  const auto start = recipe.inputs.find(name_of(InputKind::Start));
  if (start != recipe.inputs.end() && start->second.step) return &start->second;
  const OutputSpec* labels = operation.find_output(OutputKind::Labels);
  const bool keeps_numbers = labels != nullptr && labels->holds == kHeldByImage;
  return keeps_numbers ? source_of(recipe) : nullptr;
}

}  // namespace

LabelOrigin label_origin(const OperationTable& table, const Step& step) {
  const Operation& operation = table.at(step.recipe.operation);
  const InputChoice* source = numbers_kept(operation, step.recipe);
  const bool is_known = source != nullptr && table.find(source->step->recipe.operation) != nullptr;
  return is_known ? label_origin(table, *source->step) : LabelOrigin{operation, step};
}

bool has_painted_labels(const LabelOrigin& origin) {
  return origin.operation.wants(InputKind::Seeds) && !origin.step.recipe.seeds.empty();
}

namespace {

/// Returns the voxels of the origin's labels. A session keeps no counts of very many labels: those
/// of the step itself then tell as much.
const LabelCounts& counts_of(const LabelOrigin& origin, const Step& step) {
  const LabelCounts& counts = origin.step.facts.voxels;
  return counts.empty() ? step.facts.voxels : counts;
}

}  // namespace

bool holds_objects(const OperationTable& table, const Step& step) {
  if (table.find(step.recipe.operation) == nullptr) return false;
  const LabelOrigin origin = label_origin(table, step);
  return !has_painted_labels(origin) && counts_of(origin, step).size() > 1;
}

bool numbers_objects(const OperationTable& table, const Step& step) {
  if (!holds_objects(table, step) || ranks_in(table, step) != 0) return false;
  const Operation& operation = label_origin(table, step).operation;
  const OutputSpec* labels = operation.find_output(OutputKind::Labels);
  const bool are_of_a_file = labels != nullptr && labels->holds == kHeldByImage;
  return !are_of_a_file && !operation.wants(InputKind::Seeds);
}

Label background_used(const LabelOrigin& origin) {
  const Values& values = origin.step.facts.values;
  const bool is_known = values.has(kBackground) && !values.is_word(kBackground);
  return is_known ? static_cast<Label>(values.number(kBackground)) : 0;
}

namespace {

/// Returns the number that parts of a step are numbered with (NumbersParts); nothing if the step
/// gives no parts.
std::optional<Label> number_of_parts(const LabelOrigin& origin) {
  const Values& values = origin.step.facts.values;
  for (const Parameter& parameter : origin.operation.parameters) {
    const bool is_used = values.has(parameter.id) && !values.is_word(parameter.id);
    if (parameter.role_as<NumbersParts>() != nullptr && is_used)
      return static_cast<Label>(values.number(parameter.id));
  }
  return std::nullopt;
}

/// Returns the label that is not background; 0 if there are several.
Label only_label(const LabelCounts& counts, Label background) {
  Label only = 0;
  for (const auto& [label, voxels] : counts) {
    if (label == background) continue;
    if (only != 0) return 0;
    only = label;
  }
  return only;
}

}  // namespace

std::optional<PartOfLabel> part_named(const OperationTable& table, const Step& step, Label label) {
  if (table.find(step.recipe.operation) == nullptr) return std::nullopt;
  const LabelOrigin origin = label_origin(table, step);
  const InputChoice* source = source_of(origin.step.recipe);
  const std::optional<Label> times = number_of_parts(origin);
  if (!times || source == nullptr || table.find(source->step->recipe.operation) == nullptr)
    return std::nullopt;
  PartOfLabel part{.of = only_label(source->step->facts.voxels, background_used(origin)),
                   .part = label,
                   .source = source->step.get()};
  if (*times != 0) {
    part.of = label / *times;
    part.part = label % *times;
  }
  return part.of == 0 || part.part == 0 ? std::nullopt : std::optional(part);
}

int ranks_in(const OperationTable& table, const Step& step) {
  if (table.find(step.recipe.operation) == nullptr) return 0;
  const LabelOrigin origin = label_origin(table, step);
  const OutputSpec* output = origin.operation.find_output(OutputKind::Labels);
  const LabelCounts& voxels = counts_of(origin, step);
  const bool ranked = output != nullptr && output->labels()->ranked && !voxels.empty();
  return ranked ? static_cast<int>(voxels.largest()) : 0;
}

}  // namespace seedwave
