// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/prepared_image.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/session/document.h"
#include "ui/models/background_task.h"
#include "ui/models/document_steps.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace seedwave::ui {

/// Labels that results are compared with.
struct ReferenceLabels {
  LabelMap labels;  // empty if none is loaded
  std::set<Label> ids;
  double share = 0.0;  // the fraction of the image that has a label, 0..1
};

/// The opened data: the image, the reference, and the document that the user edits.
///
/// The display (ViewState) and the current label are no steps: they are saved, but undo does not
/// move the crosshair. Independent of windows and files.
class Workbench : public QObject {
  Q_OBJECT

 public:
  explicit Workbench(QObject* parent = nullptr);

  // --- opened data
  [[nodiscard]] bool has_image() const noexcept { return !image().empty(); }
  /// The image as loaded; three components for a colour image.
  [[nodiscard]] const Volume& image() const noexcept { return opened_.loaded.volume; }
  /// The image with what is known about it: hints, warnings, window, levels. Its scene is the input
  /// of scalar operations: the image, or the chosen channel of a colour image. Empty while another
  /// channel is extracted; `scene_changed` follows.
  [[nodiscard]] const PreparedImage& opened() const noexcept { return opened_; }
  [[nodiscard]] const ReferenceLabels& reference() const noexcept { return reference_; }

  /// Opens an image with a new document and clears the undo stack.
  void set_image(const PreparedImage& image, const Source& source, const SeedSet& seeds = {},
                 const std::vector<LabelEntry>& labels = default_labels());
  /// Opens the next case of a list: a new document with operation, values and scored region of the
  /// last one.
  void set_next_case(const PreparedImage& image, const Source& source, const SeedSet& seeds,
                     const std::vector<LabelEntry>& labels);
  /// Opens an image with a document that was saved with it.
  void set_image(const PreparedImage& image, const Document& document);
  /// Opens another part of the open slide, with the document for it, and keeps the undo stack.
  void set_part(const PreparedImage& image, const Document& document);
  /// Sets the reference, on the grid of the image. Not a step: the reference is an input beside the
  /// document's seeds.
  ///
  /// counts: voxels of each of its labels. If nothing is painted yet, the document adopts the
  /// labels that can be painted. The background gets an id that the reference does not use, because
  /// scores compare equal ids. names: names of its labels, if known.
  void set_reference(const LabelMap& reference, const Source& source, const LabelCounts& counts,
                     const std::vector<io::LabelName>& names = {});
  void clear_reference();
  /// Sets the region where results are compared with the reference. Not a step either.
  void set_scored(Scored scored);

  // --- the document
  [[nodiscard]] const Document& document() const noexcept { return document_; }
  /// The changes of the document.
  [[nodiscard]] DocumentSteps& steps() noexcept { return steps_; }
  [[nodiscard]] const DocumentSteps& steps() const noexcept { return steps_; }
  [[nodiscard]] QString label_name(Label id) const;
  /// Returns the labels as files hold them.
  [[nodiscard]] std::vector<io::LabelName> label_names() const;
  /// Returns "#rrggbb"; empty for a label that is not listed.
  [[nodiscard]] QString label_color(Label id) const;

  void set_current_label(Label id);
  void set_view(const ViewState& view);

 signals:
  void image_changed();
  /// Another channel is ready.
  void scene_changed();
  void reference_changed();
  void scored_changed(seedwave::Scored scored);
  void part_changed(seedwave::ui::Part part);
  void current_label_changed(Label id);
  void view_changed(const seedwave::ViewState& view);

 private:
  friend class DocumentSteps;
  /// Returns a document for another image. Working preferences outlive the image; everything that
  /// belongs to the image does not.
  [[nodiscard]] Document fresh_document(const PreparedImage& image, const Source& source) const;
  [[nodiscard]] static QString name_of_mask(const Source& source);
  void take_labels_of_reference(const std::vector<io::LabelName>& names);
  void take_channel();

  PreparedImage opened_;
  ReferenceLabels reference_;
  Document document_;
  DocumentSteps steps_;
  BackgroundTask channel_task_;
};

}  // namespace seedwave::ui
