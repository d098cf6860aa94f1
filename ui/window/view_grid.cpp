// SPDX-License-Identifier: Apache-2.0
#include "ui/window/view_grid.h"

#include "core/engine/label_origin.h"
#include "core/image/contrast_colors.h"
#include "core/image/length_scale.h"
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_transform.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr PlaneKind kPlanes[] = {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal};

constexpr double kLeastOpacityIn3d = 0.5;

constexpr int kChangesShownMs = 900;

/// Device pixels per voxel at which a view shows a small region.
constexpr double kMostPixelsPerVoxel = 8.0;

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

/// Returns the part of a 2-D grid that a view shows, or its nearest pixels.
Box seen_in(const SliceView& view, const Geometry& grid) {
  Box box;
  for (const QPoint& corner : {view.rect().topLeft(), view.rect().bottomRight()}) {
    Index3 index = grid.nearest_index(view.hover_at(corner).world);
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      index[axis] = std::clamp<std::int64_t>(index[axis], 0, grid.size[axis] - 1);
    box.include(index);
  }
  return box;
}

}  // namespace

ViewGrid::ViewGrid(Workbench& workbench, const RunController& runs, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      runs_(runs),
      settings_(workbench),
      comparison_(runs),
      maps_(runs, settings_, comparison_),
      pointer_(workbench, runs, settings_, maps_),
      seeds_(workbench),
      detail_(workbench) {
  build();
  connect(&workbench_, &Workbench::image_changed, this, &ViewGrid::show_image);
  connect(&workbench_, &Workbench::scene_changed, this,
          [this] { surface_->set_image(is_flat() ? Volume() : workbench_.opened().scene.volume); });
  connect(&workbench_, &Workbench::reference_changed, this, [this] {
    for (SliceView* view : all_)
      view->layers().set_reference(workbench_.reference().labels);
  });
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) show_labels();
    if (part == Part::Regions) show_regions();
    if (part == Part::Seeds) strokes_changed_ = true;
  });
  changes_shown_.setSingleShot(true);
  changes_shown_.setInterval(kChangesShownMs);
  connect(&changes_shown_, &QTimer::timeout, this, [this] {
    for (SliceView* view : all_)
      view->layers().set_changes_from({});
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &ViewGrid::show_result);
  connect(&runs_.displayed(), &DisplayedResult::part_changed, this, &ViewGrid::show_result);
  connect(&settings_, &ViewSettings::tool_changed, this, [this](Tool tool) {
    for (SliceView* view : all_)
      view->hand().set_tool(tool);
  });
  connect(&settings_, &ViewSettings::brush_changed, this, [this](const Brush& brush) {
    for (SliceView* view : all_)
      view->hand().set_brush(brush);
  });
  connect(&settings_, &ViewSettings::bindings_changed, this, [this](const Bindings& bindings) {
    for (SliceView* view : all_)
      view->hand().set_bindings(bindings);
  });
  connect(&settings_, &ViewSettings::display_changed, this, &ViewGrid::apply_display);
  connect(&maps_, &MapDisplay::changed, this, &ViewGrid::show_maps);
  connect(&maps_, &MapDisplay::choice_changed, this, &ViewGrid::remember_view);
  connect(&comparison_, &ShownComparison::changed, this, &ViewGrid::show_comparison);
  connect(&comparison_, &ShownComparison::swapped, this, [this] {
    show_compared();
    display_in_views();
  });
  connect(&seeds_, &SeedRaster::ready, this, &ViewGrid::show_seeds);
  connect(&detail_, &SlideDetail::came, this, [this](const Volume& detail) {
    for (SliceView* view : all_)
      view->set_detail(detail);
    emit detail_shown();
  });
  connect(&detail_, &SlideDetail::channel_came, this, [this](int channel, const Volume& detail) {
    for (SliceView* view : all_)
      view->set_channel_detail(static_cast<std::size_t>(channel), detail);
  });
  connect(planes_[0], &SliceView::painted, this, &ViewGrid::look_closer);
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
  overview_ = new Overview(*planes_[0]);
  surface_ = new SurfaceView(this);
  surface_->setObjectName(QStringLiteral("surface"));
  surface_->setAccessibleName(tr("3-D view"));
  surface_->installEventFilter(this);
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
    surface_was_last_ = watched == surface_;
    if (surface_was_last_) return QWidget::eventFilter(watched, event);
    focused_ = qobject_cast<SliceView*>(watched);
    tell_slice();
  }
  return QWidget::eventFilter(watched, event);
}

