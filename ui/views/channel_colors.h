// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QRect>
#include <QRgb>

#include <array>
#include <string_view>
#include <vector>

namespace seedwave::ui {

/// Shows one channel in place of the colours of an image: red, green, blue and grey as a grey, a
/// stain as the slide would look if nothing else had been stained.
class ChannelColors {
 public:
  /// `channel`: core/image/channel.h. Throws InputError if there is none of that name.
  explicit ChannelColors(std::string_view channel);

  /// Changes the pixels of `frame` (Format_RGB32) in `rect`.
  void show(const QRect& rect, QImage& frame) const;

 private:
  /// Steps of the colours for each unit of the channel.
  double steps_ = 1.0;
  /// By the value of red, green and blue: the steps that each adds.
  std::array<std::array<float, 256>, 3> parts_{};
  std::vector<QRgb> colors_;
};

}  // namespace seedwave::ui
