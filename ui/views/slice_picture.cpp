// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_picture.h"

#include "core/parallel/parallel_for.h"
#include "ui/views/profile_colors.h"
#include "ui/views/slice_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace seedwave::ui {
namespace {

/// Returns the pixels whose centres lie on the slice.
QRect pixels_on(const PlaneAxes& axes, const SliceTransform& transform) {
  const auto pixel = [](double edge) {
    return static_cast<int>(std::ceil(std::clamp(edge, -1e6, 1e6) - 0.5));
  };
  const int left = pixel(transform.left);
  const int top = pixel(transform.top);
  const double width = static_cast<double>(axes.width()) * transform.u_pixels;
  const double height = static_cast<double>(axes.height()) * transform.v_pixels;
  return {left, top, pixel(transform.left + width) - left, pixel(transform.top + height) - top};
}

/// Draws the volumes of one channel.
class ChannelDrawing {
 public:
  ChannelDrawing(const PictureVolumes& volumes, const SlicePicture::View& view,
                 const GreyWindow& window, const DisplayState& display, const QRect& rect,
                 QImage& frame)
      : volumes_(volumes),
        view_(view),
        window_(window),
        display_(display),
        rect_(rect),
        frame_(frame) {}

  void draw() {
    draw_image();
    draw_detail();
  }

 private:
  void draw_image() {
    // The smallest level with at least one pixel for each screen pixel.
    for (const Volume& level : std::ranges::reverse_view(volumes_.levels)) {
      const PlaneAxes axes = view_.axes.on(level.geometry());
      const SliceTransform transform = view_.transform.on(view_.axes, axes);
      if (std::max(transform.u_pixels, transform.v_pixels) > 1) continue;
      // Its last pixels may extend beyond the edge of the image, where nothing is drawn.
      const QRect inside = rect_ & pixels_on(view_.axes, view_.transform);
      if (inside != rect_) draw_around();
      if (!inside.isEmpty()) sample(level, axes, 0, transform, inside);
      return;
    }
    if (volumes_.surroundings.empty()) {
      sample(volumes_.image, view_.axes, view_.slice, view_.transform, rect_);
      return;
    }
    draw_around();
    draw_flat(volumes_.image);
  }

  void draw_around() {
    sample(Volume(), view_.axes, 0, view_.transform, rect_);
    if (volumes_.surroundings.empty()) return;
    draw_flat(volumes_.surroundings);
    if (!volumes_.detail.empty() && !is_finer_than_image(volumes_.detail))
      draw_flat(volumes_.detail);
  }

  void draw_detail() {
    if (volumes_.detail.empty() || !is_finer_than_image(volumes_.detail)) return;
    if (std::max(view_.transform.u_pixels, view_.transform.v_pixels) > 1)
      draw_flat(volumes_.detail);
  }

  [[nodiscard]] bool is_finer_than_image(const Volume& detail) const {
    return detail.geometry().spacing[0] < volumes_.image.geometry().spacing[0];
  }

  /// Draws a 2-D image by its own grid, where it lies.
  void draw_flat(const Volume& volume) {
    const PlaneAxes axes = view_.axes.on(volume.geometry());
    const SliceTransform transform = view_.transform.on(view_.axes, axes);
    const QRect inside = rect_ & pixels_on(axes, transform);
    if (!inside.isEmpty()) sample(volume, axes, 0, transform, inside);
  }

  void sample(const Volume& volume, const PlaneAxes& axes, std::int64_t slice,
              const SliceTransform& transform, const QRect& rect) {
    draw_slice_image({volume, axes, slice, window_, display_.inverted, display_.interpolation},
                     transform, rect, frame_);
  }

