// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "core/image/geometry.h"
#include "core/image/label_color.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "ui/models/comparison.h"
#include "ui/models/run_controller.h"
#include "ui/models/seed_raster.h"
#include "ui/models/workbench.h"
#include "ui/views/overview.h"
#include "ui/views/region_outlines.h"
#include "ui/views/slice_picture.h"
#include "ui/views/slice_view.h"
#include "ui/views/surface_view.h"
#include "ui/views/view_picture.h"
#include "ui/views/wipe.h"
#include "ui/window/map_display.h"
#include "ui/window/pointer_readout.h"
#include "ui/window/shown_comparison.h"
#include "ui/window/slide_detail.h"
#include "ui/window/view_settings.h"
#include "ui/window/view_state.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <vector>

class QGridLayout;

namespace seedwave::ui {

/// Three linked planes and the 3-D view of the data on the workbench.
///
/// Passes signals of a view (cursor, window, stroke) to the settings, and so to the other views,
/// and to the workbench. Passes settings and data of the models to all views. No other class does
/// either.
class ViewGrid : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ViewGrid(Workbench& workbench, const RunController& runs, QWidget* parent = nullptr);

  [[nodiscard]] ViewSettings& settings() noexcept { return settings_; }
  [[nodiscard]] MapDisplay& maps() noexcept { return maps_; }
  [[nodiscard]] ShownComparison& comparison() noexcept { return comparison_; }
  [[nodiscard]] PointerReadout& pointer() noexcept { return pointer_; }

  void set_layout_kind(ViewLayout layout);
  /// Returns the plane that had the focus last, otherwise the first visible one.
  [[nodiscard]] SliceView* active_view() const;
  [[nodiscard]] SliceView& slice_view(PlaneKind plane) const;
  /// Returns the right one of two views side by side.
  [[nodiscard]] SliceView& second_view() const { return *second_; }
  /// Returns the wipe over a plane.
  [[nodiscard]] Wipe& wipe(PlaneKind plane) const;
  [[nodiscard]] SurfaceView& surface_view() const { return *surface_; }

  /// Returns a picture of all visible views, or of the active one, which may be the 3-D view. Null
  /// if it cannot be drawn in that size.
  [[nodiscard]] QImage picture(const PictureChoice& choice);
  /// Returns those of the labels that the 3-D view shows.
  [[nodiscard]] std::vector<Label> shown_in_3d(const LabelCounts& labels) const;

  /// Sets the pixels of another channel of the slide than the image's own.
  void set_channel(int channel, const PictureVolumes& volumes);
  /// Returns whether such a channel has its pixels.
  [[nodiscard]] bool has_channel(int channel) const { return channels_.contains(channel); }

  void fit();
  void centre_on_cursor();
  /// Shows the active plane at a magnification, around the same place; under the microscope only.
  void magnify(double times);
  /// The place and the scale of the active view of a 2-D image, in the world.
  struct Look {
    Vec3 centre{0, 0, 0};
    double pixels_per_unit = 1.0;
  };
  [[nodiscard]] std::optional<Look> look() const;
  void look_as(const Look& look);
  /// Returns the visible part of an open 2-D image at this moment; nothing for a volume.
  [[nodiscard]] std::optional<Box> visible_box() const;
  /// Returns what is visible of the level of the open slide at this moment, also around the part of
  /// it that is the image; nothing without a slide.
  [[nodiscard]] std::optional<SeenOfLevel> seen_of_slide() const;
  /// Returns the colour of a label of the result; transparent for 0.
  [[nodiscard]] QColor color_of_result(Label label);

  /// Cancels the stroke or line that is being drawn. Returns whether there was one.
  bool cancel_drawing();
  /// Shows a line in all planes, which the line tool moves; empty for none.
  void set_line(const std::optional<LineMark>& line);
  /// Shows a place in all planes; empty for none.
  void set_place(const std::optional<Vec3>& world);
  /// Sets the function that returns which voxels an edit with a label may change, for the views.
  void set_edit_filter(const std::function<EditFilter(Label)>& filter);
  /// Removes an edit that was drawn but not made.
  void clear_edit();
  /// Draws a rim around these voxels in the planes, given as sorted offsets of the image's grid.
  void show_chosen_voxels(const std::vector<std::int64_t>& offsets);
  /// Draws the regions of these rows in the planes as chosen.
  void show_chosen_regions(const std::vector<std::size_t>& rows);
  /// Moves the active plane so that a region is seen whole.
  void go_to_region(const RegionBounds& bounds);
  /// Outlines the strokes of these rows in the planes.
  void show_chosen_strokes(const std::vector<std::size_t>& rows);

