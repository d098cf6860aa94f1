// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/inputs.h"

#include "tests/bench/normal.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr double kNoise = 40;
constexpr std::uint64_t kRandomSeed = 20120928;
constexpr std::int64_t kStrokeLength = 200;

double square(double v) {
  return v * v;
}

/// The grey of the head without noise at (u, v, w), each in -1..1 about the centre.
double clean_grey(double u, double v, double w) {
  const double r = std::sqrt(u * u / 0.72 + v * v / 0.9 + w * w / 0.81);
  if (r > 1) return 20;
  if (r > 0.93) return 800;  // scalp
  if (r > 0.86) return 120;  // skull
  const double fold = 0.7 * std::sin(21 * u + 2.2 * std::sin(9 * v + 3 * w)) *
                          std::sin(19 * v + 2 * std::sin(11 * w)) +
                      0.5 * std::sin(23 * w + 2 * std::sin(13 * u)) * std::sin(17 * u + 9 * v);
  if (r > 0.80 + 0.03 * fold) return 250;  // fluid
  const double side = std::abs(u);
  if (square(side - 0.12) / 0.006 + v * v / 0.12 + square(w - 0.05) / 0.03 < 1) return 250;
  if (square(side - 0.3) / 0.01 + v * v / 0.06 + square(w + 0.1) / 0.03 < 1) return 620;
  return r < 0.66 + 0.12 * fold ? 900 : 600;
}

double centred(std::int64_t i, std::int64_t n) {
  return static_cast<double>(2 * i + 1) / static_cast<double>(n) - 1;
}

void add_stroke(std::vector<Seed>& seeds, const Geometry& geometry, int axis, Index3 at,
                std::uint16_t label) {
  const std::int64_t length = std::min(kStrokeLength, geometry.size[axis]);
  const std::int64_t start = (geometry.size[axis] - length) / 2;
  for (std::int64_t i = 0; i < length; ++i) {
    at[axis] = start + i;
    if (geometry.contains(at)) seeds.push_back({geometry.offset(at), label});
  }
}

}  // namespace

Volume head(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Geometry geometry;
  geometry.size = {nx, ny, nz};
  std::vector<std::uint16_t> grey;
  grey.reserve(static_cast<std::size_t>(geometry.voxel_count()));
  std::mt19937_64 random(kRandomSeed);
  for (std::int64_t z = 0; z < nz; ++z) {
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) {
        const double noise = kNoise * normal_pair(random)[0];
        const double value =
            std::abs(clean_grey(centred(x, nx), centred(y, ny), centred(z, nz)) + noise);
        grey.push_back(static_cast<std::uint16_t>(std::min(std::nearbyint(value), 4095.0)));
      }
    }
  }
  return {geometry, std::move(grey)};
}

SeedVoxels head_many_seeds(const Volume& head) {
  SeedVoxels result;
  const auto grey = head.voxels<std::uint16_t>();
  for (std::size_t i = 0; i < grey.size(); ++i) {
    if (grey[i] == 900) result.seeds.push_back({static_cast<std::int64_t>(i), 1});
    if (grey[i] == 600) result.seeds.push_back({static_cast<std::int64_t>(i), 2});
  }
  return result;
}

SeedVoxels head_two_strokes(const Geometry& geometry) {
  const Index3& size = geometry.size;
  const std::int64_t middle = size[2] / 2;
  const auto front = size[1] / 2 - static_cast<std::int64_t>(0.35 * static_cast<double>(size[1]));
  SeedVoxels result;
  add_stroke(result.seeds, geometry, 1, {size[0] / 2 - 40, 0, middle}, 1);
  add_stroke(result.seeds, geometry, 0, {0, front, middle}, 2);
  std::sort(result.seeds.begin(), result.seeds.end(),
            [](const Seed& a, const Seed& b) { return a.offset < b.offset; });
  // Where the strokes cross, the first stays.
  const auto same_place = [](const Seed& a, const Seed& b) { return a.offset == b.offset; };
  result.seeds.erase(std::unique(result.seeds.begin(), result.seeds.end(), same_place),
                     result.seeds.end());
  return result;
}

}  // namespace seedwave::bench
