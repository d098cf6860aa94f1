// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/image/label_map.h"
#include "ui/models/comparison.h"
#include "ui/models/run_controller.h"
#include "ui/models/seed_raster.h"
#include "ui/models/workbench.h"
#include "ui/tools/bindings.h"
#include "ui/tools/brush.h"
#include "ui/views/readout.h"
#include "ui/views/slice_view.h"
#include "ui/views/surface_view.h"
#include "ui/views/wipe.h"
#include "ui/window/map_display.h"
#include "ui/window/view_state.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QGridLayout;

namespace seedwave::ui {

/// Display modes of a comparison of two runs.
enum class CompareMode {
  /// Agreement and difference in every plane.
  Difference,
  /// The same plane twice, A left and B right, with linked crosshair, slice, pan and zoom.
  SideBySide,
  /// B in every plane, and A in its place while a key is held.
  Blink,
  /// A left of a divider and B right of it, in every plane.
  Wipe,
};

/// Three linked planes and the 3-D view of the data on the workbench.
///
/// Passes signals of a view (cursor, window, stroke) to the other views and the workbench. Passes
/// data of the models to all views. No other class does either.
class ViewGrid : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ViewGrid(Workbench& workbench, const RunController& runs, QWidget* parent = nullptr);

  void set_layout_kind(ViewLayout layout);
  [[nodiscard]] ViewLayout layout_kind() const noexcept { return layout_; }
  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const noexcept { return tool_; }
  /// Shows a line in all planes, which the line tool moves; empty for none.
  void set_line(const std::optional<LineMark>& line);
  /// Shows a place in all planes; empty for none.
  void set_place(const std::optional<Vec3>& world);
  void set_brush(const Brush& brush);
  [[nodiscard]] const Brush& brush() const noexcept { return brush_; }
  void set_bindings(const Bindings& bindings);
  [[nodiscard]] const Bindings& bindings() const noexcept { return bindings_; }

  [[nodiscard]] const DisplayState& display() const noexcept { return display_; }
  void set_display(const DisplayState& display);
  void set_window(const GreyWindow& window);
  /// Sets the automatic window for the kind of image: percentiles, or the tissue of an MR.
  void set_automatic_window();
  void set_surface_display(const SurfaceDisplay& display);
  [[nodiscard]] const SurfaceDisplay& surface_display() const;
  /// Returns the map displayed instead of labels, or null.
  [[nodiscard]] const ScalarMap* shown_map() const;
  /// Returns the map that is displayed, or would be; null if the result has none.
  [[nodiscard]] const ScalarMap* chosen_map() const {
    return maps_.chosen(runs_.displayed().on_screen().maps);
  }
  [[nodiscard]] const MapStyle& map_style() const noexcept { return display_.overlay.map; }
  void set_map_style(const MapStyle& style);
  [[nodiscard]] bool has_automatic_map_range() const;
  void set_automatic_map_range();
  /// Displays one of the result's maps, or its labels if empty.
  void choose_output(const QString& output);
  /// Hides all overlays while true.
  void set_overlays_hidden(bool hidden);
  void fit();
  void centre_on_cursor();
  void reset_surface_view();
  bool cancel_stroke();
  /// Returns the plane that had the focus last, otherwise the first visible one.
  [[nodiscard]] SliceView* active_view() const;
  [[nodiscard]] SliceView& slice_view(PlaneKind plane) const;
  [[nodiscard]] SurfaceView& surface_view() const { return *surface_; }

  /// Returns the visible part of an open 2-D image at this moment; nothing for a volume.
  [[nodiscard]] std::optional<Box> visible_box() const;

  /// Returns the label of the displayed result under the pointer; 0 if there is none.
  [[nodiscard]] Label label_under_pointer() const;
  /// Returns the colour of a label of the result; transparent for 0.
  [[nodiscard]] QColor color_of_result(Label label);

  /// Shows two runs together instead of the result.
  void show_comparison(const Compared& compared);
  void end_comparison();
  /// Returns the two runs that are compared, or nothing.
  [[nodiscard]] const std::optional<Compared>& compared() const noexcept { return compared_; }
  [[nodiscard]] bool compares() const noexcept { return compared_.has_value(); }
  void set_compare_mode(CompareMode mode);
  /// Returns the chosen mode. Runs without labels have no difference; they are shown with a wipe
  /// instead.
  [[nodiscard]] CompareMode compare_mode() const noexcept {
    const bool can = !compared_ || compared_->has_agreement();
    return can || compare_mode_ != CompareMode::Difference ? compare_mode_ : CompareMode::Wipe;
  }
  /// While true, swaps the display of A and B in a comparison.
  void set_other_run_shown(bool shown);
  /// Returns the right one of two views side by side.
  [[nodiscard]] SliceView& second_view() const { return *second_; }
  /// Returns the wipe over a plane.
  [[nodiscard]] Wipe& wipe(PlaneKind plane) const;

