// SPDX-License-Identifier: Apache-2.0
#include "ui/window/view_grid.h"

#include "core/engine/label_origin.h"
#include "core/image/contrast_colors.h"
#include "ui/models/window_presets.h"
#include "ui/views/slice_overlay.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr PlaneKind kPlanes[] = {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal};

constexpr double kLeastOpacityIn3d = 0.5;

/// Neighbours rarely share a colour, and all colours are distinguishable.
constexpr std::size_t kObjectColors = 16;  // as many as a legend shows

/// About 5 ns each.
constexpr double kMostVoxelsLookedAt = 4e6;

ViewLayout alone(PlaneKind plane) {
  switch (plane) {
    case PlaneKind::Axial:
      return ViewLayout::Axial;
    case PlaneKind::Coronal:
      return ViewLayout::Coronal;
    case PlaneKind::Sagittal:
      break;
  }
  return ViewLayout::Sagittal;
}

QString title_of(PlaneKind plane) {
  switch (plane) {
    case PlaneKind::Axial:
      return ViewGrid::tr("Axial");
    case PlaneKind::Coronal:
      return ViewGrid::tr("Coronal");
    case PlaneKind::Sagittal:
      break;
  }
  return ViewGrid::tr("Sagittal");
}

}  // namespace

ViewGrid::ViewGrid(Workbench& workbench, const RunController& runs, QWidget* parent)
    : QWidget(parent), workbench_(workbench), runs_(runs), seeds_(workbench) {
  build();
  connect(&workbench_, &Workbench::image_changed, this, &ViewGrid::show_image);
  connect(&workbench_, &Workbench::scene_changed, this,
          [this] { surface_->set_image(is_flat() ? Volume() : workbench_.opened().scene.volume); });
  connect(&workbench_, &Workbench::reference_changed, this, [this] {
    for (SliceView* view : all_)
      view->set_reference(workbench_.reference().labels);
    tell_readout();
  });
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) show_labels();
  });
  connect(&workbench_, &Workbench::current_label_changed, this, [this](Label id) {
    Brush brush = brush_;
    brush.label = id;
    set_brush(brush);
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &ViewGrid::show_result);
  connect(&runs_.displayed(), &DisplayedResult::part_changed, this, &ViewGrid::show_result);
  connect(&runs_.displayed(), &DisplayedResult::maps_changed, this, &ViewGrid::show_maps);
  connect(&runs_, &RunController::started, this, &ViewGrid::show_maps);
  connect(&runs_, &RunController::ended, this, &ViewGrid::show_maps);
  connect(&seeds_, &SeedRaster::ready, this, &ViewGrid::show_seeds);
  show_labels();
}

void ViewGrid::build() {
  layout_box_ = new QGridLayout(this);
  layout_box_->setContentsMargins(0, 0, 0, 0);
  layout_box_->setSpacing(2);
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    planes_[i] = new SliceView(kPlanes[i], this);
    connect_view(planes_[i]);
  }
  planes_[0]->setObjectName(QStringLiteral("axial"));
  planes_[1]->setObjectName(QStringLiteral("coronal"));
  planes_[2]->setObjectName(QStringLiteral("sagittal"));
  second_ = new SliceView(PlaneKind::Axial, this);
  second_->setObjectName(QStringLiteral("second"));
  second_->hide();
  connect_view(second_);
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    wipes_[i] = new Wipe(*planes_[i]);
    connect_view(&wipes_[i]->over());
    connect(wipes_[i], &Wipe::share_changed, this, &ViewGrid::move_dividers);
  }
  all_ = {planes_[0],         planes_[1],         planes_[2],        second_,
          &wipes_[0]->over(), &wipes_[1]->over(), &wipes_[2]->over()};
  surface_ = new SurfaceView(this);
  surface_->setObjectName(QStringLiteral("surface"));
  surface_->setAccessibleName(tr("3-D view"));
  connect(surface_, &SurfaceView::maximise_requested, this,
          [this] { toggle_maximised(ViewLayout::Surface); });
  connect(surface_, &SurfaceView::context_menu_requested, this, &ViewGrid::context_menu_requested);
  place_views();
  for (int i = 0; i < 2; ++i) {
    layout_box_->setRowStretch(i, 1);
    layout_box_->setColumnStretch(i, 1);
  }
}

bool ViewGrid::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) {
    focused_ = qobject_cast<SliceView*>(watched);
    tell_slice();
  }
  return QWidget::eventFilter(watched, event);
}

