// SPDX-License-Identifier: Apache-2.0
#include "core/image/cyclic_color.h"

#include "core/image/cie_lab.h"
#include "core/image/vec3.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace seedwave {
namespace {

// Found by a search over centre, normal and radius: sRGB holds the whole circle.
constexpr Lab kCentre{67.0, 13.5, 11.5};
constexpr double kRadius = 58.0;
/// Decrease of the circle's lightness per unit step along a and along b: reds are darker than
/// blues.
constexpr double kFallAlongA = 0.147;
constexpr double kFallAlongB = 0.012;
/// Angle from the direction of a to red, as a share of the circle.
constexpr double kRed = 1.0 / 16.0;

}  // namespace

Rgb cyclic_color(double share) {
  // Two perpendicular unit vectors in the plane.
  constexpr Lab kAlongA{-kFallAlongA, 1.0, 0.0};
  const Lab u = scaled(kAlongA, 1.0 / std::sqrt(dot(kAlongA, kAlongA)));
  constexpr Lab kAlongB{-kFallAlongB, 0.0, 1.0};
  const double along_u = dot(kAlongB, u);
  Lab v{};
  for (std::size_t i = 0; i < 3; ++i)
    v[i] = kAlongB[i] - along_u * u[i];
  v = scaled(v, 1.0 / std::sqrt(dot(v, v)));
  const double turn = 2.0 * std::numbers::pi * (share - std::floor(share) + kRed);
  Lab place{};
  for (std::size_t i = 0; i < 3; ++i)
    place[i] = kCentre[i] + kRadius * (std::cos(turn) * u[i] + std::sin(turn) * v[i]);
  return to_rgb(place);
}

}  // namespace seedwave
