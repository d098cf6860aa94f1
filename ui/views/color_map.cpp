// SPDX-License-Identifier: Apache-2.0
#include "ui/views/color_map.h"

#include "core/image/cyclic_color.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace seedwave::ui {
namespace {

// Every tenth colour of viridis and inferno (Smith and van der Walt, 2015, CC0). Both are smooth
// enough for linear interpolation.
constexpr std::array<QRgb, 11> kViridis{0xFF440154, 0xFF482475, 0xFF414487, 0xFF355F8D,
                                        0xFF2A788E, 0xFF21918C, 0xFF22A884, 0xFF44BF70,
                                        0xFF7AD151, 0xFFBDDF26, 0xFFFDE725};
constexpr std::array<QRgb, 11> kInferno{0xFF000004, 0xFF160B39, 0xFF420A68, 0xFF6A176E,
                                        0xFF932667, 0xFFBC3754, 0xFFDD513A, 0xFFF37819,
                                        0xFFFCA50A, 0xFFF6D746, 0xFFFCFFA4};
constexpr std::array<QRgb, 2> kGrey{0xFF000000, 0xFFFFFFFF};

ColorTable table_through(std::span<const QRgb> anchors) {
  ColorTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double place = static_cast<double>(i) / 255.0 * static_cast<double>(anchors.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
    const double share = place - static_cast<double>(below);
    const auto mix = [&](int (*channel)(QRgb)) {
      return static_cast<int>(
          std::lround((1 - share) * channel(anchors[below]) + share * channel(anchors[below + 1])));
    };
    table[i] = qRgb(mix(qRed), mix(qGreen), mix(qBlue));
  }
  return table;
}

ColorTable once_round() {
  ColorTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Rgb rgb = cyclic_color(static_cast<double>(i) / static_cast<double>(table.size()));
    table[i] = qRgb(rgb[0], rgb[1], rgb[2]);
  }
  return table;
}

}  // namespace

const ColorTable& color_table(ColorScheme scheme) {
  static const ColorTable viridis = table_through(kViridis);
  static const ColorTable inferno = table_through(kInferno);
  static const ColorTable grey = table_through(kGrey);
  static const ColorTable cyclic = once_round();
  switch (scheme) {
    case ColorScheme::Viridis:
      break;
    case ColorScheme::Inferno:
      return inferno;
    case ColorScheme::Grey:
      return grey;
    case ColorScheme::Cyclic:
      return cyclic;
  }
  return viridis;
}

std::vector<Rgb> rank_colors(int count) {
  const ColorTable& table = color_table(ColorScheme::Viridis);
  const int last = static_cast<int>(table.size()) - 1;
  std::vector<Rgb> colors;
  for (int rank = 0; rank < count; ++rank) {
    const QRgb color = table[static_cast<std::size_t>(last * rank / std::max(1, count - 1))];
    colors.push_back({static_cast<std::uint8_t>(qRed(color)),
                      static_cast<std::uint8_t>(qGreen(color)),
                      static_cast<std::uint8_t>(qBlue(color))});
  }
  return colors;
}

QString title_of(ColorScheme scheme) {
  switch (scheme) {
    case ColorScheme::Viridis:
      break;
    case ColorScheme::Inferno:
      return QStringLiteral("Inferno");
    case ColorScheme::Grey:
      return QCoreApplication::translate("ColorMap", "Grey");
    case ColorScheme::Cyclic:
      return QCoreApplication::translate("ColorMap", "Cyclic");
  }
  return QStringLiteral("Viridis");
}

std::string name_of(ColorScheme scheme) {
  switch (scheme) {
    case ColorScheme::Viridis:
      break;
    case ColorScheme::Inferno:
      return "inferno";
    case ColorScheme::Grey:
      return "grey";
    case ColorScheme::Cyclic:
      return "cyclic";
  }
  return "viridis";
}

ColorScheme color_scheme_named(const std::string& name) {
  for (const ColorScheme scheme : kColorSchemes) {
    if (name_of(scheme) == name) return scheme;
  }
  return ColorScheme::Viridis;
}

}  // namespace seedwave::ui
