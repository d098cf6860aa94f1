// SPDX-License-Identifier: Apache-2.0
#include "core/texture/stain_vectors.h"

#include "core/base/error.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A density in one colour below this is glass, or too pale to have a direction.
constexpr double kPaleDensity = 0.15 / std::numbers::ln10;
constexpr double kLowestShare = 0.01;
constexpr std::int64_t kFewestStained = 1000;
constexpr double kLeastAngle = 5.0 * std::numbers::pi / 180.0;

/// The optical densities of a colour, and how many pixels have it.
struct Density {
  Vec3 of{};
  std::int64_t count = 0;
};

std::vector<Density> densities_of(const ColourCounts& colours, const Rgb& background) {
  const auto density = optical_densities(background);
  std::vector<Density> densities;
  densities.reserve(colours.colours.size());
  for (std::size_t i = 0; i < colours.colours.size(); ++i) {
    const Rgb colour = colour_of(colours.colours[i]);
    densities.push_back(
        {{density[0][colour[0]], density[1][colour[1]], density[2][colour[2]]}, colours.counts[i]});
  }
  return densities;
}

bool is_pale(const Density& density) {
  return std::ranges::min(density.of) < kPaleDensity;
}

/// The plane through no density that holds most of all the densities.
struct StainPlane {
  Vec3 first;
  Vec3 second;

  [[nodiscard]] double direction_of(const Vec3& density) const {
    return std::atan2(dot(density, second), dot(density, first));
  }
  [[nodiscard]] Vec3 at(double direction) const {
    return unit_of(plus(scaled(first, std::cos(direction)), scaled(second, std::sin(direction))));
  }
};

StainPlane plane_of(std::span<const Density> stained) {
  Points moments = Points::zeros(3, 3);
  for (const Density& density : stained) {
    for (std::int64_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        moments.row(row)[column] += static_cast<double>(density.count) *
                                    density.of[static_cast<std::size_t>(row)] * density.of[column];
      }
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(moments);
  const auto vector_at = [&eigen](std::int64_t row) {
    const std::span<const double> entries = eigen.vectors.row(row);
    return Vec3{entries[0], entries[1], entries[2]};
  };
  // Its largest entry is positive, and so are the densities: they lie on its side.
  return {.first = vector_at(0), .second = vector_at(1)};
}

/// A direction of some pixels.
struct Direction {
  double angle = 0.0;
  std::int64_t count = 0;
};

/// Returns the angle that `share` of the pixels do not exceed; `directions` in ascending order.
double quantile(std::span<const Direction> directions, std::int64_t pixels, double share) {
  const double wanted = share * static_cast<double>(pixels);
  std::int64_t so_far = 0;
  for (const Direction& direction : directions) {
    so_far += direction.count;
    if (static_cast<double>(so_far) >= wanted) return direction.angle;
  }
  return directions.back().angle;
}

std::int64_t pixels_of(std::span<const Density> densities) {
  std::int64_t pixels = 0;
  for (const Density& density : densities)
    pixels += density.count;
  return pixels;
}

/// Number of pixels by the value of a component.
using ValueCounts = std::array<std::int64_t, 256>;

/// Returns the most frequent value at or above the mean, of several the highest.
std::size_t bright_mode(const ValueCounts& values, std::int64_t pixels) {
  std::int64_t sum = 0;
  for (std::size_t value = 0; value < values.size(); ++value)
    sum += values[value] * static_cast<std::int64_t>(value);
  std::size_t mode = values.size() - 1;
  for (std::size_t value = mode; static_cast<std::int64_t>(value) * pixels >= sum; --value) {
    if (values[value] > values[mode]) mode = value;
    if (value == 0) break;
  }
  return mode;
}

/// Returns the median, of an even number of values the higher one in the middle.
std::size_t upper_median(const ValueCounts& values, std::int64_t pixels) {
  std::int64_t so_far = 0;
  std::size_t value = 0;
  while ((so_far += values[value]) <= pixels / 2)
    ++value;
  return value;
}

/// Returns the background whose components are those of `choose` from a component's values.
template <typename Choose>
Rgb background_of(const ColourCounts& colours, Choose&& choose) {
  std::array<ValueCounts, 3> values{};
  std::int64_t pixels = 0;
  for (std::size_t i = 0; i < colours.colours.size(); ++i) {
    const Rgb colour = colour_of(colours.colours[i]);
    for (std::size_t c = 0; c < values.size(); ++c)
      values[c][colour[c]] += colours.counts[i];
    pixels += colours.counts[i];
  }
  if (pixels == 0) throw InputError("the background has no pixels");
  Rgb background{};
  for (std::size_t c = 0; c < background.size(); ++c)
    background[c] = static_cast<std::uint8_t>(choose(values[c], pixels));
  if (std::ranges::min(background) == 0)
    throw InputError("the background is black: choose glass beside the tissue");
  return background;
}

}  // namespace

Vec3 stain_of(const ColourCounts& region, const Rgb& background) {
  const std::vector<Density> densities = densities_of(region, background);
  const std::int64_t pixels = pixels_of(densities);
  if (pixels == 0) throw InputError("the region of a stain has no pixels");
  Vec3 sum{};
  for (const Density& density : densities)
    sum = plus(sum, scaled(density.of, static_cast<double>(density.count)));
  if (norm(sum) < kPaleDensity * static_cast<double>(pixels))
    throw InputError("the region of a stain is as bright as glass");
  return unit_of(sum);
}

std::array<Vec3, 2> two_stains_of(const ColourCounts& picture, const Rgb& background) {
  std::vector<Density> stained = densities_of(picture, background);
  std::erase_if(stained, is_pale);
  const std::int64_t pixels = pixels_of(stained);
  if (pixels < kFewestStained) {
    throw InputError("the picture has too few stained pixels (" + std::to_string(pixels) +
                     ") to estimate stains from");
  }
  const StainPlane plane = plane_of(stained);
  std::vector<Direction> directions;
  directions.reserve(stained.size());
  for (const Density& density : stained)
    directions.push_back({plane.direction_of(density.of), density.count});
  std::ranges::sort(directions, {}, &Direction::angle);
  const double low = quantile(directions, pixels, kLowestShare);
  const double high = quantile(directions, pixels, 1.0 - kLowestShare);
  if (high - low < kLeastAngle) {
    throw InputError(
        "the picture shows a single stain: two cannot be told apart. Choose a part "
        "with both, or draw a region for each");
  }
  std::array<Vec3, 2> stains{plane.at(low), plane.at(high)};
  if (stains[0][0] < stains[1][0]) std::swap(stains[0], stains[1]);
  return stains;
}

Rgb background_of_picture(const ColourCounts& picture) {
  return background_of(picture, bright_mode);
}

bool is_stained(const Rgb& colour) {
  constexpr int kMostTint = 30;
  const auto [darkest, brightest] = std::ranges::minmax(colour);
  return brightest - darkest > kMostTint ||
         !is_pale(
             densities_of({.colours = {code_of(colour.data())}, .counts = {1}}, kWhiteBackground)
                 .front());
}

Rgb background_of_region(const ColourCounts& region) {
  return background_of(region, upper_median);
}

}  // namespace seedwave
