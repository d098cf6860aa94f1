// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/labels_from.h"
#include "core/ops/label_numbers.h"
#include "core/ops/operation.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kInto = "into";
constexpr const char* kSame = "same";
constexpr double kMostLabel = std::numeric_limits<Label>::max();

Label label_named(double number) {
  if (number != std::floor(number))
    throw UsageError(std::string(kInto) + ": labels are whole numbers, not " + number_text(number));
  return static_cast<Label>(number);
}

/// The new numbers of labels: of all, or of some; the others keep theirs.
struct NewNumbers {
  std::optional<Label> all;
  std::map<Label, Label> some;

  [[nodiscard]] Label of(Label label) const {
    if (label != 0 && all) return *all;
    const auto found = some.find(label);
    return found == some.end() ? label : found->second;
  }
  [[nodiscard]] Label largest(Label of_others) const {
    Label most = all.value_or(of_others);
    for (const auto& [label, number] : some)
      most = std::max(most, number);
    return most;
  }
};

NewNumbers new_numbers(const Value& into) {
  if (const auto* number = std::get_if<double>(&into)) return {label_named(*number), {}};
  const std::string& text = std::get<std::string>(into);
  if (text == kSame) return {};
  NewNumbers numbers;
  // The form was checked before.
  const std::optional<LabelNumbers> pairs = parse_label_numbers(text);
  for (const auto& [label, number] : *pairs)
    numbers.some[label] = label_named(number);
  return numbers;
}

Result run_table(const Inputs& inputs, const Values& values, Context& context) {
  const NewNumbers numbers = new_numbers(values.at(kInto));
  const auto stage = context.stage("renumber");
  const LabelMap labels = labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); });
  // Most labels are in the table: those up to 16 bits.
  std::vector<Label> table(std::size_t{1} << 16);
  for (std::size_t label = 0; label < table.size(); ++label)
    table[label] = numbers.of(static_cast<Label>(label));
  const Label most = numbers.largest(largest_label(labels.labels()));
  Result result;
  result.outputs["labels"] =
      make_labels(inputs.image.geometry(), most, [&]<typename T>(std::vector<T>& renumbered) {
        visit_labels(labels.labels(), [&](auto from) {
          renumbered = tabulate<T>(std::ssize(from), context, [&](std::int64_t i) {
            const Label label = from[i];
            return static_cast<T>(label < table.size() ? table[label] : numbers.of(label));
          });
        });
      });
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
