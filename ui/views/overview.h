// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "ui/views/slice_picture.h"
#include "ui/views/slice_view.h"

#include <QImage>
#include <QRectF>
#include <QWidget>

#include <cstddef>
#include <map>
#include <vector>

class QPainter;

namespace seedwave::ui {

/// The whole of a 2-D image, small, with a frame around the part that a view shows. It lies in the
/// view, and is seen while the view shows a part only. A press or a drag moves the view there.
class Overview : public QWidget {
  Q_OBJECT

 public:
  /// Becomes a child of `view`, which it follows.
  explicit Overview(SliceView& view);

  /// As SliceView::set_image(); nothing is shown of a volume. With surroundings, these are shown
  /// instead, with a frame around the image.
  void set_image(const Volume& image, const std::vector<Volume>& levels,
                 const Volume& surroundings = {});
  /// As SlicePicture::set_channel().
  void set_channel(std::size_t channel, const PictureVolumes& volumes);
  void set_display(const DisplayState& display);
  /// Returns the visible part, as shares of the width and the height of what is shown. May exceed
  /// it.
  [[nodiscard]] QRectF frame() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Takes its place in the view, or hides.
  void follow();
  void move_view(const QPointF& position);
  void draw_picture();
  /// Draws a frame that is seen on tissue and on glass.
  void draw_frame(QPainter& painter, const QRectF& shares, const QColor& color) const;

  SliceView& view_;
  /// The picture's pixels: the image, or its surroundings.
  Volume image_;
  std::vector<Volume> levels_;
  /// The same of other channels.
  std::map<std::size_t, PictureVolumes> channels_;
  /// The grid of the image if its surroundings are shown; else empty.
  Geometry part_;
  DisplayState display_;
  QImage picture_;  // null until it is drawn
  QRectF frame_;    // that follow() saw last
};

}  // namespace seedwave::ui
