// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_view.h"

#include "ui/base/mailbox.h"
#include "ui/views/surface_builder.h"
#include "ui/views/surface_pipeline.h"

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkRenderWindowInteractor.h>

#include <optional>

namespace seedwave::ui {

class SurfaceView::Private {
 public:
  explicit Private(SurfaceView& view)
      : view_(view), pipeline_(view.render_window()), builder_([this](Surfaces surfaces) {
          mailbox_.post([this, made = std::move(surfaces)] { show(made); });
        }) {}

  void show(const Surfaces& surfaces) {
    // The labels may have been replaced since the request.
    if (surfaces.map.owner() != result_.owner()) return;
    pipeline_.set_surfaces(surfaces);
    view_.redraw();
    emit view_.surfaces_shown(pipeline_.triangles(), surfaces.ms);
  }

  SurfaceView& view_;
  SurfacePipeline pipeline_;
  LabelMap result_;
  std::vector<LabelStyle> labels_;
  QPoint pressed_;
  Mailbox mailbox_;
  SurfaceBuilder builder_;  // last: joined before anything it calls is destroyed
};

SurfaceView::SurfaceView(QWidget* parent)
    : VtkWidget(parent), d_(std::make_unique<Private>(*this)) {
  vtkNew<vtkInteractorStyleTrackballCamera> style;
  interactor()->SetInteractorStyle(style);
  setAccessibleName(tr("3-D view"));
  setMinimumSize(120, 120);
}

SurfaceView::~SurfaceView() = default;

void SurfaceView::set_image(const Volume& image) {
  d_->pipeline_.set_image(image);
  // Surfaces of another image would be misplaced.
  d_->pipeline_.set_surfaces({});
  set_result({});
  redraw();
}

void SurfaceView::set_result(const LabelMap& result) {
  if (result.owner() == d_->result_.owner()) return;
  d_->result_ = result;
  d_->builder_.request(result);
}

void SurfaceView::skip_result(const LabelMap& result) {
  d_->builder_.skip(result);
}

void SurfaceView::set_labels(const std::vector<LabelStyle>& labels) {
  if (labels == d_->labels_) return;
  d_->labels_ = labels;
  d_->pipeline_.set_labels(labels);
  redraw();
}

void SurfaceView::set_display(const SurfaceDisplay& display) {
  const SurfaceDisplay before = d_->pipeline_.display();
  if (display == before) return;
  d_->pipeline_.set_display(display);
  if (!looks_the_same(before, display)) redraw();
}

const SurfaceDisplay& SurfaceView::display() const {
  return d_->pipeline_.display();
}

void SurfaceView::reset_view() {
  d_->pipeline_.reset_camera();
  redraw();
}

bool SurfaceView::busy() const {
  return d_->builder_.busy();
}

QImage SurfaceView::picture(const PictureChoice& choice) {
  const SurfaceDisplay shown = display();
  SurfaceDisplay wanted = shown;
  wanted.show_cube = choice.annotations;
  d_->pipeline_.set_display(wanted);
  d_->pipeline_.prepare(SurfacePipeline::Quality::Still);
  QImage image = draw_image(choice.scale, choice.annotations);
  d_->pipeline_.set_display(shown);
  return image;
}

void SurfaceView::started(const QString& renderer) {
  d_->pipeline_.set_software_rendering(
      renderer.contains(QLatin1String("llvmpipe")) ||
      renderer.contains(QLatin1String("softpipe")) ||
      renderer.contains(QLatin1String("swiftshader"), Qt::CaseInsensitive));
}

void SurfaceView::about_to_draw() {
  auto* style = vtkInteractorStyle::SafeDownCast(interactor()->GetInteractorStyle());
  const bool moving = style != nullptr && style->GetState() != VTKIS_NONE;
  d_->pipeline_.prepare(moving ? SurfacePipeline::Quality::Moving
                               : SurfacePipeline::Quality::Still);
}

void SurfaceView::paint_over(QPainter& painter) {
  if (!d_->pipeline_.is_empty()) return;
  painter.setPen(QColor(0xA8, 0xAE, 0xB6));
  painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("The surface of the result appears here"));
}

void SurfaceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit maximise_requested();
}

void SurfaceView::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
}

void SurfaceView::mousePressEvent(QMouseEvent* event) {
  d_->pressed_ = event->pos();
  VtkWidget::mousePressEvent(event);
}

void SurfaceView::mouseReleaseEvent(QMouseEvent* event) {
  VtkWidget::mouseReleaseEvent(event);
  // A right drag zooms; a right click opens the menu, as on the planes.
  constexpr int kClickPixels = 4;
  if (event->button() == Qt::RightButton &&
      (event->pos() - d_->pressed_).manhattanLength() < kClickPixels) {
    emit context_menu_requested(event->globalPosition().toPoint());
  }
}

}  // namespace seedwave::ui
