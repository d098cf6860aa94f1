// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/prepared_image.h"
#include "core/engine/recipe.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/session/document.h"
#include "ui/models/background_task.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave::ui {

/// The part of the document that a change affects.
enum class Part { Seeds, Labels, Operation, Values, Inputs, Algorithm, Channel };

/// Continued: the change continues the previous one (a slider being dragged). New: a separate step.
enum class Gesture { New, Continued };

/// Returns a label with the fixed colour of its id.
[[nodiscard]] LabelEntry make_label(std::uint16_t id, const std::string& name);

/// The opened data: the image, the reference, and the document that the user edits.
///
/// Every change of the document is one named step on the undo stack; a change without effect pushes
/// nothing. The display (ViewState) and the current label are not steps: they are saved, but undo
/// does not move the crosshair. Independent of windows and files.
class Workbench : public QObject {
  Q_OBJECT

 public:
  explicit Workbench(QObject* parent = nullptr);

  // --- opened data
  [[nodiscard]] bool has_image() const noexcept { return !image_.empty(); }
  /// The image as loaded; three components for a colour image.
  [[nodiscard]] const Volume& image() const noexcept { return image_; }
  /// The input of scalar operations: the image, or the chosen channel of a colour image. Empty
  /// while another channel is extracted; `scene_changed` follows.
  [[nodiscard]] const Volume& scene() const noexcept { return scene_.volume; }
  [[nodiscard]] const ValueRange& scene_range() const noexcept { return scene_.range; }
  /// Otsu's threshold of the values of the scene.
  [[nodiscard]] double scene_threshold() const noexcept { return scene_.threshold; }
  /// The window estimated from the values of the image.
  [[nodiscard]] const GreyWindow& automatic_window() const noexcept { return automatic_window_; }
  /// Reduced levels of a large 2-D image; otherwise empty.
  [[nodiscard]] const std::vector<Volume>& picture_levels() const noexcept {
    return picture_levels_;
  }
  /// Returns false for an image without a position in the patient.
  [[nodiscard]] bool in_patient() const noexcept { return in_patient_; }
  [[nodiscard]] const io::DisplayHints& hints() const noexcept { return hints_; }
  /// Warnings of the reader about the image, in plain words.
  [[nodiscard]] const std::vector<std::string>& image_warnings() const noexcept {
    return image_warnings_;
  }
  /// Empty if none is loaded.
  [[nodiscard]] const LabelMap& reference() const noexcept { return reference_; }

  [[nodiscard]] const std::set<std::uint16_t>& reference_ids() const noexcept {
    return reference_ids_;
  }
  /// The fraction of the image that has a label in the reference, 0..1.
  [[nodiscard]] double reference_share() const noexcept { return reference_share_; }

  /// Opens an image with a new document and clears the undo stack.
  void set_image(const PreparedImage& image, const Source& source, const SeedSet& seeds = {},
                 const std::vector<LabelEntry>& labels = default_labels());
  /// Opens an image with a document that was saved with it.
  void set_image(const PreparedImage& image, const Document& document);
  /// Sets the reference, on the grid of the image. Not a step: the reference is an input beside the
  /// document's seeds.
  ///
  /// counts: voxels of each of its labels. If nothing is painted yet, the document adopts the
  /// labels that can be painted. The background gets an id that the reference does not use, because
  /// scores compare equal ids. names: names of its labels, if known.
  void set_reference(const LabelMap& reference, const Source& source,
                     const std::map<std::uint16_t, std::int64_t>& counts,
                     const std::vector<io::LabelName>& names = {});
  void clear_reference();
  /// Sets the region where results are compared with the reference. Not a step either.
  void set_scored(Scored scored);

  // --- the document
  [[nodiscard]] const Document& document() const noexcept { return document_; }
  [[nodiscard]] QUndoStack& undo_stack() noexcept { return undo_stack_; }
  [[nodiscard]] const QUndoStack& undo_stack() const noexcept { return undo_stack_; }
  /// Returns the values that the user set for the current operation; other parameters are not
  /// included.
  [[nodiscard]] Values values() const;
  [[nodiscard]] QString label_name(std::uint16_t id) const;
  /// Returns "#rrggbb"; empty for a label that is not listed.
  [[nodiscard]] QString label_color(std::uint16_t id) const;

  void add_stroke(const Stroke& stroke);
  void withdraw_strokes(std::vector<std::size_t> rows);
  /// Replaces all strokes by those of a file, as one step.
  void import_seeds(const SeedSet& seeds, const std::vector<LabelEntry>& labels);
  /// Appends a label with the next free id, its colour fixed by the id, and selects it. Does
  /// nothing if all ids are used.
  void add_label();
  void remove_label(std::uint16_t id);
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
  /// Returns the inputs of the current operation other than the open image and the strokes.
  [[nodiscard]] InputChoices inputs() const;
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

  void set_current_label(std::uint16_t id);
  void set_view(const ViewState& view);

 signals:
  void image_changed();
  /// Another channel is ready.
  void scene_changed();
  void reference_changed();
  void scored_changed(seedwave::Scored scored);
  void part_changed(seedwave::ui::Part part);
  void current_label_changed(std::uint16_t id);
  void view_changed(const seedwave::ViewState& view);

 private:
  friend class DocumentCommand;
  [[nodiscard]] static QString name_of_mask(const Source& source);
  void take_labels_of_reference(const std::vector<io::LabelName>& names);
  void start_document(const PreparedImage& image);
  void take_channel();
  [[nodiscard]] QString stroke_step_name(const Stroke& stroke) const;

  Volume image_;
  Scene scene_;
  GreyWindow automatic_window_;
  std::vector<Volume> picture_levels_;
  bool in_patient_ = true;
  io::DisplayHints hints_;
  std::vector<std::string> image_warnings_;
  LabelMap reference_;
  std::set<std::uint16_t> reference_ids_;
  double reference_share_ = 0.0;
  Document document_;
  QUndoStack undo_stack_;
  /// Gesture of the current change; New between changes.
  Gesture gesture_ = Gesture::New;
  BackgroundTask channel_task_;
};

}  // namespace seedwave::ui
