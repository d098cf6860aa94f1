// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "ui/tools/bindings.h"
#include "ui/tools/brush.h"
#include "ui/views/slice_state.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// One plane of a volume, or a 2-D image: drawing, and what mouse, pen and wheel mean on it.
///
/// Everything is drawn on the processor into one picture of the widget's device pixels and only
/// where it changed: it looks the same on every machine, needs no OpenGL, and is faster than
/// software OpenGL. The view applies what the user does to itself at once (cursor, window, camera,
/// the stroke being drawn) and tells it by a signal; its owner passes it on to the other views and
/// may set the same values here again at no cost.
class SliceView : public QWidget {
  Q_OBJECT

 public:
  explicit SliceView(PlaneKind plane, QWidget* parent = nullptr);
  ~SliceView() override;

  /// The image; one component, or three of u8 (RGB). Resets the camera when the grid is another
  /// and takes away result, map, reference and seeds. Empty: nothing is shown. `levels`:
  /// smaller forms of a large picture (picture_levels()), drawn where it is shown small.
  void set_image(const Volume& image, const std::vector<Volume>& levels = {});
  /// On the image's grid, or empty. Only the slice shown is drawn anew, and that only when the
  /// map's `changed()` box touches it.
  void set_result(const LabelMap& result);
  /// What OverlayKind::Map shows, on the image's grid, or empty; `note` then says why, and stands
  /// in the place of the colour bar.
  void set_map(const ScalarMap& map, const QString& note = {});
  /// On the image's grid, or empty.
  void set_reference(const LabelMap& reference);
  /// The seeds on the image's grid; null for none. Ends the showing of strokes just drawn.
  void set_seeds(std::shared_ptr<const SeedVoxels> seeds);
  /// Voxels with a bright rim: the strokes chosen in the list. Offsets on the image's grid, sorted.
  void set_chosen_voxels(std::vector<std::int64_t> offsets);
  void set_labels(const std::vector<LabelStyle>& labels);
  /// How the result looks where its numbers are not those of the labels, as in a comparison or of
  /// objects (see SlicePipeline); nothing: as the labels. Seeds and brush keep the labels' colours.
  void set_result_styles(const std::optional<ResultStyles>& styles);
  void set_corner_texts(const CornerTexts& texts);

  void set_display(const DisplayState& display);
  [[nodiscard]] const DisplayState& display() const;
  void set_camera(const SliceCamera& camera);
  [[nodiscard]] const SliceCamera& camera() const;
  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const;
  void set_brush(const Brush& brush);
  [[nodiscard]] const Brush& brush() const;
  void set_bindings(const Bindings& bindings);

  [[nodiscard]] PlaneKind plane() const;
  /// A line that the line tool moves; nothing: none.
  void set_line(const std::optional<LineMark>& line);
  [[nodiscard]] const std::optional<LineMark>& line() const;
  /// A place with a cross on it; nothing: none.
  void set_place(const std::optional<Vec3>& world);
  [[nodiscard]] const std::optional<Vec3>& place() const;
  /// Shows another plane of the image, with the camera that the view has.
  void set_plane(PlaneKind plane);
  /// The slice shown, counted along the grid axis of the plane: 0..slice_count() - 1.
  [[nodiscard]] std::int64_t slice() const;
  [[nodiscard]] std::int64_t slice_count() const;
  /// Moves the cursor to another slice of this plane; clamped. As the wheel does.
  void go_to_slice(std::int64_t slice);
  /// Moves the cursor by voxels to screen right and down: the Ctrl+arrow keys.
  void step_cursor(int right, int down);
  /// Paints one dab of the brush at the cursor: the Enter key.
  void stamp_brush();
  /// Shows the whole image again.
  void fit();
  /// Puts the cursor into the middle of the view.
  void centre_on_cursor();
  /// Forgets a stroke or line that is being drawn: the Esc key. True when there was one.
  bool cancel_stroke();

  /// What is at a place of the widget, in logical pixels; the voxel may lie outside the image.
  [[nodiscard]] Hover hover_at(const QPointF& position) const;
  /// Where a world point is drawn, in logical pixels.
  [[nodiscard]] QPointF position_of(const Vec3& world) const;

  [[nodiscard]] QSize sizeHint() const override { return {400, 400}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {120, 120}; }

 signals:
  void cursor_moved(const seedwave::Vec3& world);
  void window_changed(const seedwave::GreyWindow& window);
  void camera_changed(const seedwave::ui::SliceCamera& camera);
  void stroke_started();
  void stroke_finished(const seedwave::Stroke& stroke);
  void brush_changed(const seedwave::ui::Brush& brush);
  /// The line tool: what the owner makes of it comes back by set_line().
  void line_dragged(const seedwave::ui::LineDrag& drag);
  /// A click with the line tool, or Enter: its middle belongs there.
  void line_placed(const seedwave::Vec3& world);
  /// A click with the place tool inside the image, or Enter.
  void place_picked(const seedwave::Vec3& world);
  /// Emitted while the pointer is over the image.
  void hovered(const seedwave::ui::Hover& hover);
  /// The pointer left the image or the view.
  void hover_ended();
  void maximise_requested();
  void context_menu_requested(const QPoint& global);
  /// After each painting: the time that it took, for --measure and tests.
  void painted(double ms);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void tabletEvent(QTabletEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
