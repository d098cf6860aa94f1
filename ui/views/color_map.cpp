// SPDX-License-Identifier: Apache-2.0
#include "ui/views/color_map.h"

#include <cmath>
#include <cstddef>

namespace seedwave::ui {
namespace {

// Every tenth of the map; between them it is smooth enough for a line.
constexpr std::array<QRgb, 11> kAnchors{0xFF440154, 0xFF482475, 0xFF414487, 0xFF355F8D,
                                        0xFF2A788E, 0xFF21918C, 0xFF22A884, 0xFF44BF70,
                                        0xFF7AD151, 0xFFBDDF26, 0xFFFDE725};

std::array<QRgb, 256> make_viridis() {
  std::array<QRgb, 256> map{};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const double place = static_cast<double>(i) / 255.0 * (kAnchors.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kAnchors.size() - 2);
    const double share = place - static_cast<double>(below);
    const auto mix = [&](int (*channel)(QRgb)) {
      return static_cast<int>(std::lround((1 - share) * channel(kAnchors[below]) +
                                          share * channel(kAnchors[below + 1])));
    };
    map[i] = qRgb(mix(qRed), mix(qGreen), mix(qBlue));
  }
  return map;
}

}  // namespace

const std::array<QRgb, 256>& viridis() {
  static const std::array<QRgb, 256> kMap = make_viridis();
  return kMap;
}

}  // namespace seedwave::ui