void ViewGrid::connect_view(SliceView* view) {
  view->installEventFilter(this);
  connect(view, &SliceView::cursor_moved, this, [this](const Vec3& world) {
    display_.cursor = world;
    apply_display();
  });
  connect(view, &SliceView::window_changed, this, &ViewGrid::set_window);
  connect(view, &SliceView::stroke_finished, this,
          [this](const Stroke& stroke) { workbench_.steps().add_stroke(stroke); });
  connect(view, &SliceView::brush_changed, this, &ViewGrid::set_brush);
  connect(view, &SliceView::line_dragged, this, &ViewGrid::line_dragged);
  connect(view, &SliceView::line_placed, this, &ViewGrid::line_placed);
  connect(view, &SliceView::place_picked, this, &ViewGrid::place_picked);
  connect(view, &SliceView::hovered, this,
          [this, view](const Hover& hover) { follow_pointer(view, hover); });
  connect(view, &SliceView::hover_ended, this, [this, view] { forget_pointer(view); });
  connect(view, &SliceView::camera_changed, this, [this, view] {
    link_cameras(view);
    remember_view();
  });
  connect(view, &SliceView::maximise_requested, this,
          [this, view] { toggle_maximised(alone(view->plane())); });
  connect(view, &SliceView::context_menu_requested, this, &ViewGrid::context_menu_requested);
}

bool ViewGrid::is_flat() const {
  return workbench_.has_image() && workbench_.image().geometry().is_2d();
}

void ViewGrid::show_image() {
  compared_.reset();
  if (over_ != nullptr) forget_pointer(over_);  // the place belonged to the previous image
  const Volume& image = workbench_.image();
  object_colors_.reset();
  for (SliceView* view : all_) {
    view->set_result_styles(std::nullopt);
    view->set_image(image, workbench_.opened().levels);
  }
  surface_->set_image(is_flat() ? Volume() : workbench_.opened().scene.volume);
  const io::DisplayHints& hints = workbench_.opened().loaded.hints;
  show_corner_texts();
  display_.inverted = hints.inverted;
  display_.in_patient = workbench_.opened().in_patient;
  from_view_state(workbench_.document().view, display_);
  maps_.read(workbench_.document().view);
  layout_ = layout_named(workbench_.document().view.layout);
  show_labels();
  if (workbench_.document().view.window_width <= 0.0) {
    set_automatic_window();
  } else {
    apply_display();
  }
  apply_layout();
  surface_->reset_view();
}

void ViewGrid::set_automatic_window() {
  if (!workbench_.has_image()) return;
  if (const auto window = opening_window(workbench_.opened().loaded.hints)) {
    set_window(*window);
    return;
  }
  if (workbench_.image().components() != 1) {
    apply_display();
    return;
  }
  set_window(workbench_.opened().automatic_window);
}

void ViewGrid::set_window(const GreyWindow& window) {
  display_.window = window;
  apply_display();
}

void ViewGrid::set_display(const DisplayState& display) {
  if (display == display_) return;
  const bool other_kind = display.overlay.kind != display_.overlay.kind;
  display_ = display;
  if (other_kind) show_maps();
  apply_display();
}

void ViewGrid::apply_display() {
  display_in_views();
  remember_view();
  tell_slice();
  emit display_changed(display_);
}

void ViewGrid::display_in_views() {
  DisplayState shown = display_;
  if (overlays_hidden_) {
    shown.overlay.show_result = false;
    shown.overlay.show_seeds = false;
    shown.overlay.show_reference = false;
  }
  shown.overlay.kind = shown_map() != nullptr || (runs_.displayed().has_only_maps() && !compared_)
                           ? OverlayKind::Map
                           : OverlayKind::Labels;
  for (SliceView* view : all_) {
    const ComparedRun* run = run_in(*view);
    if (run == nullptr) {
      view->set_display(shown);
      continue;
    }
    // Two runs may differ in their outputs and in the range of their maps.
    DisplayState own = shown;
    own.overlay.kind = map_of(*run) != nullptr ? OverlayKind::Map : OverlayKind::Labels;
    own.overlay.map = map_style_of(*run);
    view->set_display(own);
  }
  SurfaceDisplay surface = surface_->display();
  surface.cursor = display_.cursor;
  surface.window = display_.window;
  surface.head_foot = display_.head_foot;
  surface_->set_display(surface);
  emit map_changed();
}