void ViewGrid::connect_view(SliceView* view) {
  view->installEventFilter(this);
  connect(view, &SliceView::cursor_moved, &settings_, &ViewSettings::set_cursor);
  const SliceHand* hand = &view->hand();
  connect(hand, &SliceHand::window_changed, &settings_, &ViewSettings::set_window);
  connect(hand, &SliceHand::stroke_finished, this,
          [this](const Stroke& stroke) { workbench_.steps().add_stroke(stroke); });
  connect(hand, &SliceHand::edited, this, &ViewGrid::edited);
  connect(hand, &SliceHand::region_outlined, this, &ViewGrid::region_outlined);
  connect(hand, &SliceHand::region_reshaped, this, &ViewGrid::region_reshaped);
  connect(hand, &SliceHand::brush_changed, &settings_, &ViewSettings::set_brush);
  connect(hand, &SliceHand::line_dragged, this, &ViewGrid::line_dragged);
  connect(hand, &SliceHand::line_placed, this, &ViewGrid::line_placed);
  connect(hand, &SliceHand::place_picked, this, &ViewGrid::place_picked);
  connect(hand, &SliceHand::hovered, this,
          [this, view](const Hover& hover) { follow_pointer(view, hover); });
  connect(hand, &SliceHand::hover_ended, this, [this, view] { forget_pointer(view); });
  connect(view, &SliceView::camera_changed, this, [this, view] {
    link_cameras(view);
    remember_view();
  });
  connect(hand, &SliceHand::maximise_requested, this,
          [this, view] { toggle_maximised(alone(view->plane())); });
  connect(hand, &SliceHand::maximise_requested, this, [this, view] {
    if (is_flat()) emit picked(view->hover_at(QPointF(view->mapFromGlobal(QCursor::pos()))).world);
  });
  connect(hand, &SliceHand::context_menu_requested, this, &ViewGrid::context_menu_requested);
}

bool ViewGrid::is_flat() const {
  return workbench_.has_image() && workbench_.image().geometry().is_2d();
}

std::optional<SeenOfLevel> ViewGrid::seen_of_slide() const {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  const SliceView* view = active_view();
  if (loaded.slide == nullptr || view == nullptr || !view->isVisible()) return std::nullopt;
  const Geometry level = loaded.slide->info().grid(loaded.slide_level);
  return SeenOfLevel{.box = seen_in(*view, level), .scale = view->pixels_per_voxel()};
}

std::optional<ViewGrid::Look> ViewGrid::look() const {
  const SliceView* view = active_view();
  if (!is_flat() || view == nullptr) return std::nullopt;
  const Geometry& grid = workbench_.image().geometry();
  return Look{
      .centre = view->hover_at(QRectF(view->rect()).center()).world,
      .pixels_per_unit = view->pixels_per_voxel() / std::min(grid.spacing[0], grid.spacing[1])};
}

void ViewGrid::look_as(const Look& look) {
  SliceView* view = active_view();
  const std::optional<Look> now = this->look();
  if (!now) return;
  view->centre_on(look.centre,
                  std::clamp(view->camera().zoom * look.pixels_per_unit / now->pixels_per_unit,
                             kLeastZoom, kMostZoom));
}

void ViewGrid::look_closer() {
  if (const auto seen = seen_of_slide()) detail_.look_at(*seen);
}

void ViewGrid::show_image() {
  over_ = nullptr;
  detail_.forget();
  channels_.clear();
  detail_.set_channels({});
  const Volume& image = workbench_.image();
  object_colors_.reset();
  last_result_ = {};
  changes_shown_.stop();
  for (SliceView* view : all_) {
    view->layers().set_result_styles(std::nullopt);
    view->set_image(image, workbench_.opened().levels);
    view->set_surroundings(workbench_.opened().surroundings);
  }
  overview_->set_image(image, workbench_.opened().levels, workbench_.opened().surroundings);
  surface_->set_image(is_flat() ? Volume() : workbench_.opened().scene.volume);
  show_corner_texts();
  maps_.read(workbench_.document().view);
  layout_ = layout_named(workbench_.document().view.layout);
  show_labels();
  show_regions();
  settings_.read_document();
  apply_layout();
  surface_->reset_view();
}