  /// Outlines the strokes of these rows in the planes.
  void show_chosen_strokes(const std::vector<std::size_t>& rows);

 signals:
  void readout_changed(const seedwave::ui::Readout& readout);
  void readout_ended();
  /// The pointer is over a voxel of the image. Followed by readout_ended() when it leaves the
  /// image.
  void pointed(const seedwave::Index3& index);
  /// Slice of the plane under the pointer, otherwise of the active one.
  void slice_changed(const QString& slice);
  void layout_changed(seedwave::ui::ViewLayout layout);
  /// The comparison began, ended, or changed its mode.
  void comparison_changed();
  void tool_changed(seedwave::ui::Tool tool);
  void line_dragged(const seedwave::ui::LineDrag& drag);
  void line_placed(const seedwave::Vec3& world);
  void place_picked(const seedwave::Vec3& world);
  void brush_changed(const seedwave::ui::Brush& brush);
  void display_changed(const seedwave::ui::DisplayState& display);
  /// The displayed map, or its look, has changed.
  void map_changed();
  void context_menu_requested(const QPoint& global);

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void build();
  void connect_view(SliceView* view);
  void show_image();
  void show_result();
  /// Returns the styles of the displayed result.
  [[nodiscard]] std::optional<ResultStyles> seen_styles();
  /// Returns nothing if the styles are those of the labels.
  [[nodiscard]] std::optional<ResultStyles> result_styles(bool has_objects, int ranks);
  void show_maps();
  [[nodiscard]] std::string shown_operation() const;
  void show_labels();
  void show_surface_labels();
  void show_seeds(const std::shared_ptr<const SeedVoxels>& seeds);
  void apply_display();
  void display_in_views();
  void apply_layout();
  void place_views();
  void show_compared();
  void show_corner_texts();
  void link_cameras(const SliceView* from);
  [[nodiscard]] bool difference_shown() const noexcept {
    return compared_.has_value() && compare_mode() == CompareMode::Difference && !other_run_shown_;
  }
  [[nodiscard]] bool side_by_side() const noexcept {
    return compared_.has_value() && compare_mode() == CompareMode::SideBySide;
  }
  [[nodiscard]] bool wipes() const noexcept {
    return compared_.has_value() && compare_mode() == CompareMode::Wipe;
  }
  /// Returns whether the planes show run A; a second view shows the other one.
  [[nodiscard]] bool planes_show_a() const noexcept {
    return (side_by_side() || wipes()) != other_run_shown_;
  }
  /// Returns the map of a compared run if it is displayed instead of labels, otherwise null.
  [[nodiscard]] const ScalarMap* map_of(const ComparedRun& run) const;
  [[nodiscard]] MapStyle map_style_of(const ComparedRun& run) const;
  /// Returns the run that a view shows; null if it shows the difference, or there is no comparison.
  [[nodiscard]] const ComparedRun* run_in(const SliceView& view) const;
  void move_dividers(double share);
  void remember_view();
  void toggle_maximised(ViewLayout alone);
  void follow_pointer(SliceView* view, const Hover& hover);
  void forget_pointer(const SliceView* view);
  void tell_readout();
  void tell_slice();
  [[nodiscard]] bool is_flat() const;

  Workbench& workbench_;
  const RunController& runs_;
  SeedRaster seeds_;
  QGridLayout* layout_box_ = nullptr;
  std::array<SliceView*, 3> planes_{};
  /// The other run while two are shown side by side; otherwise hidden.
  SliceView* second_ = nullptr;
  /// All slice views: the planes and those beside and over them. They share the common state.
  std::array<SliceView*, 7> all_{};
  /// One over each plane.
  std::array<Wipe*, 3> wipes_{};
  SurfaceView* surface_ = nullptr;
  ViewLayout layout_ = ViewLayout::Four;
  Tool tool_ = Tool::Navigate;
  Brush brush_;
  Bindings bindings_ = bindings_of(BindingPreset::Seedwave);
  /// Its overlay.kind is the user's choice for results with labels and maps.
  DisplayState display_;
  MapDisplay maps_;
  bool overlays_hidden_ = false;
  /// The position under the pointer. The readout is updated when the result changes.
  std::optional<Hover> hover_;
  SliceView* over_ = nullptr;
  SliceView* focused_ = nullptr;
  std::vector<LabelStyle> labels_;
  /// The colours of numbered objects on this image, computed when first needed. Empty for the
  /// default colours if it is not a colour image.
  std::optional<std::vector<Rgb>> object_colors_;
  std::optional<Compared> compared_;
  CompareMode compare_mode_ = CompareMode::Difference;
  /// The plane of the views side by side.
  PlaneKind compared_plane_ = PlaneKind::Axial;
  bool other_run_shown_ = false;
};

}  // namespace seedwave::ui
