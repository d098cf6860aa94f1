// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/labels_from.h"
#include "core/ops/label_numbers.h"
#include "core/ops/operation.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kInto = "into";
constexpr const char* kSame = "same";
constexpr double kMostLabel = std::numeric_limits<std::uint16_t>::max();

std::uint16_t label_named(double number) {
  if (number != std::floor(number))
    throw UsageError(std::string(kInto) + ": labels are whole numbers, not " + number_text(number));
  return static_cast<std::uint16_t>(number);
}

/// Returns the new number of each label.
std::vector<std::uint16_t> label_table(const Value& into) {
  std::vector<std::uint16_t> table(static_cast<std::size_t>(kMostLabel) + 1);
  for (std::size_t label = 0; label < table.size(); ++label)
    table[label] = static_cast<std::uint16_t>(label);
  if (const auto* number = std::get_if<double>(&into)) {
    std::fill(table.begin() + 1, table.end(), label_named(*number));
    return table;
  }
  const std::string& text = std::get<std::string>(into);
  if (text == kSame) return table;
  // The form was checked before.
  const std::optional<LabelNumbers> numbers = parse_label_numbers(text);
  for (const auto& [label, number] : *numbers)
    table[label] = label_named(number);
  return table;
}

Result run_table(const Inputs& inputs, const Values& values, Context& context) {
  const std::vector<std::uint16_t> becomes = label_table(values.at(kInto));
  const auto stage = context.stage("renumber");
  std::vector<std::uint16_t> labels =
      label_values_from(inputs.image, "the image", [&] { context.checkpoint(0.0); });
  constexpr std::int64_t kGrain = 1 << 16;
  parallel_for(context, std::ssize(labels), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      labels[i] = becomes[labels[i]];
  });
  Result result;
  result.outputs["labels"] = LabelMap(inputs.image.geometry(), std::move(labels));
  result.values = values;
  return result;
}

}  // namespace

Operation merge_labels_operation() {
  return {
      .id = "merge-labels",
      .title = "Merge labels",
      .help = "Renumbers labels, so that parts that belong together have one number.",
      .order = 350,
      .inputs = {{.kind = InputKind::Image,
                  .help = "label map: whole numbers, 0 is background",
                  .holds = kLabelsHeld}},
      .parameters =
          {{.id = kInto,
            .title = "Into",
            .help = "New numbers of labels: 3=1,4=1; 0: background; one number: that of all labels",
            .initial = kSame,
            .domain =
                NumberDomain{.low = 0.0, .high = kMostLabel, .word = kSame, .per_label = true},
            .role = RenumbersLabels{}}},
      .outputs = {{.id = "labels",
                   .help = "the renumbered labels; a label that is not named keeps its number",
                   .form = LabelsForm{},
                   .holds = kHeldByImage}},
      .implementations = {{.algorithm = "table",
                           .backend = Backend::Cpu,
                           .exactness = Exactness::Exact,
                           .run = run_table}},
      .reference_algorithm = "table",
      .example = {.digest = "xxh64:71c1175aaa9eb223"}};
}

}  // namespace seedwave
