// SPDX-License-Identifier: Apache-2.0
#include "core/engine/label_origin.h"

#include <algorithm>

namespace seedwave {

LabelOrigin label_origin(const OperationTable& table, const RunHistory& history, const Run& run) {
  const Operation& operation = table.at(run.operation);
  const bool keeps_numbers =
      std::any_of(operation.outputs.begin(), operation.outputs.end(), [](const OutputSpec& output) {
        return output.kind == OutputKind::Labels && output.holds_what_the_image_held;
      });
  const auto image = run.inputs.find(name_of(InputKind::Image));
  if (!keeps_numbers || image == run.inputs.end()) return {operation, run};
  const Run* source = history.find(image->second.run);
  const auto& known = table.operations();
  const bool is_known = source != nullptr && source->id != run.id &&
                        std::any_of(known.begin(), known.end(), [&](const Operation& each) {
                          return each.id == source->operation;
                        });
  return is_known ? label_origin(table, history, *source) : LabelOrigin{operation, run};
}

}  // namespace seedwave