  const PictureVolumes& volumes_;
  const SlicePicture::View& view_;
  const GreyWindow& window_;
  const DisplayState& display_;
  QRect rect_;
  QImage& frame_;
};

/// Rows of the screen that a thread adds at a time, at least.
constexpr int kRowsToAdd = 64;

/// Adds a grey picture to another, in a colour.
void add_light(const QImage& grey, const QColor& color, const QRect& rect, QImage& frame) {
  std::array<QRgb, 256> light{};
  for (int v = 0; v < 256; ++v) {
    light[static_cast<std::size_t>(v)] =
        qRgba(v * color.red() / 255, v * color.green() / 255, v * color.blue() / 255, 0);
  }
  const auto bytes = static_cast<std::size_t>(rect.width()) * sizeof(QRgb);
  std::uint8_t* first = frame.scanLine(rect.top()) + rect.left() * sizeof(QRgb);
  const qsizetype stride = frame.bytesPerLine();
  Context context;
  parallel_for(context, rect.height(), kRowsToAdd, [&](std::int64_t begin, std::int64_t end) {
    std::vector<QRgb> added(static_cast<std::size_t>(rect.width()));
    for (std::int64_t y = begin; y < end; ++y) {
      const auto* from =
          reinterpret_cast<const QRgb*>(grey.constScanLine(rect.top() + static_cast<int>(y))) +
          rect.left();
      for (std::size_t x = 0; x < added.size(); ++x)
        added[x] = light[from[x] & 0xFFU];
      const auto* more = reinterpret_cast<const std::uint8_t*>(added.data());
      std::uint8_t* to = first + y * stride;
      for (std::size_t i = 0; i < bytes; ++i)
        to[i] = static_cast<std::uint8_t>(std::min(255, to[i] + more[i]));
    }
  });
}

}  // namespace

void SlicePicture::set_image(const Volume& image, const std::vector<Volume>& levels) {
  own_ = {.image = image, .levels = levels, .surroundings = {}, .detail = {}};
  others_.clear();
}

void SlicePicture::set_channel(std::size_t channel, const PictureVolumes& volumes) {
  others_[channel] = volumes;
}

void SlicePicture::set_channel_detail(std::size_t channel, const Volume& detail) {
  const auto found = others_.find(channel);
  if (found != others_.end()) found->second.detail = detail;
}

void SlicePicture::choose_colors(const std::string& channel) {
  if (channel == channel_) return;
  channel_ = channel;
  channel_colors_.reset();
  if (!channel.empty()) channel_colors_.emplace(channel);
}

void SlicePicture::draw(const View& view, const DisplayState& display, bool without_colours,
                        const QRect& rect, QImage& frame) {
  if (own_.image.components() == 1 && !display.tints.empty()) {
    draw_channels(view, display, rect, frame);
    return;
  }
  ChannelDrawing(own_, view, display.window, display, rect, frame).draw();
  if (own_.image.components() != 3) return;
  choose_colors(display.channel.empty() && without_colours ? "gray" : display.channel);
  const PlaneAxes whole =
      own_.surroundings.empty() ? view.axes : view.axes.on(own_.surroundings.geometry());
  const QRect inside = rect & pixels_on(whole, view.transform.on(view.axes, whole));
  if (channel_colors_) {
    channel_colors_->show(inside, frame);
  } else if (display.profile != nullptr) {
    display.profile->show(inside, frame);
  }
}

void SlicePicture::draw_channels(const View& view, const DisplayState& display, const QRect& rect,
                                 QImage& frame) {
  if (grey_.size() != frame.size()) grey_ = QImage(frame.size(), QImage::Format_RGB32);
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    std::fill_n(reinterpret_cast<QRgb*>(frame.scanLine(y)) + rect.left(), rect.width(),
                qRgb(0, 0, 0));
  for (std::size_t channel = 0; channel < display.tints.size(); ++channel) {
    const ChannelTint& tint = display.tints[channel];
    const auto other = others_.find(channel);
    if (!tint.shown || (!tint.is_image && other == others_.end())) continue;
    ChannelDrawing(tint.is_image ? own_ : other->second, view,
                   tint.is_image ? display.window : tint.window, display, rect, grey_)
        .draw();
    add_light(grey_, tint.color, rect, frame);
  }
}

}  // namespace seedwave::ui
