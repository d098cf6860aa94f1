// SPDX-License-Identifier: Apache-2.0
#include "core/image/cie_lab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace seedwave {
namespace {

constexpr double kDelta = 6.0 / 29.0;
constexpr double kWhiteX = 0.9505;
constexpr double kWhiteZ = 1.089;

double linear(std::uint8_t value) {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double v = static_cast<double>(i) / 255.0;
      all[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return all;
  }();
  return table[value];
}

std::uint8_t byte_of(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double coded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255.0 * coded));
}

double root(double t) {
  return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3 * kDelta * kDelta) + 4.0 / 29.0;
}

double cube(double t) {
  return t > kDelta ? t * t * t : 3 * kDelta * kDelta * (t - 4.0 / 29.0);
}

}  // namespace

Lab to_lab(const Rgb& rgb) {
  const double r = linear(rgb[0]);
  const double g = linear(rgb[1]);
  const double b = linear(rgb[2]);
  const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / kWhiteX);
  const double y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / kWhiteZ);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Rgb to_rgb(const Lab& lab) {
  const double at = (lab[0] + 16) / 116;
  const double x = kWhiteX * cube(at + lab[1] / 500);
  const double y = cube(at);
  const double z = kWhiteZ * cube(at - lab[2] / 200);
  return {byte_of(3.2406 * x - 1.5372 * y - 0.4986 * z),
          byte_of(-0.9689 * x + 1.8758 * y + 0.0415 * z),
          byte_of(0.0557 * x - 0.2040 * y + 1.0570 * z)};
}

double lab_distance(const Lab& a, const Lab& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace seedwave
