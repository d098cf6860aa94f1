// SPDX-License-Identifier: Apache-2.0
#include "ui/window/view_grid.h"

#include <QGridLayout>

#include <cmath>

namespace seedwave::ui {

namespace {

constexpr PlaneKind kPlanes[] = {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal};

constexpr double kLeastOpacityIn3d = 0.5;

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

/// Nothing by colour alone: the legend names them, and blue and orange differ in lightness too.
std::vector<LabelStyle> agreement_styles() {
  return {{.id = 1, .name = ViewGrid::tr("both"), .color = QColor(0x99, 0x99, 0x99)},
          {.id = 2, .name = ViewGrid::tr("only A"), .color = QColor(0x00, 0x72, 0xB2)},
          {.id = 3, .name = ViewGrid::tr("only B"), .color = QColor(0xE6, 0x9F, 0x00)},
          {.id = 4, .name = ViewGrid::tr("different labels"), .color = QColor(0xF0, 0xE4, 0x42)}};
}

}  // namespace

ViewGrid::ViewGrid(Workbench& workbench, const RunController& runs, QWidget* parent)
    : QWidget(parent), workbench_(workbench), runs_(runs), seeds_(workbench) {
  build();
  connect(&workbench_, &Workbench::image_changed, this, &ViewGrid::show_image);
  connect(&workbench_, &Workbench::scene_changed, this,
          [this] { surface_->set_image(is_flat() ? Volume() : workbench_.scene()); });
  connect(&workbench_, &Workbench::reference_changed, this, [this] {
    for (SliceView* view : planes_)
      view->set_reference(workbench_.reference());
  });
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) show_labels();
  });
  connect(&workbench_, &Workbench::current_label_changed, this, [this](std::uint16_t id) {
    Brush brush = brush_;
    brush.label = id;
    set_brush(brush);
  });
  connect(&runs_, &RunController::shown_changed, this, &ViewGrid::show_result);
  connect(&runs_, &RunController::strength_changed, this, &ViewGrid::show_strength);
  connect(&runs_, &RunController::started, this, &ViewGrid::show_strength);
  connect(&runs_, &RunController::ended, this, &ViewGrid::show_strength);
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
  surface_ = new SurfaceView(this);
  surface_->setObjectName(QStringLiteral("surface"));
  surface_->setAccessibleName(tr("3-D view"));
  connect(surface_, &SurfaceView::maximise_requested, this,
          [this] { toggle_maximised(ViewLayout::Surface); });
  connect(surface_, &SurfaceView::context_menu_requested, this, &ViewGrid::context_menu_requested);
  layout_box_->addWidget(planes_[0], 0, 0);
  layout_box_->addWidget(planes_[1], 0, 1);
  layout_box_->addWidget(planes_[2], 1, 0);
  layout_box_->addWidget(surface_, 1, 1);
  for (int i = 0; i < 2; ++i) {
    layout_box_->setRowStretch(i, 1);
    layout_box_->setColumnStretch(i, 1);
  }
}

void ViewGrid::connect_view(SliceView* view) {
  connect(view, &SliceView::cursor_moved, this, [this](const Vec3& world) {
    display_.cursor = world;
    apply_display();
  });
  connect(view, &SliceView::window_changed, this, &ViewGrid::set_window);
  connect(view, &SliceView::stroke_finished, &workbench_, &Workbench::add_stroke);
  connect(view, &SliceView::brush_changed, this, &ViewGrid::set_brush);
  connect(view, &SliceView::hovered, this, &ViewGrid::tell_readout);
  connect(view, &SliceView::hover_ended, this, &ViewGrid::readout_ended);
  connect(view, &SliceView::camera_changed, this, &ViewGrid::remember_view);
  connect(view, &SliceView::maximise_requested, this,
          [this, view] { toggle_maximised(alone(view->plane())); });
  connect(view, &SliceView::context_menu_requested, this, &ViewGrid::context_menu_requested);
}

