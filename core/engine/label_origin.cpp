// SPDX-License-Identifier: Apache-2.0
#include "core/engine/label_origin.h"

namespace seedwave {

LabelOrigin label_origin(const OperationTable& table, const RunHistory& history, const Run& run) {
  const Operation& operation = table.at(run.recipe.operation);
  const OutputSpec* labels = operation.find_output(OutputKind::Labels);
  const bool keeps_numbers = labels != nullptr && labels->holds == kHeldByImage;
  const auto image = run.recipe.inputs.find(name_of(InputKind::Image));
  if (!keeps_numbers || image == run.recipe.inputs.end()) return {operation, run};
  const Run* source = history.find(image->second.run);
  const bool is_known =
      source != nullptr && source->id != run.id && table.find(source->recipe.operation) != nullptr;
  return is_known ? label_origin(table, history, *source) : LabelOrigin{operation, run};
}

bool has_painted_labels(const Operation& operation, const Run& run) {
  return operation.wants(InputKind::Seeds) && !run.recipe.seeds.empty();
}

bool holds_objects(const OperationTable& table, const RunHistory& history, const Run& run) {
  if (table.find(run.recipe.operation) == nullptr) return false;
  const LabelOrigin origin = label_origin(table, history, run);
  return !has_painted_labels(origin.operation, origin.run) && origin.run.facts.voxels.size() > 1;
}

int ranks_in(const OperationTable& table, const RunHistory& history, const Run& run) {
  if (table.find(run.recipe.operation) == nullptr) return 0;
  const LabelOrigin origin = label_origin(table, history, run);
  const OutputSpec* output = origin.operation.find_output(OutputKind::Labels);
  const bool ranked =
      output != nullptr && output->labels()->ranked && !origin.run.facts.voxels.empty();
  return ranked ? static_cast<int>(origin.run.facts.voxels.largest()) : 0;
}

}  // namespace seedwave
