// SPDX-License-Identifier: Apache-2.0
#include "core/engine/fixed_values.h"

#include <algorithm>
#include <utility>

namespace seedwave {

namespace {

/// Returns the current values of the parameters that name a label and are not estimated
/// themselves.
Values labels_in(const Operation& operation, const Values& values) {
  Values labels;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.role_as<NamesLabel>() == nullptr || parameter.word() == kAuto) continue;
    labels.set(parameter.id,
               values.has(parameter.id) ? values.at(parameter.id) : parameter.initial);
  }
  return labels;
}

}  // namespace

Values FixedValues::of(const Operation& operation, const Values& asked) const {
  const auto found = kept_.find(operation.id);
  const bool fits = found != kept_.end() && found->second.labels == labels_in(operation, asked);
  return fits ? found->second.numbers : Values();
}

Values FixedValues::filled(const Operation& operation, const Values& asked) const {
  Values values = asked;
  if (!operation.wants(InputKind::Seeds)) return values;
  for (const auto& [id, value] : of(operation, asked)) {
    const Parameter* parameter = operation.find_parameter(id);
    const bool left_to_us =
        !values.has(id) || (parameter != nullptr && parameter->is_word(values.at(id)));
    if (left_to_us) values.set(id, value);
  }
  return values;
}

bool FixedValues::keep(const Operation& operation, const Values& asked, const Values& used) {
  Values fixed;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.word() != kAuto || !used.has(parameter.id)) continue;
    if (parameter.is_word(used.at(parameter.id))) continue;
    if (asked.has(parameter.id) && !parameter.is_word(asked.at(parameter.id))) continue;
    fixed.set(parameter.id, used.at(parameter.id));
  }
  Kept& kept = kept_[operation.id];
  Kept now{std::move(fixed), labels_in(operation, used)};
  if (now == kept) return false;
  kept = std::move(now);
  return true;
}

bool has_automatic_values(const Operation& operation) {
  return std::any_of(operation.parameters.begin(), operation.parameters.end(),
                     [](const Parameter& parameter) { return parameter.word() == kAuto; });
}

}  // namespace seedwave
