// SPDX-License-Identifier: Apache-2.0
#include "ui/views/overview.h"

#include "ui/views/slice_transform.h"
#include "ui/views/whole_picture.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

/// Longest side in logical pixels, and at most this share of the view.
constexpr double kLongest = 180.0;
constexpr double kMostOfView = 0.3;
/// Below the lines of text in the corner.
constexpr int kTop = 64;
constexpr int kRight = 12;
/// A frame of fewer pixels would not be seen.
constexpr double kSmallestFrame = 5.0;

/// Returns the corners of a 2-D image at which its first and its last pixel end.
std::pair<Vec3, Vec3> edges_of(const Geometry& grid) {
  return {grid.to_world(Vec3{-0.5, -0.5, 0.0}),
          grid.to_world(Vec3{static_cast<double>(grid.size[0]) - 0.5,
                             static_cast<double>(grid.size[1]) - 0.5, 0.0})};
}

/// Returns where a grid lies in a view, in its pixels.
QRectF place_of(const Geometry& grid, const SliceView& view) {
  const auto [first, last] = edges_of(grid);
  return QRectF(view.position_of(first), view.position_of(last)).normalized();
}

/// Returns where a rectangle lies in another, as shares of the width and height of that one.
QRectF shares_of(const QRectF& part, const QRectF& whole) {
  return {(part.x() - whole.x()) / whole.width(), (part.y() - whole.y()) / whole.height(),
          part.width() / whole.width(), part.height() / whole.height()};
}

}  // namespace

Overview::Overview(SliceView& view) : QWidget(&view), view_(view) {
  setObjectName(QStringLiteral("overview"));
  setAccessibleName(tr("Overview of the image"));
  setToolTip(tr("The whole image: click to go there"));
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::NoFocus);
  // The view behind it is not painted for it.
  setAttribute(Qt::WA_OpaquePaintEvent);
  hide();
  view.installEventFilter(this);
  connect(&view, &SliceView::painted, this, &Overview::follow);
}

void Overview::set_image(const Volume& image, const std::vector<Volume>& levels,
                         const Volume& surroundings) {
  const bool is_flat = !image.empty() && image.geometry().is_2d();
  const bool is_part = is_flat && !surroundings.empty();
  image_ = is_part ? surroundings : is_flat ? image : Volume();
  levels_ = is_flat && !is_part ? levels : std::vector<Volume>();
  part_ = is_part ? image.geometry() : Geometry();
  channels_.clear();
  picture_ = {};
  follow();
  update();
}

void Overview::set_channel(std::size_t channel, const PictureVolumes& volumes) {
  const bool is_part = !volumes.surroundings.empty();
  channels_[channel] = {.image = is_part ? volumes.surroundings : volumes.image,
                        .levels = is_part ? std::vector<Volume>() : volumes.levels,
                        .surroundings = {},
                        .detail = {}};
  picture_ = {};
  update();
}

void Overview::set_display(const DisplayState& display) {
  DisplayState own = display;
  own.overlay.show_result = own.overlay.show_seeds = own.overlay.show_reference =
      own.overlay.show_regions = false;
  own.overlay.kind = OverlayKind::Labels;
  own.cursor = display_.cursor;
  if (own == display_) return;
  display_ = own;
  picture_ = {};
  update();
}

QRectF Overview::frame() const {
  return shares_of(QRectF(view_.rect()), place_of(image_.geometry(), view_));
}

void Overview::follow() {
  if (image_.empty()) {
    hide();
    return;
  }
  const QRectF shown = frame();
  constexpr double kRounding = 1e-6;
  const bool whole = shown.left() <= kRounding && shown.top() <= kRounding &&
                     shown.right() >= 1.0 - kRounding && shown.bottom() >= 1.0 - kRounding;
  setVisible(!whole);
  if (whole) return;
  const QSizeF seen = place_of(image_.geometry(), view_).size();
  const double most =
      std::min({kLongest, kMostOfView * view_.width(), kMostOfView * view_.height()});
  const double scale = most / std::max(seen.width(), seen.height());
  const QSize size(std::max(1, static_cast<int>(seen.width() * scale)),
                   std::max(1, static_cast<int>(seen.height() * scale)));
  setGeometry({QPoint(view_.width() - size.width() - kRight, kTop), size});
  // Called whenever the view was painted: for the same frame nothing is to be done.
  if (std::exchange(frame_, shown) != shown) update();
}

void Overview::draw_picture() {
  picture_ = whole_picture({.image = image_, .levels = levels_, .surroundings = {}, .detail = {}},
                           channels_, display_, device_size(size(), devicePixelRatioF()),
                           devicePixelRatioF());
}

void Overview::paintEvent(QPaintEvent* /*event*/) {
  if (picture_.isNull() || picture_.size() != device_size(size(), devicePixelRatioF()))
    draw_picture();
  QPainter painter(this);
  painter.drawImage(0, 0, picture_);
  const QRectF inside = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QColor(90, 98, 110));
  painter.drawRect(inside);

  if (part_.voxel_count() > 0)
    draw_frame(painter, shares_of(place_of(part_, view_), place_of(image_.geometry(), view_)),
               QColor(120, 200, 255));
  draw_frame(painter, frame(), QColor(255, 196, 60));
}

void Overview::draw_frame(QPainter& painter, const QRectF& shares, const QColor& color) const {
  const QRectF inside = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  QRectF frame(shares.x() * width(), shares.y() * height(), shares.width() * width(),
               shares.height() * height());
  if (frame.width() < kSmallestFrame || frame.height() < kSmallestFrame) {
    const QPointF centre = frame.center();
    frame.setSize(frame.size().expandedTo({kSmallestFrame, kSmallestFrame}));
    frame.moveCenter(centre);
  }
  frame = frame.intersected(inside.adjusted(1, 1, -1, -1));
  painter.setPen(QPen(QColor(20, 22, 26), 3));
  painter.drawRect(frame);
  painter.setPen(QPen(color, 1.5));
  painter.drawRect(frame);
}

void Overview::move_view(const QPointF& position) {
  const QRectF place = place_of(image_.geometry(), view_);
  const QPointF there(place.x() + std::clamp(position.x() / width(), 0.0, 1.0) * place.width(),
                      place.y() + std::clamp(position.y() / height(), 0.0, 1.0) * place.height());
  view_.centre_on(view_.hover_at(there).world, view_.camera().zoom);
}

void Overview::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) move_view(event->position());
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) move_view(event->position());
}

bool Overview::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) follow();
  return QWidget::eventFilter(watched, event);
}

}  // namespace seedwave::ui
