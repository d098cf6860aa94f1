// SPDX-License-Identifier: Apache-2.0
#include "ui/views/channel_colors.h"

#include "core/image/channel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace seedwave::ui {
namespace {

/// Steps for each unit of a stain: no step is seen.
constexpr double kStepsOfStain = 256.0;
/// More than the darkest colour of 8 bits has of any stain.
constexpr int kMostOfStain = 16;

/// Returns the light that is left of that of the background.
int transmitted(int background, double amount, double density) {
  const double light = background * std::pow(10.0, -amount * density);
  return static_cast<int>(std::lround(std::min(255.0, light)));
}

}  // namespace

ChannelColors::ChannelColors(std::string_view channel) {
  const ChannelSum sum = sum_of_channel(channel);
  if (sum.stain) {
    steps_ = kStepsOfStain;
    const Vec3& densities = *sum.stain;
    for (int step = 0; step <= kMostOfStain * static_cast<int>(kStepsOfStain); ++step) {
      const double amount = step / kStepsOfStain;
      std::array<int, 3> rgb{};
      for (std::size_t c = 0; c < rgb.size(); ++c)
        rgb[c] = transmitted(sum.background[c], amount, densities[c]);
      colors_.push_back(qRgb(rgb[0], rgb[1], rgb[2]));
    }
  } else {
    for (int grey = 0; grey < 256; ++grey)
      colors_.push_back(qRgb(grey, grey, grey));
  }
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    for (std::size_t v = 0; v < parts_[c].size(); ++v)
      parts_[c][v] = static_cast<float>(sum.parts[c][v] * steps_);
  }
}

void ChannelColors::show(const QRect& rect, QImage& frame) const {
  const auto last = static_cast<float>(colors_.size() - 1);
  for (int y = rect.top(); y <= rect.bottom(); ++y) {
    auto* row = reinterpret_cast<QRgb*>(frame.scanLine(y));
    for (int x = rect.left(); x <= rect.right(); ++x) {
      const auto red = static_cast<std::size_t>(qRed(row[x]));
      const auto green = static_cast<std::size_t>(qGreen(row[x]));
      const auto blue = static_cast<std::size_t>(qBlue(row[x]));
      const float step = parts_[0][red] + parts_[1][green] + parts_[2][blue] + 0.5F;
      row[x] = colors_[static_cast<std::size_t>(std::clamp(step, 0.0F, last))];
    }
  }
}

}  // namespace seedwave::ui
