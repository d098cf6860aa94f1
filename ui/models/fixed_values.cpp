// SPDX-License-Identifier: Apache-2.0
#include "ui/models/fixed_values.h"

#include <variant>

namespace seedwave::ui {

namespace {

bool is_word_of(const Parameter& parameter, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == parameter.word;
}

}  // namespace

Values FixedValues::of(const std::string& operation) const {
  const auto found = kept_.find(operation);
  return found == kept_.end() ? Values() : found->second;
}

Values FixedValues::filled(const Operation& operation, const Values& asked) const {
  Values values = asked;
  for (const auto& [id, value] : of(operation.id)) {
    const Parameter* parameter = operation.find_parameter(id);
    const bool left_to_us =
        !values.has(id) || (parameter != nullptr && is_word_of(*parameter, values.at(id)));
    if (left_to_us) values.set(id, value);
  }
  return values;
}

bool FixedValues::keep(const Operation& operation, const Values& asked, const Values& used) {
  Values fixed;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.word != "auto" || !used.has(parameter.id)) continue;
    if (is_word_of(parameter, used.at(parameter.id))) continue;
    if (asked.has(parameter.id) && !is_word_of(parameter, asked.at(parameter.id))) continue;
    fixed.set(parameter.id, used.at(parameter.id));
  }
  if (fixed == of(operation.id)) return false;
  kept_[operation.id] = fixed;
  return true;
}

}  // namespace seedwave::ui
