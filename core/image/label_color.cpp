// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_color.h"

#include "core/image/label_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <vector>

namespace seedwave {
namespace {

// Okabe and Ito, Color Universal Design, 2008; white comes last and replaces black.
constexpr std::array<Rgb, 8> kSafe{{{0xE6, 0x9F, 0x00},
                                    {0x56, 0xB4, 0xE9},
                                    {0x00, 0x9E, 0x73},
                                    {0xF0, 0xE4, 0x42},
                                    {0xCC, 0x79, 0xA7},
                                    {0xD5, 0x5E, 0x00},
                                    {0x00, 0x72, 0xB2},
                                    {0xFF, 0xFF, 0xFF}}};

/// Returns the squared distance, weighted as the eye weighs the channels (red mean).
double distance2(const Rgb& a, const Rgb& b) {
  const double mean = (a[0] + b[0]) / 2.0;
  const double r = a[0] - b[0];
  const double g = a[1] - b[1];
  const double bl = a[2] - b[2];
  return (2 + mean / 256) * r * r + 4 * g * g + (2 + (255 - mean) / 256) * bl * bl;
}

std::vector<Rgb> make_colors() {
  std::vector<Rgb> candidates;
  for (int r = 40; r <= 255; r += 43) {
    for (int g = 40; g <= 255; g += 43) {
      for (int b = 40; b <= 255; b += 43) {
        // Grays are left out: they vanish on the image.
        if (std::max({r, g, b}) - std::min({r, g, b}) < 60) continue;
        candidates.push_back({static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                              static_cast<std::uint8_t>(b)});
      }
    }
  }
  std::vector<Rgb> colors(kSafe.begin(), kSafe.end());
  std::vector<double> nearest(candidates.size(), std::numeric_limits<double>::max());
  const auto bring_closer = [&](const Rgb& color) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      nearest[i] = std::min(nearest[i], distance2(candidates[i], color));
    }
  };
  for (const Rgb& color : colors)
    bring_closer(color);
  // Beyond this number the eye cannot distinguish them, and they repeat.
  while (colors.size() < candidates.size()) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
    colors.push_back(candidates[static_cast<std::size_t>(farthest)]);
    bring_closer(colors.back());
  }
  return colors;
}

}  // namespace

std::string to_hex(const Rgb& color) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", color[0], color[1], color[2]);
  return text.data();
}

std::optional<Rgb> rgb_of(const std::string& hex) {
  unsigned red = 0;
  unsigned green = 0;
  unsigned blue = 0;
  if (std::sscanf(hex.c_str(), "#%2x%2x%2x", &red, &green, &blue) != 3) return std::nullopt;
  return Rgb{static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
             static_cast<std::uint8_t>(blue)};
}

Rgb label_color(Label label) {
  static const std::vector<Rgb> kAll = make_colors();
  if (label == 0) return {0, 0, 0};
  return kAll[(label - 1U) % kAll.size()];
}

}  // namespace seedwave