void ViewGrid::set_channel(int channel, const PictureVolumes& volumes) {
  for (SliceView* view : all_)
    view->set_channel(static_cast<std::size_t>(channel), volumes);
  overview_->set_channel(static_cast<std::size_t>(channel), volumes);
  channels_.insert(channel);
  detail_.set_channels({channels_.begin(), channels_.end()});
  look_closer();
}

void ViewGrid::apply_display() {
  display_in_views();
  remember_view();
  tell_slice();
}

void ViewGrid::display_in_views() {
  DisplayState shown = settings_.display();
  if (settings_.overlays_hidden()) {
    shown.overlay.show_result = false;
    shown.overlay.show_seeds = false;
    shown.overlay.show_reference = false;
    shown.overlay.show_regions = false;
  }
  const bool is_map =
      maps_.shown() != nullptr || (runs_.displayed().has_only_maps() && !comparison_.compared());
  shown.overlay.kind = is_map ? OverlayKind::Map : OverlayKind::Labels;
  shown.overlay.map = maps_.style();
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
  overview_->set_display(shown);
  SurfaceDisplay surface = surface_->display();
  surface.cursor = shown.cursor;
  surface.window = shown.window;
  surface.head_foot = shown.head_foot;
  surface_->set_display(surface);
}

void ViewGrid::remember_view() {
  ViewState view = to_view_state(settings_.display(), planes_[0]->camera().zoom, name_of(layout_));
  maps_.write(view);
  workbench_.set_view(view);
}

void ViewGrid::show_labels() {
  const std::vector<LabelStyle> labels = label_styles(workbench_.document().labels);
  for (SliceView* view : all_)
    view->layers().set_labels(labels);
  show_surface_labels();
}

void ViewGrid::show_surface_labels() {
  surface_->set_labels(surface_styles());
}

std::vector<LabelStyle> ViewGrid::surface_styles() const {
  if (runs_.displayed().has_objects()) return {};  // default colours by number
  std::vector<LabelStyle> solid = label_styles(workbench_.document().labels);
  for (LabelStyle& style : solid) {
    // A faint label (usually the background) would hide all others in 3-D.
    if (style.opacity < kLeastOpacityIn3d) style.visible = false;
  }
  return solid;
}

std::vector<Label> ViewGrid::shown_in_3d(const LabelCounts& labels) const {
  const LabelPainter painter(surface_styles());
  std::vector<Label> shown;
  for (const auto& [label, voxels] : labels) {
    if (qAlpha(painter.color(label)) > 0) shown.push_back(label);
  }
  return shown;
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
  const DisplayedResult::OnScreen shown = runs_.displayed().on_screen();
  for (SliceView* view : all_) {
    view->layers().set_result_styles(seen_styles());
    view->layers().set_result(shown.labels, shown.patch);
  }
  mark_changes();
  show_surface_labels();
  show_corner_texts();
  if (is_flat()) return;
  // A part is followed by the whole at once: its surface would only delay the planes.
  runs_.displayed().part() ? surface_->skip_result(shown.labels)
                           : surface_->set_result(shown.labels);
}

void ViewGrid::mark_changes() {
  const DisplayedResult& displayed = runs_.displayed();
  const DisplayedResult::Result& now = displayed.result();
  if (displayed.part() || displayed.patch() || now.stale) return;
  const LabelMap before = std::exchange(last_result_, now.labels);
  const bool comparable = !before.empty() && !now.labels.empty() &&
                          before.owner() != now.labels.owner() &&
                          same_grid(before.geometry(), now.labels.geometry());
  if (!std::exchange(strokes_changed_, false) || !comparable || displayed.has_objects()) return;
  for (SliceView* view : all_)
    view->layers().set_changes_from(before);
  changes_shown_.start();
}

std::optional<ResultStyles> ViewGrid::seen_styles() {
  const Run* run = runs_.displayed().on_screen().run;
  return run == nullptr
             ? std::nullopt
             : result_styles(runs_.displayed().has_objects(), ranks_in(runs_.next().table(), *run));
}