bool ViewGrid::is_flat() const {
  return workbench_.has_image() && workbench_.image().geometry().is_2d();
}

void ViewGrid::show_image() {
  agreement_.reset();
  const Volume& image = workbench_.image();
  for (SliceView* view : planes_) {
    view->set_result_styles({});
    view->set_image(image, workbench_.picture_levels());
  }
  surface_->set_image(is_flat() ? Volume() : workbench_.scene());
  const io::DisplayHints& hints = workbench_.hints();
  CornerTexts texts;
  texts.patient = QString::fromStdString(hints.patient);
  texts.series = QString::fromStdString(hints.description);
  if (!workbench_.image_warnings().empty()) {
    texts.note = QString::fromStdString(workbench_.image_warnings().front());
  }
  for (SliceView* view : planes_)
    view->set_corner_texts(texts);
  display_.inverted = hints.inverted;
  display_.in_patient = workbench_.in_patient();
  from_view_state(workbench_.document().view, display_);
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
  const io::DisplayHints& hints = workbench_.hints();
  if (!hints.windows.empty() && hints.modality != "MR") {
    set_window({hints.windows.front().centre, hints.windows.front().width});
    return;
  }
  if (workbench_.image().components() != 1) {
    apply_display();
    return;
  }
  set_window(workbench_.automatic_window());
}

void ViewGrid::set_window(const GreyWindow& window) {
  display_.window = window;
  apply_display();
}

void ViewGrid::set_display(const DisplayState& display) {
  if (display == display_) return;
  display_ = display;
  apply_display();
}

void ViewGrid::apply_display() {
  DisplayState shown = display_;
  if (overlays_hidden_) {
    shown.overlay.show_result = false;
    shown.overlay.show_seeds = false;
    shown.overlay.show_reference = false;
  }
  if (agreement_) shown.overlay.kind = OverlayKind::Labels;
  for (SliceView* view : planes_)
    view->set_display(shown);
  SurfaceDisplay surface = surface_->display();
  surface.cursor = display_.cursor;
  surface.window = display_.window;
  surface.head_foot = display_.head_foot;
  surface_->set_display(surface);
  remember_view();
  tell_slice();
  emit display_changed(display_);
}

void ViewGrid::remember_view() {
  workbench_.set_view(to_view_state(display_, planes_[0]->camera().zoom, name_of(layout_)));
}

void ViewGrid::set_overlays_hidden(bool hidden) {
  if (hidden == overlays_hidden_) return;
  overlays_hidden_ = hidden;
  apply_display();
}

void ViewGrid::show_labels() {
  labels_ = label_styles(workbench_.document().labels);
  for (SliceView* view : planes_)
    view->set_labels(labels_);
  std::vector<LabelStyle> solid = labels_;
  for (LabelStyle& style : solid) {
    // A faint label (the background, mostly) would hide all others in 3-D.
    if (style.opacity < kLeastOpacityIn3d) style.visible = false;
  }
  surface_->set_labels(solid);
}

void ViewGrid::show_result() {
  agreement_.reset();
  const Shown& shown = runs_.shown();
  for (SliceView* view : planes_) {
    view->set_result_styles({});
    view->set_result(shown.labels);
  }
  show_strength();
  if (!is_flat()) surface_->set_result(shown.labels);
}

void ViewGrid::show_strength() {
  for (SliceView* view : planes_)
    view->set_strength(runs_.shown().strength, runs_.strength_note());
}

void ViewGrid::show_seeds(const std::shared_ptr<const SeedVoxels>& seeds) {
  for (SliceView* view : planes_)
    view->set_seeds(seeds);
}

void ViewGrid::show_agreement(const Agreement& agreement) {
  agreement_ = agreement;
  for (SliceView* view : planes_) {
    view->set_result_styles(agreement_styles());
    view->set_result(agreement.map);
  }
  apply_display();
}

