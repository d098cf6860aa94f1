// SPDX-License-Identifier: Apache-2.0
#include "ui/models/missing.h"

#include "core/engine/recipe.h"
#include "core/image/label_map.h"
#include "core/session/label_choice.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace seedwave::ui {

namespace {

struct MissingText {
  Q_DECLARE_TR_FUNCTIONS(Missing)
};

bool is_given(InputKind kind, const Document& document, const InputChoices& chosen) {
  if (kind == InputKind::Edits) return !document.edits.empty();
  if (kind != InputKind::Seeds) return chosen.contains(name_of(kind));
  return std::any_of(document.seeds.strokes.begin(), document.seeds.strokes.end(),
                     [](const Stroke& stroke) { return stroke.label != 0; });
}

InputChoices inputs_of(const Operation& operation, const Document& document) {
  const auto found = document.inputs.find(operation.id);
  return found == document.inputs.end() ? InputChoices() : found->second;
}

int fewest_labels(const Operation& operation, const Document& document) {
  const InputSpec* seeds = operation.find_input(InputKind::Seeds);
  const InputChoices chosen = inputs_of(operation, document);
  const bool needed = seeds != nullptr && seeds->is_needed([&](InputKind kind) {
    return is_given(kind, document, chosen);
  });
  return needed ? std::max(1, seeds->fewest_labels) : 0;
}

/// Enough labels are painted, but the label whose seeds give the estimates may not be among them.
QString missing_object(const Operation& operation, const Document& document) {
  if (fewest_labels(operation, document) == 0) return {};
  const auto set = document.values.find(operation.id);
  const Values values = with_labels_chosen(
      operation, set == document.values.end() ? Values() : set->second, document);
  const auto label = label_without_strokes(operation, values, document.seeds);
  if (!label) return {};
  const LabelEntry* entry = document.find_label(*label);
  return MissingText::tr("Paint a stroke of “%1”, or choose another object.")
      .arg(entry == nullptr ? MissingText::tr("label %1").arg(*label)
                            : QString::fromStdString(entry->name));
}

/// Reports a required input that is not chosen, or a chosen run that is lost.
QString missing_input(const Operation& operation, const Document& document) {
  const InputChoices chosen = inputs_of(operation, document);
  for (const InputSpec& input : operation.inputs) {
    const std::string name = name_of(input.kind);
    const auto choice = chosen.find(name);
    if (choice != chosen.end() && choice->second.step && is_lost(*choice->second.step)) {
      return MissingText::tr("Run %1, the %2, is no longer in the list: choose another.")
          .arg(choice->second.step->id)
          .arg(QString::fromStdString(name));
    }
    const bool is_chosen_here = input.kind != InputKind::Image && input.kind != InputKind::Seeds;
    if (is_chosen_here && input.required && choice == chosen.end()) {
      return (input.kind == InputKind::Labels ? MissingText::tr("Choose %1: %2.")
                                              : MissingText::tr("Choose a %1: %2."))
          .arg(QString::fromStdString(name), QString::fromStdString(input.help));
    }
  }
  return {};
}

/// Reports alternative inputs of which none is given, and how to give one.
QString missing_one_of(const Operation& operation, const Document& document) {
  const InputChoices chosen = inputs_of(operation, document);
  QStringList ways;
  for (const InputKind kind : operation.one_of) {
    if (is_given(kind, document, chosen)) return {};
    ways << (kind == InputKind::Seeds
                 ? MissingText::tr("paint a stroke in each object")
                 : MissingText::tr("choose a %1 below (a file or an earlier run)")
                       .arg(QString::fromStdString(name_of(kind))));
  }
  if (ways.isEmpty()) return {};
  return MissingText::tr("No seeds or markers yet: %1.").arg(ways.join(MissingText::tr(", or ")));
}

/// Reports that an operation on labels would read the colours of the open image.
QString missing_labels(const Operation& operation, const Document& document, const Volume& image) {
  const InputSpec* input = operation.find_input(InputKind::Image);
  if (input == nullptr || input->holds != kLabelsHeld || image.components() == 1) return {};
  // One that gives an image of the same kind reads any values.
  if (std::any_of(operation.outputs.begin(), operation.outputs.end(), [](const OutputSpec& output) {
        return output.labels() == nullptr && output.holds == kHeldByImage;
      }))
    return {};
  const InputChoices chosen = inputs_of(operation, document);
  if (chosen.contains(name_of(InputKind::Image)) || chosen.contains(name_of(InputKind::Labels)))
    return {};
  return MissingText::tr(
      "No labels yet: run an operation that gives labels first, such as "
      "Threshold, or choose a result below.");
}

/// Reports a required place that is not set.
QString missing_place(const Operation& operation, const Document& document, const Volume& image) {
  const auto of_operation = document.values.find(operation.id);
  for (const Parameter& parameter : operation.parameters) {
    const PlaceDomain* place = parameter.place();
    if (place == nullptr || !place->required ||
        !applies_to(parameter.applies, image.geometry().is_2d()))
      continue;
    const bool is_set =
        of_operation != document.values.end() && of_operation->second.has(parameter.id);
    const Value& value = is_set ? of_operation->second.at(parameter.id) : parameter.initial;
    if (!parameter.is_word(value)) continue;
    return MissingText::tr(
               "Choose the %1: press P and click in the image, or type its coordinates below.")
        .arg(QString::fromStdString(parameter.title).toLower());
  }
  return {};
}

}  // namespace

QString what_is_missing(const Operation& operation, const Document& document, const Volume& image) {
  if (image.empty()) return MissingText::tr("Open a study first.");
  if (const QString input = missing_input(operation, document); !input.isEmpty()) {
    return input;
  }
  if (const QString input = missing_one_of(operation, document); !input.isEmpty()) return input;
  if (const QString labels = missing_labels(operation, document, image); !labels.isEmpty())
    return labels;
  if (const QString place = missing_place(operation, document, image); !place.isEmpty())
    return place;
  std::set<Label> painted;
  for (const Stroke& stroke : document.seeds.strokes) {
    if (stroke.label != 0) painted.insert(stroke.label);
  }
  const int needed = fewest_labels(operation, document);
  if (static_cast<int>(painted.size()) >= needed) return missing_object(operation, document);
  for (const LabelEntry& entry : document.labels) {
    if (!painted.contains(entry.id)) {
      return MissingText::tr("Paint a stroke of “%1”.").arg(QString::fromStdString(entry.name));
    }
  }
  return MissingText::tr("Add a label and paint a stroke of it: “%1” needs %2 labels.")
      .arg(QString::fromStdString(operation.title))
      .arg(needed);
}

}  // namespace seedwave::ui