QColor ViewGrid::color_of_result(Label label) {
  if (label == 0) return Qt::transparent;
  const std::optional<ResultStyles> styles = seen_styles();
  const LabelPainter painter = styles ? LabelPainter(styles->labels, styles->others)
                                      : LabelPainter(label_styles(workbench_.document().labels));
  return QColor(painter.color(label)).toRgb();
}

std::optional<Box> ViewGrid::visible_box() const {
  const SliceView* view = active_view();
  if (!is_flat() || view == nullptr || !view->isVisible()) return std::nullopt;
  return seen_in(*view, workbench_.image().geometry());
}

void ViewGrid::show_maps() {
  const ScalarMap* map = maps_.chosen();
  // Shown only if a map is wanted: otherwise it would cover complete labels.
  const QString note = maps_.wanted() ? runs_.map_note() : QString();
  for (SliceView* view : all_) {
    if (!comparison_.compared()) view->layers().set_map(map == nullptr ? ScalarMap() : *map, note);
  }
  display_in_views();
}

void ViewGrid::show_seeds(const std::shared_ptr<const SeedVoxels>& seeds) {
  for (SliceView* view : all_)
    view->layers().set_seeds(seeds);
}

void ViewGrid::set_edit_filter(const std::function<EditFilter(Label)>& filter) {
  for (SliceView* view : all_)
    view->layers().set_edit_filter(filter);
}

void ViewGrid::clear_edit() {
  for (SliceView* view : all_)
    view->layers().clear_edit();
}

void ViewGrid::show_regions() {
  const auto placed = std::make_shared<const PlacedRegions>(workbench_.document().regions);
  for (SliceView* view : all_)
    view->layers().set_regions(placed);
}

void ViewGrid::show_chosen_regions(const std::vector<std::size_t>& rows) {
  for (SliceView* view : all_)
    view->layers().set_chosen_regions(rows);
}

void ViewGrid::go_to_region(const RegionBounds& bounds) {
  SliceView* view = active_view();
  if (view == nullptr || !is_flat()) return;
  const QPointF begin = view->position_of({bounds.low[0], bounds.low[1], 0.0});
  const QPointF end = view->position_of({bounds.high[0], bounds.high[1], 0.0});
  const double width = std::max(1.0, std::abs(end.x() - begin.x()));
  const double height = std::max(1.0, std::abs(end.y() - begin.y()));
  // With a margin around it, but a small one is not enlarged beyond the pixels of the image.
  constexpr double kShareOfView = 0.7;
  const double fits = kShareOfView * std::min(view->width() / width, view->height() / height);
  const double most = std::max(1.0, kMostPixelsPerVoxel / view->pixels_per_voxel());
  look_as({.centre = {(bounds.low[0] + bounds.high[0]) / 2.0,
                      (bounds.low[1] + bounds.high[1]) / 2.0, 0.0},
           .pixels_per_unit = look()->pixels_per_unit * std::min(fits, most)});
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
  show_chosen_voxels(chosen);
}

void ViewGrid::show_chosen_voxels(const std::vector<std::int64_t>& offsets) {
  for (SliceView* view : planes_)
    view->layers().set_chosen_voxels(offsets);
}

void ViewGrid::set_layout_kind(ViewLayout layout) {
  if (comparison_.side_by_side()) {
    for (const PlaneKind plane : kPlanes) {
      if (layout != alone(plane)) continue;
      compared_plane_ = plane;
      apply_layout();
      return;
    }
    // The other layouts have no place for a second view.
    comparison_.set_mode(CompareMode::Difference);
  }
  layout_ = layout;
  apply_layout();
  remember_view();
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
  if (!comparison_.side_by_side()) return;
  SliceView& first = slice_view(compared_plane_);
  for (SliceView* view : planes_) {
    if (view != &first) put(view, 1, 0);  // hidden
  }
  put(&first, 0, 0);
  put(second_, 0, 1);
}

