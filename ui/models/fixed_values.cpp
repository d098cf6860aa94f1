// SPDX-License-Identifier: Apache-2.0
#include "ui/models/fixed_values.h"

#include <utility>
#include <variant>

namespace seedwave::ui {

namespace {

bool is_word_of(const Parameter& parameter, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == parameter.word;
}

/// Which object the automatic numbers of a run with these values describe.
std::optional<Value> object_of(const Operation& operation, const Values& values) {
  const Parameter* object = operation.find_parameter("object");
  if (object == nullptr) return std::nullopt;
  return values.has(object->id) ? values.at(object->id) : object->initial;
}

}  // namespace

Values FixedValues::of(const Operation& operation, const Values& asked) const {
  const auto found = kept_.find(operation.id);
  const bool holds = found != kept_.end() && found->second.object == object_of(operation, asked);
  return holds ? found->second.numbers : Values();
}

Values FixedValues::filled(const Operation& operation, const Values& asked) const {
  Values values = asked;
  for (const auto& [id, value] : of(operation, asked)) {
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
  Kept now{.numbers = fixed, .object = object_of(operation, asked)};
  Kept& before = kept_[operation.id];
  if (now == before) return false;
  before = std::move(now);
  return true;
}

}  // namespace seedwave::ui