void ViewGrid::end_agreement() {
  if (!agreement_) return;
  show_result();
  apply_display();
}

void ViewGrid::set_layout_kind(ViewLayout layout) {
  layout_ = layout;
  apply_layout();
  remember_view();
  emit layout_changed(layout);
}

void ViewGrid::apply_layout() {
  const ViewLayout layout = is_flat() ? ViewLayout::Axial : layout_;
  const bool four = layout == ViewLayout::Four;
  for (SliceView* view : planes_)
    view->setVisible(four || layout == alone(view->plane()));
  surface_->setVisible(four || layout == ViewLayout::Surface);
  // An empty row or column keeps no space.
  const bool top = planes_[0]->isVisibleTo(this) || planes_[1]->isVisibleTo(this);
  const bool left = planes_[0]->isVisibleTo(this) || planes_[2]->isVisibleTo(this);
  layout_box_->setRowStretch(0, top ? 1 : 0);
  layout_box_->setRowStretch(1, four || !top ? 1 : 0);
  layout_box_->setColumnStretch(0, left ? 1 : 0);
  layout_box_->setColumnStretch(1, four || !left ? 1 : 0);
  layout_box_->setSpacing(four ? 2 : 0);
  if (layout != ViewLayout::Surface) active_view()->setFocus();
}

void ViewGrid::toggle_maximised(ViewLayout single) {
  set_layout_kind(layout_ == ViewLayout::Four ? single : ViewLayout::Four);
}

void ViewGrid::set_tool(Tool tool) {
  tool_ = tool;
  for (SliceView* view : planes_)
    view->set_tool(tool);
}

void ViewGrid::set_brush(const Brush& brush) {
  if (brush == brush_) return;
  brush_ = brush;
  for (SliceView* view : planes_)
    view->set_brush(brush);
  emit brush_changed(brush);
}

void ViewGrid::set_bindings(const Bindings& bindings) {
  bindings_ = bindings;
  for (SliceView* view : planes_)
    view->set_bindings(bindings);
}

void ViewGrid::set_surface_display(const SurfaceDisplay& display) {
  surface_->set_display(display);
}

const SurfaceDisplay& ViewGrid::surface_display() const {
  return surface_->display();
}

void ViewGrid::fit() {
  for (SliceView* view : planes_)
    view->fit();
}

void ViewGrid::centre_on_cursor() {
  for (SliceView* view : planes_)
    view->centre_on_cursor();
}

void ViewGrid::reset_surface_view() {
  surface_->reset_view();
}

bool ViewGrid::cancel_stroke() {
  bool drawn = false;
  for (SliceView* view : planes_)
    drawn = view->cancel_stroke() || drawn;
  return drawn;
}

SliceView* ViewGrid::active_view() const {
  for (SliceView* view : planes_) {
    if (view->hasFocus() && view->isVisibleTo(this)) return view;
  }
  for (SliceView* view : planes_) {
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

void ViewGrid::tell_readout(const Hover& hover) {
  const Shown& shown = runs_.shown();
  Readout told = readout({.image = workbench_.image(),
                          .result = shown.labels,
                          .strength = shown.strength,
                          .labels = labels_,
                          .unit = QString::fromStdString(workbench_.hints().unit),
                          .in_patient = workbench_.in_patient()},
                         hover, display_.head_foot);
  const LabelMap& reference = workbench_.reference();
  if (!reference.empty() && reference.geometry().contains(hover.index) &&
      reference.at(hover.index) != 0) {
    if (!told.label.isEmpty()) told.label += QStringLiteral("; ");
    told.label += tr("reference: %1").arg(workbench_.label_name(reference.at(hover.index)));
  }
  emit readout_changed(told);
}

void ViewGrid::tell_slice() {
  const SliceView* view = active_view();
  if (view->slice_count() == 0) return;
  emit slice_changed(tr("slice %1/%2").arg(view->slice() + 1).arg(view->slice_count()));
}

}  // namespace seedwave::ui