void ViewGrid::remember_view() {
  ViewState view = to_view_state(display_, planes_[0]->camera().zoom, name_of(layout_));
  maps_.write(view);
  workbench_.set_view(view);
}

void ViewGrid::set_overlays_hidden(bool hidden) {
  if (hidden == overlays_hidden_) return;
  overlays_hidden_ = hidden;
  apply_display();
}

void ViewGrid::show_labels() {
  labels_ = label_styles(workbench_.document().labels);
  for (SliceView* view : all_)
    view->set_labels(labels_);
  show_surface_labels();
  tell_readout();
}

void ViewGrid::show_surface_labels() {
  if (runs_.displayed().has_objects()) {
    surface_->set_labels({});  // default colours by number
    return;
  }
  std::vector<LabelStyle> solid = labels_;
  for (LabelStyle& style : solid) {
    // A faint label (usually the background) would hide all others in 3-D.
    if (style.opacity < kLeastOpacityIn3d) style.visible = false;
  }
  surface_->set_labels(solid);
}

std::optional<ResultStyles> ViewGrid::result_styles(bool has_objects, int ranks) {
  if (ranks > 0) return ResultStyles{.labels = {}, .others = rank_colors(ranks)};
  if (!has_objects) return std::nullopt;
  if (!object_colors_) {
    const Volume& image = workbench_.image();
    const bool in_colour = image.components() == 3 && image.type() == VoxelType::U8;
    object_colors_ = in_colour ? contrast_colors(image, kObjectColors) : std::vector<Rgb>();
  }
  return ResultStyles{.labels = {}, .others = *object_colors_};
}

void ViewGrid::show_result() {
  end_comparison();
  const LabelMap& labels = runs_.displayed().on_screen().labels;
  for (SliceView* view : all_) {
    view->set_result_styles(seen_styles());
    view->set_result(labels);
  }
  show_surface_labels();
  show_maps();
  show_corner_texts();
  if (!is_flat()) surface_->set_result(labels);
}

std::optional<ResultStyles> ViewGrid::seen_styles() {
  const Run* run = runs_.displayed().on_screen().run;
  return run == nullptr
             ? std::nullopt
             : result_styles(runs_.displayed().has_objects(), ranks_in(runs_.next().table(), *run));
}

std::string ViewGrid::shown_operation() const {
  const Run* run = runs_.displayed().on_screen().run;
  return run == nullptr ? std::string() : run->recipe.operation;
}

Label ViewGrid::label_under_pointer() const {
  const LabelMap& labels = runs_.displayed().result().labels;
  if (!hover_ || labels.empty() || !labels.geometry().contains(hover_->index)) return 0;
  return labels.at(hover_->index);
}

QColor ViewGrid::color_of_result(Label label) {
  if (label == 0) return Qt::transparent;
  const std::optional<ResultStyles> styles = seen_styles();
  const LabelPainter painter =
      styles ? LabelPainter(styles->labels, styles->others) : LabelPainter(labels_);
  return QColor(painter.color(label)).toRgb();
}

std::optional<Box> ViewGrid::visible_box() const {
  const SliceView* view = active_view();
  if (!is_flat() || view == nullptr || !view->isVisible()) return std::nullopt;
  const Geometry& grid = workbench_.image().geometry();
  Box box;
  for (const QPoint& corner : {view->rect().topLeft(), view->rect().bottomRight()}) {
    Index3 index = view->hover_at(corner).index;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      index[axis] = std::clamp<std::int64_t>(index[axis], 0, grid.size[axis] - 1);
    box.include(index);
  }
  return box;
}

const ScalarMap* ViewGrid::shown_map() const {
  const bool wanted =
      display_.overlay.kind == OverlayKind::Map || runs_.displayed().has_only_maps();
  return wanted && !compared_ ? chosen_map() : nullptr;
}

void ViewGrid::show_maps() {
  const ScalarMap* map = chosen_map();
  // Shown only if a map is wanted: otherwise it would cover complete labels.
  const bool wanted =
      display_.overlay.kind == OverlayKind::Map || runs_.displayed().has_only_maps();
  const QString note = wanted ? runs_.map_note() : QString();
  for (SliceView* view : all_) {
    if (!compared_) view->set_map(map == nullptr ? ScalarMap() : *map, note);
  }
  if (map != nullptr) display_.overlay.map = maps_.style(shown_operation(), *map);
  display_in_views();
  tell_readout();
}

void ViewGrid::set_map_style(const MapStyle& style) {
  const ScalarMap* map = chosen_map();
  if (map == nullptr) return;
  maps_.set_style(shown_operation(), *map, style);
  show_maps();
  remember_view();
}

