// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <optional>
#include <string>

namespace seedwave::io {

/// The part of a slide that a user asks for. At most one of level, magnification and mpp is set; if
/// none is, the finest level that fits (slide_item()).
struct SlideView {
  std::optional<int> level{};
  /// As of an objective: 10 is about 1 micrometre a pixel.
  std::optional<double> magnification{};
  /// Micrometres per pixel.
  std::optional<double> mpp{};
  /// In pixels of level 0; the whole slide if it is not set.
  std::optional<Box> region{};
  /// From 0, of slides with channels.
  int channel = 0;
  /// The channel (core/image/channel.h) to make of the colours as they are read; "" for all
  /// colours.
  std::string of_colours{};

  /// Returns whether it is the first channel of the slide, as it opens.
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_channel() && channel == 0; }
  /// Returns whether it is a channel of the slide, as it opens.
  [[nodiscard]] bool is_whole_channel() const noexcept {
    return !level && !magnification && !mpp && !region && of_colours.empty();
  }
  friend bool operator==(const SlideView&, const SlideView&) = default;
};

}  // namespace seedwave::io