void ViewGrid::apply_layout() {
  const ViewLayout layout = is_flat() ? ViewLayout::Axial : layout_;
  const bool four = layout == ViewLayout::Four && !comparison_.side_by_side();
  place_views();
  for (SliceView* view : planes_) {
    const bool one = comparison_.side_by_side() ? view->plane() == compared_plane_
                                                : layout == alone(view->plane());
    view->setVisible(four || one);
  }
  second_->setVisible(comparison_.side_by_side());
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (comparison_.wipes()) wipes_[i]->over().set_camera(planes_[i]->camera());
    wipes_[i]->set_shown(comparison_.wipes());
  }
  surface_->setVisible(four || (layout == ViewLayout::Surface && !comparison_.side_by_side()));
  // An empty row or column takes no space.
  const auto stretch = [this](int row, int column) {
    const QLayoutItem* item = layout_box_->itemAtPosition(row, column);
    return item != nullptr && item->widget()->isVisibleTo(this) ? 1 : 0;
  };
  const bool two = comparison_.side_by_side();
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
  if (comparison_.side_by_side()) {
    comparison_.set_mode(CompareMode::Difference);
    return;
  }
  set_layout_kind(layout_ == ViewLayout::Four ? single : ViewLayout::Four);
}

void ViewGrid::set_line(const std::optional<LineMark>& line) {
  for (SliceView* view : all_)
    view->layers().set_line(line);
}

void ViewGrid::set_place(const std::optional<Vec3>& world) {
  for (SliceView* view : all_)
    view->layers().set_place(world);
}

void ViewGrid::fit() {
  for (SliceView* view : all_)
    view->fit();
}

void ViewGrid::magnify(double times) {
  if (!workbench_.has_image()) return;
  const auto micrometres = micrometres_per_pixel(workbench_.image().geometry());
  if (!micrometres) return;
  const double wanted = times * *micrometres / kMicrometresAtOne;
  SliceView* view = active_view();
  SliceCamera camera = view->camera();
  camera.zoom = std::clamp(camera.zoom * wanted / view->pixels_per_voxel(), kLeastZoom, kMostZoom);
  view->move_camera(camera);
}

void ViewGrid::centre_on_cursor() {
  for (SliceView* view : all_)
    view->centre_on_cursor();
}

bool ViewGrid::cancel_drawing() {
  bool drawn = false;
  for (SliceView* view : all_)
    drawn = view->hand().cancel_drawing() || drawn;
  return drawn;
}

SliceView* ViewGrid::active_view() const {
  if (focused_ != nullptr && focused_->isVisibleTo(this)) return focused_;
  for (SliceView* view : all_) {
    if (view->isVisibleTo(this)) return view;
  }
  return planes_[0];
}

QImage ViewGrid::picture(const PictureChoice& choice) {
  const bool is_surface =
      surface_->isVisibleTo(this) && (surface_was_last_ || !active_view()->isVisibleTo(this));
  if (choice.views == PictureViews::Active)
    return is_surface ? surface_->picture(choice) : active_view()->picture(choice);
  const double ratio = devicePixelRatioF() * choice.scale;
  QImage image((QSizeF(size()) * ratio).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(palette().color(QPalette::Window));
  QPainter painter(&image);
  for (int i = 0; i < layout_box_->count(); ++i) {
    QWidget* widget = layout_box_->itemAt(i)->widget();
    if (!widget->isVisibleTo(this)) continue;
    auto* plane = qobject_cast<SliceView*>(widget);
    const QImage part = plane != nullptr ? plane->picture(choice) : surface_->picture(choice);
    if (part.isNull()) return {};
    painter.drawImage(widget->pos(), part);
  }
  return image;
}

SliceView& ViewGrid::slice_view(PlaneKind plane) const {
  for (SliceView* view : planes_) {
    if (view->plane() == plane) return *view;
  }
  return *planes_[0];
}

void ViewGrid::follow_pointer(SliceView* view, const Hover& hover) {
  const bool entered = std::exchange(over_, view) != view;
  pointer_.point_at(hover);
  if (entered) tell_slice();
}

void ViewGrid::forget_pointer(const SliceView* view) {
  if (over_ != view) return;
  over_ = nullptr;
  pointer_.leave();
  tell_slice();
}

void ViewGrid::tell_slice() {
  const bool points = over_ != nullptr && over_->isVisibleTo(this);
  const SliceView* view = points ? over_ : active_view();
  if (view->slice_count() == 0) return;
  if (is_flat()) {
    emit slice_changed({});
    return;
  }
  const QString what = settings_.display().in_patient ? title_of(view->plane()) : tr("Slice");
  emit slice_changed(
      QStringLiteral("%1 %2/%3").arg(what).arg(view->slice() + 1).arg(view->slice_count()));
}

}  // namespace seedwave::ui
