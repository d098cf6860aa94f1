// SPDX-License-Identifier: Apache-2.0
#include "core/ops/each_label.h"

#include "core/base/error.h"

#include <utility>

namespace seedwave {
namespace {

constexpr const char* kByBorder = "border";

}  // namespace

InputSpec labels_in_place(std::string help) {
  return {
      .kind = InputKind::Labels, .required = false, .help = std::move(help), .holds = kLabelsHeld};
}

Parameter background_parameter() {
  return {
      .id = kBackground,
      .title = "Background",
      .help =
          "With labels: the label of everything else, which counts as unlabelled; 0: none; "
          "border: of several labels the one with the most voxels at the image border",
      .initial = kByBorder,
      .domain = NumberDomain{.low = 0.0, .high = kLargestLabel, .whole = true, .word = kByBorder},
      .role = NamesLabel{.word_title = "border: most of the image border"},
      .advanced = true};
}

LabelledObjects labelled_objects(const Inputs& inputs, Values& values, Context& context) {
  if (context.memory() != 0)
    throw UsageError("memory: labels are not processed within a memory limit, only images");
  LabelledObjects objects{.labels = inputs.labels};
  objects.background = values.is_word(kBackground) ? background_of(inputs.labels, context)
                                                   : static_cast<Label>(values.number(kBackground));
  values.set(kBackground, static_cast<double>(objects.background));
  return objects;
}

std::function<std::string(const Inputs&, const Values&)> labels_on_cpu_alone(Backend backend) {
  if (backend == Backend::Cpu) return {};
  return [](const Inputs& inputs, const Values&) {
    return inputs.labels.empty() ? "" : "cannot process labels";
  };
}

}  // namespace seedwave
