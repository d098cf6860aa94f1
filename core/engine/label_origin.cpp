// SPDX-License-Identifier: Apache-2.0
#include "core/engine/label_origin.h"

namespace seedwave {

LabelOrigin label_origin(const OperationTable& table, const Step& step) {
  const Operation& operation = table.at(step.recipe.operation);
  const OutputSpec* labels = operation.find_output(OutputKind::Labels);
  const bool keeps_numbers = labels != nullptr && labels->holds == kHeldByImage;
  const auto image = step.recipe.inputs.find(name_of(InputKind::Image));
  if (!keeps_numbers || image == step.recipe.inputs.end()) return {operation, step};
  const Step* source = image->second.step.get();
  const bool is_known = source != nullptr && table.find(source->recipe.operation) != nullptr;
  return is_known ? label_origin(table, *source) : LabelOrigin{operation, step};
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

int ranks_in(const OperationTable& table, const Step& step) {
  if (table.find(step.recipe.operation) == nullptr) return 0;
  const LabelOrigin origin = label_origin(table, step);
  const OutputSpec* output = origin.operation.find_output(OutputKind::Labels);
  const LabelCounts& voxels = counts_of(origin, step);
  const bool ranked = output != nullptr && output->labels()->ranked && !voxels.empty();
  return ranked ? static_cast<int>(voxels.largest()) : 0;
}

}  // namespace seedwave