 signals:
  void edited(const seedwave::EditGesture& gesture);
  /// The user double-clicked a place of a 2-D image with a tool that sets nothing.
  void picked(const seedwave::Vec3& world);
  void region_outlined(seedwave::Label label, const seedwave::Outline& outline);
  void region_reshaped(const seedwave::ui::ChosenRegion& region);
  /// Slice of the plane under the pointer, otherwise of the active one.
  void slice_changed(const QString& slice);
  void line_dragged(const seedwave::ui::LineDrag& drag);
  void line_placed(const seedwave::Vec3& world);
  void place_picked(const seedwave::Vec3& world);
  /// The finer pixels of a slide that the view needs have come.
  void detail_shown();
  void context_menu_requested(const QPoint& global);

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void build();
  void connect_view(SliceView* view);
  void show_image();
  void show_result();
  /// Marks for a moment what the first result after a stroke has changed.
  void mark_changes();
  /// Returns the styles of the displayed result.
  [[nodiscard]] std::optional<ResultStyles> seen_styles();
  /// Returns nothing if the styles are those of the labels.
  [[nodiscard]] std::optional<ResultStyles> result_styles(bool has_objects, int ranks);
  void show_maps();
  void show_regions();
  void show_labels();
  void show_surface_labels();
  /// Returns the styles of the labels in the 3-D view.
  [[nodiscard]] std::vector<LabelStyle> surface_styles() const;
  void show_seeds(const std::shared_ptr<const SeedVoxels>& seeds);
  void apply_display();
  void display_in_views();
  void apply_layout();
  void place_views();
  void show_comparison();
  void show_compared();
  void show_corner_texts();
  void link_cameras(const SliceView* from);
  /// Returns the map of a compared run if it is displayed instead of labels, otherwise null.
  [[nodiscard]] const ScalarMap* map_of(const ComparedRun& run) const;
  [[nodiscard]] MapStyle map_style_of(const ComparedRun& run) const;
  /// Returns the run that a view shows; null if it shows the difference, or there is no comparison.
  [[nodiscard]] const ComparedRun* run_in(const SliceView& view) const;
  void move_dividers(double share);
  void remember_view();
  /// Reads the finer pixels of a slide that the view needs.
  void look_closer();
  void toggle_maximised(ViewLayout alone);
  void follow_pointer(SliceView* view, const Hover& hover);
  void forget_pointer(const SliceView* view);
  void tell_slice();
  [[nodiscard]] bool is_flat() const;

  Workbench& workbench_;
  const RunController& runs_;
  ViewSettings settings_;
  ShownComparison comparison_;
  MapDisplay maps_;
  PointerReadout pointer_;
  SeedRaster seeds_;
  SlideDetail detail_;
  /// The channels that have pixels beside the image's own.
  std::set<int> channels_;
  /// The last result that was displayed whole.
  LabelMap last_result_;
  /// Strokes have changed since.
  bool strokes_changed_ = false;
  QTimer changes_shown_;
  QGridLayout* layout_box_ = nullptr;
  std::array<SliceView*, 3> planes_{};
  /// The other run while two are shown side by side; otherwise hidden.
  SliceView* second_ = nullptr;
  /// All slice views: the planes and those beside and over them. They share the common state.
  std::array<SliceView*, 7> all_{};
  /// One over each plane.
  std::array<Wipe*, 3> wipes_{};
  /// In the plane that shows 2-D images.
  Overview* overview_ = nullptr;
  SurfaceView* surface_ = nullptr;
  ViewLayout layout_ = ViewLayout::Four;
  /// The view under the pointer.
  SliceView* over_ = nullptr;
  SliceView* focused_ = nullptr;
  /// The 3-D view had the focus after the last plane.
  bool surface_was_last_ = false;
  /// The colours of numbered objects on this image, computed when first needed. Empty for the
  /// default colours if it is not a colour image.
  std::optional<std::vector<Rgb>> object_colors_;
  /// The plane of the views side by side.
  PlaneKind compared_plane_ = PlaneKind::Axial;
};

}  // namespace seedwave::ui
