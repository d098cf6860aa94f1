// SPDX-License-Identifier: Apache-2.0
#include "ui/models/missing.h"

#include "ui/models/label_choice.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace seedwave::ui {

namespace {

QString text(const char* source) {
  return QCoreApplication::translate("Missing", source);
}

int fewest_labels(const Operation& operation) {
  for (const InputSpec& input : operation.inputs) {
    if (input.kind == InputKind::Seeds && input.required) return std::max(1, input.fewest_labels);
  }
  return 0;
}

/// Enough labels are painted; the one that the numbers are taken from may not be among them.
QString missing_object(const Operation& operation, const Document& document) {
  const auto set = document.values.find(operation.id);
  const Values values = with_labels_chosen(
      operation, set == document.values.end() ? Values() : set->second, document);
  const auto label = label_without_strokes(operation, values, document.seeds);
  if (!label) return {};
  const LabelEntry* entry = document.find_label(*label);
  return text("Paint one stroke of %1, or choose another object.")
      .arg(entry == nullptr ? text("label %1").arg(*label) : QString::fromStdString(entry->name));
}

}  // namespace

QString what_is_missing(const Operation& operation, const Document& document, bool has_image) {
  if (!has_image) return text("Open a study first.");
  std::set<std::uint16_t> painted;
  for (const Stroke& stroke : document.seeds.strokes) {
    if (stroke.label != 0) painted.insert(stroke.label);
  }
  const int needed = fewest_labels(operation);
  if (static_cast<int>(painted.size()) >= needed) return missing_object(operation, document);
  for (const LabelEntry& entry : document.labels) {
    if (!painted.contains(entry.id)) {
      return text("Paint one stroke of %1.").arg(QString::fromStdString(entry.name));
    }
  }
  return text("Add a label and paint one stroke of it: %1 needs %2 labels.")
      .arg(QString::fromStdString(operation.title))
      .arg(needed);
}

}  // namespace seedwave::ui