bool ViewGrid::has_automatic_map_range() const {
  const ScalarMap* map = chosen_map();
  return map == nullptr || maps_.has_automatic_range(shown_operation(), *map);
}

void ViewGrid::set_automatic_map_range() {
  if (const ScalarMap* map = chosen_map()) maps_.set_automatic_range(shown_operation(), *map);
  show_maps();
  remember_view();
}

void ViewGrid::choose_output(const QString& output) {
  display_.overlay.kind = output.isEmpty() ? OverlayKind::Labels : OverlayKind::Map;
  if (!output.isEmpty()) maps_.choose(output.toStdString());
  show_maps();
  apply_display();
}

void ViewGrid::show_seeds(const std::shared_ptr<const SeedVoxels>& seeds) {
  for (SliceView* view : all_)
    view->set_seeds(seeds);
}

void ViewGrid::show_chosen_strokes(const std::vector<std::size_t>& rows) {
  const Geometry& grid = workbench_.image().geometry();
  const auto& strokes = workbench_.document().seeds.strokes;
  std::vector<std::int64_t> chosen;
  double cost = 0.0;
  for (const std::size_t row : rows) {
    if (row >= strokes.size()) continue;
    // On the window's thread: strokes that would cause a noticeable delay get no rim.
    cost += rasterise_cost(strokes[row], grid);
    if (cost > kMostVoxelsLookedAt) break;
    const std::vector<std::int64_t> offsets = rasterise(strokes[row], grid);
    chosen.insert(chosen.end(), offsets.begin(), offsets.end());
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  for (SliceView* view : planes_)
    view->set_chosen_voxels(chosen);
}

void ViewGrid::set_layout_kind(ViewLayout layout) {
  if (side_by_side()) {
    for (const PlaneKind plane : kPlanes) {
      if (layout != alone(plane)) continue;
      compared_plane_ = plane;
      apply_layout();
      return;
    }
    set_compare_mode(CompareMode::Difference);  // the other layouts have no place for a second view
  }
  layout_ = layout;
  apply_layout();
  remember_view();
  emit layout_changed(layout);
}

/// Places every view in its cell; two side by side share the upper row.
void ViewGrid::place_views() {
  const auto put = [this](QWidget* widget, int row, int column) {
    layout_box_->removeWidget(widget);
    layout_box_->addWidget(widget, row, column);
  };
  put(planes_[0], 0, 0);
  put(planes_[1], 0, 1);
  put(planes_[2], 1, 0);
  put(surface_, 1, 1);
  if (!side_by_side()) return;
  SliceView& first = slice_view(compared_plane_);
  for (SliceView* view : planes_) {
    if (view != &first) put(view, 1, 0);  // hidden
  }
  put(&first, 0, 0);
  put(second_, 0, 1);
}

void ViewGrid::apply_layout() {
  const ViewLayout layout = is_flat() ? ViewLayout::Axial : layout_;
  const bool four = layout == ViewLayout::Four && !side_by_side();
  place_views();
  for (SliceView* view : planes_) {
    const bool one =
        side_by_side() ? view->plane() == compared_plane_ : layout == alone(view->plane());
    view->setVisible(four || one);
  }
  second_->setVisible(side_by_side());
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (wipes()) wipes_[i]->over().set_camera(planes_[i]->camera());
    wipes_[i]->set_shown(wipes());
  }
  surface_->setVisible(four || (layout == ViewLayout::Surface && !side_by_side()));
  // An empty row or column takes no space.
  const auto stretch = [this](int row, int column) {
    const QLayoutItem* item = layout_box_->itemAtPosition(row, column);
    return item != nullptr && item->widget()->isVisibleTo(this) ? 1 : 0;
  };
  const bool two = side_by_side();
  layout_box_->setRowStretch(0, two ? 1 : std::max(stretch(0, 0), stretch(0, 1)));
  layout_box_->setRowStretch(1, two ? 0 : std::max(stretch(1, 0), stretch(1, 1)));
  layout_box_->setColumnStretch(0, two ? 1 : std::max(stretch(0, 0), stretch(1, 0)));
  layout_box_->setColumnStretch(1, two ? 1 : std::max(stretch(0, 1), stretch(1, 1)));
  layout_box_->setSpacing(four || two ? 2 : 0);
  if (two) {
    second_->set_plane(compared_plane_);
    second_->set_camera(slice_view(compared_plane_).camera());
    show_compared();
  }
  tell_slice();
  if (layout != ViewLayout::Surface || two) active_view()->setFocus();
}

