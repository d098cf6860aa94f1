// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/seed_set.h"
#include "ui/views/region_outlines.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_state.h"
#include "ui/views/voxel_outline.h"

#include <QColor>
#include <QLineF>
#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// The layers over the image of a slice view, without widget: labels, map, reference and seeds,
/// which its pipeline colours, and the texts and marks that are drawn over them.
class SliceLayers : public QObject {
  Q_OBJECT

 public:
  /// `pipeline` must outlive this.
  explicit SliceLayers(SlicePipeline& pipeline) : pipeline_(pipeline) {}

  /// Removes result, map, reference, seeds and chosen voxels: they belong to the previous image.
  void clear();
  /// Sets the result: on the grid of the image, or empty. Only the displayed slice is drawn again,
  /// and only if the map's `changed()` box or the patch touches it. `patch`: over the result; null
  /// for none.
  void set_result(const LabelMap& result, const std::shared_ptr<const LabelPatch>& patch = {});
  /// Marks the voxels in which the result differs from `before`, on the same grid; empty marks
  /// none.
  void set_changes_from(const LabelMap& before);
  /// Sets the map of OverlayKind::Map: on the grid of the image, or empty. `note` then says why,
  /// and is shown instead of the colour bar.
  void set_map(const ScalarMap& map, const QString& note = {});
  [[nodiscard]] const ScalarMap& map() const noexcept { return map_; }
  [[nodiscard]] const QString& map_note() const noexcept { return map_note_; }
  /// Sets the reference: on the grid of the image, or empty.
  void set_reference(const LabelMap& reference);
  /// Sets the seeds on the grid of the image; null for none. Removes the strokes drawn since.
  void set_seeds(std::shared_ptr<const SeedVoxels> seeds);
  /// Draws a part of a stroke over the seeds until the next set_seeds().
  void add_to_stroke(const Stroke& part);
  void clear_stroke();
  /// Draws a part of an edit into the result until the next set_result() or clear_edit(), where the
  /// filter allows it.
  void add_to_edit(const Stroke& part);
  void clear_edit();
  /// Sets the function that returns which voxels an edit with a label may change.
  void set_edit_filter(std::function<EditFilter(Label)> filter) { filter_ = std::move(filter); }
  /// Outlines the voxels of the strokes selected in the list. Offsets on the grid of the image,
  /// sorted.
  void set_chosen_voxels(std::vector<std::int64_t> offsets);
  /// Returns the outline of the chosen voxels in the displayed slice, in slice coordinates.
  [[nodiscard]] const std::vector<QLineF>& chosen_lines();
  /// Shows regions of a 2-D image, in the colours of their labels.
  void set_regions(std::shared_ptr<const PlacedRegions> regions);
  /// Emphasises the regions of these rows.
  void set_chosen_regions(std::vector<std::size_t> rows);
  /// Returns the chosen region if it is a single one whose label is shown.
  [[nodiscard]] std::optional<ChosenRegion> chosen_region() const;
  /// Draws the regions over the image. `marks_chosen`: those that are chosen are emphasised.
  void draw_regions_in(QPainter& painter, const WorldInView& view, const QRectF& visible,
                       bool marks_chosen) const;
  void set_labels(const std::vector<LabelStyle>& labels);
  /// Returns the opaque colour of a label.
  [[nodiscard]] QColor color_of(Label label) const;
  /// Sets the look of a result whose numbers are not those of the labels, as in a comparison or of
  /// objects (see SlicePipeline). Empty: as the labels. Seeds and brush keep the colours of the
  /// labels.
  void set_result_styles(const std::optional<ResultStyles>& styles);
  void set_corner_texts(const CornerTexts& texts);
  [[nodiscard]] const CornerTexts& corner_texts() const noexcept { return texts_; }
  /// Shows a line that the line tool moves; empty for none.
  void set_line(const std::optional<LineMark>& line);
  [[nodiscard]] const std::optional<LineMark>& line() const noexcept { return line_; }
  /// Shows a cross at a place; empty for none.
  void set_place(const std::optional<Vec3>& world);
  [[nodiscard]] const std::optional<Vec3>& place() const noexcept { return place_; }

 signals:
  /// The whole view must be drawn again.
  void changed();
  /// No more than the pixels that the pipeline would render must be drawn again.
  void pixels_changed();
  /// Emitted before `changed`: the strokes drawn since the last seeds are gone.
  void seeds_replaced();
  /// Emitted before `pixels_changed`: the edits drawn since the last result are gone.
  void result_replaced();
  /// Emitted instead of `changed`.
  void line_changed();

 private:
  /// Returns the colour of a region's label; an invalid one hides it.
  [[nodiscard]] QColor region_color(Label label) const;

  SlicePipeline& pipeline_;
  VoxelOutline chosen_;
  CornerTexts texts_;
  std::shared_ptr<const PlacedRegions> regions_;
  std::vector<std::size_t> chosen_regions_;
  std::vector<LabelStyle> labels_;
  std::optional<ResultStyles> result_styles_;
  ScalarMap map_;
  QString map_note_;
  std::function<EditFilter(Label)> filter_;
  std::optional<LineMark> line_;
  std::optional<Vec3> place_;
};

}  // namespace seedwave::ui
