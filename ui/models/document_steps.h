// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/image/label_map.h"
#include "core/session/document.h"

#include <QCoreApplication>
#include <QString>
#include <QUndoStack>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave::ui {

class Workbench;

/// The part of the document that a change affects.
enum class Part {
  Seeds,
  Edits,
  Regions,
  Labels,
  Operation,
  Values,
  Inputs,
  Algorithm,
  Channel,
  Stains
};

/// Continued: the change continues the previous one (a slider being dragged). New: a separate step.
enum class Gesture { New, Continued };

/// Returns a label with the fixed colour of its id.
[[nodiscard]] LabelEntry make_label(Label id, const std::string& name);
/// Returns the lowest label id from `from` on that is not in `taken`; 0 if there is none.
[[nodiscard]] Label free_label_id(Label from, const std::set<Label>& taken);

/// The changes of the workbench's document. Each is one named step on the undo stack; a change
/// without effect pushes nothing.
class DocumentSteps {
  Q_DECLARE_TR_FUNCTIONS(DocumentSteps)

 public:
  explicit DocumentSteps(Workbench& workbench) : workbench_(workbench) {}

  [[nodiscard]] QUndoStack& undo_stack() noexcept { return undo_stack_; }
  [[nodiscard]] const QUndoStack& undo_stack() const noexcept { return undo_stack_; }

  void add_stroke(const Stroke& stroke);
  void withdraw_strokes(std::vector<std::size_t> rows);
  /// Replaces the edits above the results; `step_name` says what was done: "fill of liver".
  void set_edits(const Edits& edits, const QString& step_name);
  /// Replaces the regions; `step_name` says what was done: "region of stroma".
  void set_regions(Regions regions, const QString& step_name);
  /// The same with labels that are their classes, as one step.
  void set_regions(Regions regions, const std::vector<LabelEntry>& labels,
                   const QString& step_name);
  /// Replaces all strokes by those of a file, as one step.
  void import_seeds(const SeedSet& seeds, const std::vector<LabelEntry>& labels);
  /// Appends a label with the next free id, its colour fixed by the id, and selects it. Does
  /// nothing if all ids are used.
  void add_label();
  void remove_label(Label id);
  void change_label(const LabelEntry& entry, Gesture gesture = Gesture::New);
  void set_labels(const std::vector<LabelEntry>& labels, const QString& step_name);
  void set_value(const std::string& parameter, const Value& value, const QString& title,
                 Gesture gesture = Gesture::New);
  /// Sets all values for the current operation as one step.
  void set_values(const Values& values, const QString& title, Gesture gesture = Gesture::New);
  void reset_value(const std::string& parameter, const QString& title);
  void set_operation(const std::string& id, const QString& title);
  void set_algorithm(const std::string& algorithm, const std::string& backend);
  void set_channel(const std::string& channel);
  /// Replaces the user's own stains; the channel stays at the same place among them.
  void set_own_channels(const std::vector<std::string>& channels);
  /// `input`: "image", "marker", "mask". Empty: the open image, or none.
  void set_input(const std::string& input, const std::optional<InputChoice>& choice);
  /// Sets whether an optional output is requested.
  void set_requested(const std::string& output, bool requested);
  /// Resets the document to a recipe, as one step. The algorithm and backend stay. The channel
  /// stays if the recipe has none.
  void restore(const Recipe& recipe, const QString& step_name);

  /// While part_changed is emitted: returns whether the change continues the previous one (a slider
  /// being dragged).
  [[nodiscard]] bool change_continues() const noexcept { return gesture_ == Gesture::Continued; }
  /// Returns how often the document has changed, undo and redo counted.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  friend class DocumentCommand;
  [[nodiscard]] Document& document() const;
  void tell(Part part);
  [[nodiscard]] QString stroke_step_name(const Stroke& stroke) const;

  Workbench& workbench_;
  QUndoStack undo_stack_;
  std::uint64_t changes_ = 0;
  /// Gesture of the current change; New between changes.
  Gesture gesture_ = Gesture::New;
};

}  // namespace seedwave::ui