void ViewGrid::toggle_maximised(ViewLayout single) {
  if (side_by_side()) {
    set_compare_mode(CompareMode::Difference);
    return;
  }
  set_layout_kind(layout_ == ViewLayout::Four ? single : ViewLayout::Four);
}

void ViewGrid::set_tool(Tool tool) {
  tool_ = tool;
  for (SliceView* view : all_)
    view->set_tool(tool);
  emit tool_changed(tool);
}

void ViewGrid::set_line(const std::optional<LineMark>& line) {
  for (SliceView* view : all_)
    view->set_line(line);
}

void ViewGrid::set_place(const std::optional<Vec3>& world) {
  for (SliceView* view : all_)
    view->set_place(world);
}

void ViewGrid::set_brush(const Brush& brush) {
  if (brush == brush_) return;
  brush_ = brush;
  for (SliceView* view : all_)
    view->set_brush(brush);
  emit brush_changed(brush);
}

void ViewGrid::set_bindings(const Bindings& bindings) {
  bindings_ = bindings;
  for (SliceView* view : all_)
    view->set_bindings(bindings);
}

void ViewGrid::set_surface_display(const SurfaceDisplay& display) {
  surface_->set_display(display);
}

const SurfaceDisplay& ViewGrid::surface_display() const {
  return surface_->display();
}

void ViewGrid::fit() {
  for (SliceView* view : all_)
    view->fit();
}

void ViewGrid::centre_on_cursor() {
  for (SliceView* view : all_)
    view->centre_on_cursor();
}

void ViewGrid::reset_surface_view() {
  surface_->reset_view();
}

bool ViewGrid::cancel_stroke() {
  bool drawn = false;
  for (SliceView* view : all_)
    drawn = view->cancel_stroke() || drawn;
  return drawn;
}

SliceView* ViewGrid::active_view() const {
  if (focused_ != nullptr && focused_->isVisibleTo(this)) return focused_;
  for (SliceView* view : all_) {
    if (view->isVisibleTo(this)) return view;
  }
  return planes_[0];
}

SliceView& ViewGrid::slice_view(PlaneKind plane) const {
  for (SliceView* view : planes_) {
    if (view->plane() == plane) return *view;
  }
  return *planes_[0];
}

void ViewGrid::follow_pointer(SliceView* view, const Hover& hover) {
  const bool entered = std::exchange(over_, view) != view;
  hover_ = hover;
  emit pointed(hover.index);
  tell_readout();
  if (entered) tell_slice();
}

void ViewGrid::forget_pointer(const SliceView* view) {
  if (over_ != view) return;
  over_ = nullptr;
  hover_.reset();
  emit readout_ended();
  tell_slice();
}

void ViewGrid::tell_readout() {
  if (!hover_) return;
  const ScalarMap* map = chosen_map();
  const ScalarMap none;
  std::function<QString(Label)> name_of;
  if (runs_.displayed().has_objects())
    name_of = [this](Label label) { return runs_.displayed().label_text(label); };
  Readout told = readout({.image = workbench_.image(),
                          .result = runs_.displayed().on_screen().labels,
                          .map = map == nullptr ? none : *map,
                          .labels = labels_,
                          .unit = QString::fromStdString(workbench_.opened().loaded.hints.unit),
                          .in_patient = workbench_.opened().in_patient,
                          .name_of = name_of},
                         *hover_, display_.head_foot);
  const LabelMap& reference = workbench_.reference().labels;
  if (!reference.empty() && reference.geometry().contains(hover_->index) &&
      reference.at(hover_->index) != 0) {
    if (!told.label.isEmpty()) told.label += QStringLiteral("; ");
    told.label += tr("reference: %1").arg(workbench_.label_name(reference.at(hover_->index)));
  }
  emit readout_changed(told);
}

void ViewGrid::tell_slice() {
  const bool points = over_ != nullptr && over_->isVisibleTo(this);
  const SliceView* view = points ? over_ : active_view();
  if (view->slice_count() == 0) return;
  if (is_flat()) {
    emit slice_changed({});
    return;
  }
  const QString what = display_.in_patient ? title_of(view->plane()) : tr("Slice");
  emit slice_changed(
      QStringLiteral("%1 %2/%3").arg(what).arg(view->slice() + 1).arg(view->slice_count()));
}

}  // namespace seedwave::ui
