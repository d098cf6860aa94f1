// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "ui/views/region_outlines.h"
#include "ui/views/slice_state.h"
#include "ui/views/view_picture.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace seedwave::ui {

class PlaneAxes;
class SliceHand;
class SliceLayers;
class SlicePipeline;
struct PictureVolumes;

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

  /// Sets the image: one component, or three of u8 (RGB); empty shows nothing. Clears the layers; a
  /// different grid also resets the camera. `levels`: reduced levels of a large 2-D image
  /// (picture_levels()), drawn when it is minified.
  void set_image(const Volume& image, const std::vector<Volume>& levels = {});
  /// Draws a coarse copy of more than the image around it; empty for none.
  void set_surroundings(const Volume& surroundings);
  /// Draws a finer copy of a part of the image, or of its surroundings, where the view enlarges
  /// them; empty for none.
  void set_detail(const Volume& detail);
  /// As SlicePicture.
  void set_channel(std::size_t channel, const PictureVolumes& volumes);
  void set_channel_detail(std::size_t channel, const Volume& detail);
  /// Returns the layers drawn over the image.
  [[nodiscard]] SliceLayers& layers() const { return *layers_; }
  /// Returns the active tool and its interaction.
  [[nodiscard]] SliceHand& hand() const { return *hand_; }

  void set_display(const DisplayState& display);
  [[nodiscard]] const DisplayState& display() const noexcept { return display_; }
  void set_camera(const SliceCamera& camera);
  [[nodiscard]] const SliceCamera& camera() const noexcept { return camera_; }
  [[nodiscard]] PlaneKind plane() const noexcept { return plane_; }
  /// Shows another plane of the image and keeps the camera.
  void set_plane(PlaneKind plane);

  /// Returns the displayed slice, counted along the grid axis of the plane: 0..slice_count() - 1.
  [[nodiscard]] std::int64_t slice() const;
  [[nodiscard]] std::int64_t slice_count() const;
  /// Moves the cursor to another slice of this plane, as the wheel does; clamped.
  void go_to_slice(std::int64_t slice);
  /// Moves the cursor as the user does.
  void move_cursor(const Vec3& world);
  /// Moves the camera as the user does.
  void move_camera(const SliceCamera& camera);
  /// Fits the whole image into the view.
  void fit();
  /// Centres the view on the cursor.
  void centre_on_cursor();
  /// Centres the view on a place, with `zoom`.
  void centre_on(const Vec3& world, double zoom);

  /// Returns the position under a point of the widget, in logical pixels. The voxel may lie outside
  /// the image.
  [[nodiscard]] Hover hover_at(const QPointF& position) const;
  /// Returns the number of device pixels for a voxel, along its finer side.
  [[nodiscard]] double pixels_per_voxel() const;
  /// Returns the position of a world point in logical pixels.
  [[nodiscard]] QPointF position_of(const Vec3& world) const;

  /// Returns a picture of the view, without the frame of the focus. A larger scale shows finer
  /// detail of image and texts; it is not an enlarged copy.
  [[nodiscard]] QImage picture(const PictureChoice& choice);

  [[nodiscard]] QSize sizeHint() const override { return {400, 400}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {120, 120}; }

  /// Returns where the world of a 2-D image lies in the view.
  [[nodiscard]] WorldInView world_in_view() const;
  /// Returns whether regions are shown.
  [[nodiscard]] bool shows_regions() const;

 signals:
  void cursor_moved(const seedwave::Vec3& world);
  void camera_changed(const seedwave::ui::SliceCamera& camera);
  /// Emitted after each painting with the time that it took, for --measure and tests.
  void painted(double ms);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] const PlaneAxes& axes() const;
  [[nodiscard]] bool has_image() const;
  void apply_axes();
  /// Shows the picture turned, around the middle of the view.
  void turn();
  void apply_display(const DisplayState& display);
  void apply_camera();
  /// Returns the device pixels of a logical pixel, on screen or in the picture being taken.
  [[nodiscard]] double pixel_ratio() const;
  /// Describes slice, window and line for screen readers.
  void describe();
  /// Keeps a zoomed image in place when the layout beside the view changes, for example when a dock
  /// opens. A fitted image is fitted again.
  void keep_in_place(const QSize& before);
  /// Repaints the region that the pipeline would draw again.
  void update_dirty();
  void paint(QPainter& painter);
  void draw_regions(QPainter& painter);
  /// Draws a frame around the image if its surroundings are seen.
  void draw_frame_of_image(QPainter& painter);
  /// Draws the outline of the chosen voxels.
  void draw_chosen(QPainter& painter);

  PlaneKind plane_;
  DisplayState display_;
  SliceCamera camera_;
  /// Set while a picture is taken.
  std::optional<PictureChoice> picture_;
  QSize window_size_;  // size of the window when the view got its size
  std::unique_ptr<SlicePipeline> pipeline_;
  std::unique_ptr<SliceLayers> layers_;
  std::unique_ptr<SliceHand> hand_;
};

}  // namespace seedwave::ui
