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

/// A view of one plane of a volume, or of a 2-D image, with mouse, pen and wheel interaction.
///
/// Everything is drawn on the CPU into one image of the widget's device pixels, and only where it
/// changed. It looks the same on every machine, needs no OpenGL, and is faster than software
/// OpenGL. The view applies user input to itself at once (cursor, window, camera, the stroke being
/// drawn) and emits a signal. Its owner passes the change on to the other views, and may set the
/// same values here again at no cost.
class SliceView : public QWidget {
  Q_OBJECT

 public:
  explicit SliceView(PlaneKind plane, QWidget* parent = nullptr);
  ~SliceView() override;

  /// Sets the image: one component, or three of u8 (RGB); empty shows nothing. A different grid
  /// resets the camera and removes result, map, reference and seeds. `levels`: reduced levels of a
  /// large 2-D image (picture_levels()), drawn when it is minified.
  void set_image(const Volume& image, const std::vector<Volume>& levels = {});
  /// Sets the result: on the grid of the image, or empty. Only the displayed slice is drawn again,
  /// and only if the map's `changed()` box touches it.
  void set_result(const LabelMap& result);
  /// Sets the map of OverlayKind::Map: on the grid of the image, or empty. `note` then says why,
  /// and is shown instead of the colour bar.
  void set_map(const ScalarMap& map, const QString& note = {});
  /// Sets the reference: on the grid of the image, or empty.
  void set_reference(const LabelMap& reference);
  /// Sets the seeds on the grid of the image; null for none. Removes the strokes drawn since.
  void set_seeds(std::shared_ptr<const SeedVoxels> seeds);
  /// Outlines the voxels of the strokes selected in the list. Offsets on the grid of the image,
  /// sorted.
  void set_chosen_voxels(std::vector<std::int64_t> offsets);
  void set_labels(const std::vector<LabelStyle>& labels);
  /// Sets the look of a result whose numbers are not those of the labels, as in a comparison or of
  /// objects (see SlicePipeline). Empty: as the labels. Seeds and brush keep the colours of the
  /// labels.
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
  /// Shows a line that the line tool moves; empty for none.
  void set_line(const std::optional<LineMark>& line);
  [[nodiscard]] const std::optional<LineMark>& line() const;
  /// Shows a cross at a place; empty for none.
  void set_place(const std::optional<Vec3>& world);
  [[nodiscard]] const std::optional<Vec3>& place() const;
  /// Shows another plane of the image and keeps the camera.
  void set_plane(PlaneKind plane);
  /// Returns the displayed slice, counted along the grid axis of the plane: 0..slice_count() - 1.
  [[nodiscard]] std::int64_t slice() const;
  [[nodiscard]] std::int64_t slice_count() const;
  /// Moves the cursor to another slice of this plane, as the wheel does; clamped.
  void go_to_slice(std::int64_t slice);
  /// Moves the cursor by voxels to screen right and down: the Ctrl+arrow keys.
  void step_cursor(int right, int down);
  /// Paints one dab of the brush at the cursor: the Enter key.
  void stamp_brush();
  /// Fits the whole image into the view.
  void fit();
  /// Centres the view on the cursor.
  void centre_on_cursor();
  /// Cancels the stroke or line that is being drawn: the Esc key. Returns whether there was one.
  bool cancel_stroke();

  /// Returns the position under a point of the widget, in logical pixels. The voxel may lie outside
  /// the image.
  [[nodiscard]] Hover hover_at(const QPointF& position) const;
  /// Returns the position of a world point in logical pixels.
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
  /// Emitted by the line tool. The owner answers with set_line().
  void line_dragged(const seedwave::ui::LineDrag& drag);
  /// Emitted by a click with the line tool, or Enter: the line is to be centred there.
  void line_placed(const seedwave::Vec3& world);
  /// Emitted by a click with the place tool inside the image, or Enter.
  void place_picked(const seedwave::Vec3& world);
  /// Emitted while the pointer is over the image.
  void hovered(const seedwave::ui::Hover& hover);
  /// Emitted when the pointer leaves the image or the view.
  void hover_ended();
  void maximise_requested();
  void context_menu_requested(const QPoint& global);
  /// Emitted after each painting with the time that it took, for --measure and tests.
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
