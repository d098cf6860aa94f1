// SPDX-License-Identifier: Apache-2.0
//
// Drawing of a slice view over the image of its pipeline, and the regions that it repaints.
#include "ui/views/marks.h"
#include "ui/views/slice_annotations.h"
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_transform.h"
#include "ui/views/slice_view.h"

#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace seedwave::ui {

void SliceView::paintEvent(QPaintEvent* event) {
  QElapsedTimer timer;
  timer.start();
  // The ratio may have changed with the screen: Qt 6.4 has no event for it.
  const double ratio = pixel_ratio();
  if (has_image()) {
    const QSize device = device_size(size(), ratio);
    pipeline_->set_transform(SliceTransform(axes(), camera_, device), device, ratio);
  }
  {
    QPainter painter(this);
    painter.setClipRegion(event->region());
    paint(painter);
  }
  if (!picture_) emit painted(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

QImage SliceView::picture(const PictureChoice& choice) {
  // A wipe shows another view over a part of this one.
  QList<SliceView*> views = findChildren<SliceView*>();
  views.prepend(this);
  for (SliceView* view : views)
    view->picture_ = choice;
  const double ratio = pixel_ratio();
  QImage image(device_size(size(), ratio), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::black);
  render(&image, {}, {}, DrawChildren);
  for (SliceView* view : views) {
    view->picture_.reset();
    view->apply_camera();
  }
  return image;
}

void SliceView::resizeEvent(QResizeEvent* event) {
  keep_in_place(event->oldSize());
  apply_camera();
}

void SliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

void SliceView::update_dirty() {
  const double ratio = devicePixelRatioF();
  const QRect dirty = pipeline_->dirty();
  update(QRectF(dirty.left() / ratio, dirty.top() / ratio, dirty.width() / ratio,
                dirty.height() / ratio)
             .toAlignedRect());
}

void SliceView::draw_frame_of_image(QPainter& painter) {
  if (!pipeline_->has_surroundings()) return;
  const SliceTransform& transform = pipeline_->transform();
  const double ratio = pixel_ratio();
  const QPointF begin = transform.to_device(-0.5, -0.5) / ratio;
  const QPointF end = transform.to_device(static_cast<double>(axes().width()) - 0.5,
                                          static_cast<double>(axes().height()) - 0.5) /
                      ratio;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(20, 22, 26), 3.0));
  painter.drawRect(QRectF(begin, end));
  painter.setPen(QPen(QColor(120, 200, 255), 1.0));
  painter.drawRect(QRectF(begin, end));
}

WorldInView SliceView::world_in_view() const {
  // From places far from each other: a view is linear in the world.
  constexpr double kFar = 1e4;
  const QPointF origin = position_of({0.0, 0.0, 0.0});
  return {.origin = origin,
          .along_x = (position_of({kFar, 0.0, 0.0}) - origin) / kFar,
          .along_y = (position_of({0.0, kFar, 0.0}) - origin) / kFar};
}

bool SliceView::shows_regions() const {
  return display_.overlay.show_regions && pipeline_->image().geometry().is_2d();
}

void SliceView::draw_regions(QPainter& painter) {
  if (!shows_regions()) return;
  layers_->draw_regions_in(painter, world_in_view(), QRectF(rect()), !hand_->holds_corner());
}

void SliceView::draw_chosen(QPainter& painter) {
  if (!display_.overlay.show_seeds) return;
  const std::vector<QLineF>& chosen = layers_->chosen_lines();
  if (chosen.empty()) return;
  constexpr double kHaloWidth = 4.0;
  constexpr double kRimWidth = 2.0;
  const double ratio = pixel_ratio();
  const SliceTransform& transform = pipeline_->transform();
  QList<QLineF> lines;
  for (const QLineF& line : chosen) {
    lines << QLineF(transform.to_device(line.x1(), line.y1()) / ratio,
                    transform.to_device(line.x2(), line.y2()) / ratio);
  }
  // White on black like the reference, but solid: visible on any image and over any label.
  painter.setPen(QPen(Qt::black, kHaloWidth, Qt::SolidLine, Qt::SquareCap));
  painter.drawLines(lines);
  painter.setPen(QPen(Qt::white, kRimWidth, Qt::SolidLine, Qt::SquareCap));
  painter.drawLines(lines);
}

void SliceView::paint(QPainter& painter) {
  const double ratio = pixel_ratio();
  painter.drawImage(QPointF(0, 0), pipeline_->render());
  if (!has_image()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_frame_of_image(painter);
  draw_regions(painter);
  draw_chosen(painter);
  if (display_.show_crosshair && (!picture_ || picture_->crosshair)) {
    draw_crosshair(painter, position_of(display_.cursor), size());
  }
  if (picture_ && !picture_->annotations) return;
  const SliceTransform& transform = pipeline_->transform();
  const bool map_shown = display_.overlay.show_result &&
                         display_.overlay.kind == OverlayKind::Map && !layers_->map().empty();
  draw_annotations(painter,
                   {.axes = axes(),
                    .display = display_,
                    .texts = layers_->corner_texts(),
                    .size = size(),
                    .mm_pixels = transform.mm_pixels / ratio,
                    .scale = std::min(transform.u_pixels, transform.v_pixels),
                    .fitted = camera_ == SliceCamera{},
                    .slice = pipeline_->slice(),
                    .is_color = pipeline_->image().components() > 1,
                    .map = map_shown ? &layers_->map() : nullptr,
                    .map_note = display_.overlay.show_result ? layers_->map_note() : QString()});
  hand_->draw(painter);
  if (const auto& place = layers_->place()) draw_place_mark(painter, position_of(*place));
  if (hasFocus() && !picture_) {
    // Shows keyboard users which view has the focus.
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

}  // namespace seedwave::ui
