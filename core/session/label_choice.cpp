// SPDX-License-Identifier: Apache-2.0
#include "core/session/label_choice.h"

#include "core/image/label_map.h"
#include "core/ops/each_label.h"

#include <algorithm>
#include <variant>

namespace seedwave {

namespace {

bool is_painted(const SeedSet& seeds, Label label) {
  return std::any_of(seeds.strokes.begin(), seeds.strokes.end(),
                     [label](const Stroke& stroke) { return stroke.label == label; });
}

bool is_background(const Document& document, Label label) {
  const LabelEntry* entry = document.find_label(label);
  return entry != nullptr && is_background_name(entry->name);
}

std::optional<Label> painted_background(const Document& document) {
  for (const Stroke& stroke : document.seeds.strokes) {
    if (stroke.label != 0 && is_background(document, stroke.label)) return stroke.label;
  }
  return std::nullopt;
}

std::optional<Label> first_painted(const Document& document) {
  for (const Stroke& stroke : document.seeds.strokes) {
    if (stroke.label != 0 && !is_background(document, stroke.label)) return stroke.label;
  }
  return painted_background(document);
}

bool starts_from_labels(const Document& document) {
  return document.current_inputs().contains(name_of(InputKind::Start));
}

/// Returns whether a number with values per label is to be estimated from the seeds of a label.
bool estimates(const Operation& operation, const Values& values) {
  return std::any_of(operation.parameters.begin(), operation.parameters.end(),
                     [&](const Parameter& parameter) {
                       if (parameter.numbers() == nullptr || !parameter.numbers()->per_label)
                         return false;
                       return parameter.is_word(values.has(parameter.id) ? values.at(parameter.id)
                                                                         : parameter.initial);
                     });
}

}  // namespace

Values with_labels_chosen(const Operation& operation, const Values& asked,
                          const Document& document) {
  Values values = asked;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.role_as<NamesLabel>() == nullptr || values.has(parameter.id)) continue;
    if (parameter.id == kBackground && parameter.word() == kAuto) {
      if (const auto label = painted_background(document); label && !starts_from_labels(document))
        values.set(parameter.id, static_cast<double>(*label));
      continue;
    }
    const auto* initial = std::get_if<double>(&parameter.initial);
    if (initial == nullptr || is_painted(document.seeds, static_cast<Label>(*initial))) {
      continue;
    }
    if (const auto label = first_painted(document)) {
      values.set(parameter.id, static_cast<double>(*label));
    }
  }
  return values;
}

std::optional<Label> label_without_strokes(const Operation& operation, const Values& values,
                                           const SeedSet& seeds) {
  for (const Parameter& parameter : operation.parameters) {
    const auto* names = parameter.role_as<NamesLabel>();
    if (names == nullptr) continue;
    const Value value = values.has(parameter.id) ? values.at(parameter.id) : parameter.initial;
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) continue;  // a word: every label that has seeds
    const bool needed = names->always || estimates(operation, values);
    const auto label = static_cast<Label>(*number);
    if (needed && !is_painted(seeds, label)) return label;
  }
  return std::nullopt;
}

}  // namespace seedwave
