// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "ui/views/channel_colors.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"
#include "ui/views/slice_transform.h"

#include <QImage>
#include <QRect>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// The pixels of an image or of one channel, as fine as they are there.
struct PictureVolumes {
  Volume image;
  /// Reduced levels of a 2-D image, from large to small, all in the same position.
  std::vector<Volume> levels;
  /// A coarse copy of more than the image, drawn around it; empty for none.
  Volume surroundings;
  /// A finer copy of a part of the image, drawn where the view enlarges the image, or of its
  /// surroundings, drawn around it; empty for none.
  Volume detail;
};

/// Draws the image of a slice view, below all overlays: intensities, colours, one channel of the
/// colours, or several channels of a slide at once, whose light adds up.
class SlicePicture {
 public:
  /// Removes surroundings, detail and further channels.
  void set_image(const Volume& image, const std::vector<Volume>& levels);
  void set_surroundings(const Volume& surroundings) { own_.surroundings = surroundings; }
  void set_detail(const Volume& detail) { own_.detail = detail; }
  /// The pixels of another channel than the image's own.
  void set_channel(std::size_t channel, const PictureVolumes& volumes);
  void set_channel_detail(std::size_t channel, const Volume& detail);
  [[nodiscard]] const Volume& image() const noexcept { return own_.image; }
  [[nodiscard]] bool has_surroundings() const noexcept { return !own_.surroundings.empty(); }

  /// The slice and its place in the frame.
  struct View {
    /// The image's.
    const PlaneAxes& axes;
    std::int64_t slice = 0;
    const SliceTransform& transform;
  };
  /// Draws into `frame` (Format_RGB32) inside `rect`; black where there is nothing.
  /// `without_colours`: colours become intensities.
  void draw(const View& view, const DisplayState& display, bool without_colours, const QRect& rect,
            QImage& frame);

 private:
  void draw_channels(const View& view, const DisplayState& display, const QRect& rect,
                     QImage& frame);
  void choose_colors(const std::string& channel);

  PictureVolumes own_;
  std::map<std::size_t, PictureVolumes> others_;
  /// The channel that was shown last in place of the colours, and its colours.
  std::string channel_;
  std::optional<ChannelColors> channel_colors_;
  /// One channel, before its colour.
  QImage grey_;
};

}  // namespace seedwave::ui
