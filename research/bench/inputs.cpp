// SPDX-License-Identifier: Apache-2.0
#include "research/bench/inputs.h"

#include "core/parallel/parallel_for.h"
#include "research/bench/normal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr double kHeadNoise = 40.0;
constexpr double kLargest = 4095.0;
constexpr std::int64_t kStrokeVoxels = 200;

double square(double x) {
  return x * x;
}

/// Returns the noise-free intensity at coordinates in -1..1.
double head_value(double u, double v, double w) {
  const double r2 = square(u) / 0.72 + square(v) / 0.9 + square(w) / 0.81;
  if (r2 > 1.0) return 20.0;
  const double r = std::sqrt(r2);
  if (r > 0.93) return 800.0;
  if (r > 0.86) return 120.0;
  const double fold = 0.7 * std::sin(21 * u + 2.2 * std::sin(9 * v + 3 * w)) *
                          std::sin(19 * v + 2 * std::sin(11 * w)) +
                      0.5 * std::sin(23 * w + 2 * std::sin(13 * u)) * std::sin(17 * u + 9 * v);
  if (r > 0.80 + 0.03 * fold) return 250.0;
  if (square(std::abs(u) - 0.12) / 0.006 + square(v) / 0.12 + square(w - 0.05) / 0.03 < 1.0) {
    return 250.0;
  }
  if (square(std::abs(u) - 0.3) / 0.01 + square(v) / 0.06 + square(w + 0.1) / 0.03 < 1.0) {
    return 620.0;
  }
  return r < 0.66 + 0.12 * fold ? 900.0 : 600.0;
}

/// Returns a voxel's coordinate on the axis, from -1 to 1.
double scaled(std::int64_t i, std::int64_t size) {
  return (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(size) - 1.0;
}

}  // namespace

Volume head(const Index3& size, Context& context) {
  Geometry geometry;
  geometry.size = size;
  std::vector<std::uint16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  parallel_for(context, size[1] * size[2], 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const double v = scaled(row % size[1], size[1]);
      const double w = scaled(row / size[1], size[2]);
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const std::int64_t i = row * size[0] + x;
        const double grey =
            std::round(std::abs(head_value(scaled(x, size[0]), v, w) +
                                kHeadNoise * normal(static_cast<std::uint64_t>(i))));
        voxels[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(std::min(grey, kLargest));
      }
    }
  });
  return Volume(geometry, std::move(voxels));
}

Volume head_tissue(const Index3& size, Context& context) {
  constexpr std::uint16_t kTissueThreshold = 450;  // between fluid and grey matter
  const Volume image = head(size, context);
  std::vector<std::uint8_t> tissue;
  for (const std::uint16_t value : image.voxels<std::uint16_t>())
    tissue.push_back(value > kTissueThreshold ? 1 : 0);
  return {image.geometry(), std::move(tissue)};
}

SeedVoxels many_seeds(const Volume& head) {
  SeedVoxels result;
  std::int64_t offset = 0;
  for (const std::uint16_t grey : head.voxels<std::uint16_t>()) {
    if (grey == 900) result.seeds.push_back({offset, 1});
    if (grey == 600) result.seeds.push_back({offset, 2});
    ++offset;
  }
  return result;
}

SeedVoxels two_strokes(const Volume& head) {
  const Geometry& geometry = head.geometry();
  const auto [nx, ny, nz] = geometry.size;
  const std::int64_t along_y = std::min(kStrokeVoxels, ny);
  const std::int64_t along_x = std::min(kStrokeVoxels, nx);
  const std::int64_t object_x = std::max<std::int64_t>(0, nx / 2 - 40);
  const auto other_y = static_cast<std::int64_t>(static_cast<double>(ny) * 0.15);
  SeedVoxels result;
  for (std::int64_t k = 0; k < along_y; ++k) {
    const std::int64_t y = ny / 2 - along_y / 2 + k;
    if (y != other_y) result.seeds.push_back({geometry.offset({object_x, y, nz / 2}), 1});
  }
  for (std::int64_t k = 0; k < along_x; ++k) {
    result.seeds.push_back({geometry.offset({nx / 2 - along_x / 2 + k, other_y, nz / 2}), 2});
  }
  std::sort(result.seeds.begin(), result.seeds.end(),
            [](const Seed& a, const Seed& b) { return a.offset < b.offset; });
  return result;
}

namespace {

/// Returns the end of a plane's corridor that starts at (0, 0).
Index3 end_in_plane(const Index3& size) {
  const std::int64_t last_row = (size[1] - 1) / 2;
  return {last_row % 2 == 0 ? size[0] - 1 : 0, 2 * last_row, 0};
}

}  // namespace

Volume winding_path(const Index3& size) {
  constexpr auto kPath = static_cast<std::uint16_t>(kHeadM);
  Geometry geometry;
  geometry.size = size;
  const auto [nx, ny, nz] = size;
  std::vector<std::uint16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  const auto open = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    voxels[static_cast<std::size_t>(geometry.offset({x, y, z}))] = kPath;
  };
  const Index3 end = end_in_plane(size);
  for (std::int64_t z = 0; z < nz; z += 2) {
    for (std::int64_t y = 0; y < ny; ++y) {
      if (y % 2 == 0) {
        for (std::int64_t x = 0; x < nx; ++x)
          open(x, y, z);
      } else if (y + 1 < ny) {
        open(y % 4 == 1 ? nx - 1 : 0, y, z);
      }
    }
    // Forward in one plane, back in the next.
    if (z + 2 < nz) open(z % 4 == 0 ? end[0] : 0, z % 4 == 0 ? end[1] : 0, z + 1);
  }
  return Volume(geometry, std::move(voxels));
}

SeedVoxels path_ends(const Volume& path) {
  const Geometry& geometry = path.geometry();
  Index3 last = end_in_plane(geometry.size);
  const std::int64_t last_plane = (geometry.size[2] - 1) / 2;
  if (last_plane % 2 == 1) last = {0, 0, 0};
  last[2] = 2 * last_plane;
  SeedVoxels result;
  result.seeds.push_back({0, 1});
  if (geometry.offset(last) > 0) result.seeds.push_back({geometry.offset(last), 2});
  return result;
}

std::vector<SeedVoxels> added_strokes(const Volume& head, const SeedVoxels& former, int count) {
  constexpr std::int64_t kLong = 40;
  constexpr std::int64_t kWide = 3;
  const Geometry& geometry = head.geometry();
  const auto [nx, ny, nz] = geometry.size;
  std::map<std::int64_t, Label> seeds;
  for (const Seed& seed : former.seeds)
    seeds[seed.offset] = seed.label;
  std::vector<SeedVoxels> result;
  for (int stroke = 0; stroke < count; ++stroke) {
    // Around the middle, further out each time; a third of the way up and down.
    const double angle = 2.4 * stroke;
    const double radius = 0.15 + 0.35 * stroke / count;
    const double u = radius * std::cos(angle);
    const double v = radius * std::sin(angle);
    const double w = 0.1 * (stroke % 3 - 1);
    const auto at = [](double scaled, std::int64_t size) {
      return static_cast<std::int64_t>((scaled + 1.0) / 2.0 * static_cast<double>(size));
    };
    const Index3 first{at(u, nx), at(v, ny), at(w, nz)};
    const std::uint16_t label = head_value(u, v, w) > 750.0 ? 1 : 2;
    const int along = stroke % 2;
    for (std::int64_t step = 0; step < kLong * kWide; ++step) {
      Index3 voxel = first;
      voxel[along] += step / kWide;
      voxel[1 - along] += step % kWide;
      if (voxel[0] < nx && voxel[1] < ny) seeds.try_emplace(geometry.offset(voxel), label);
    }
    SeedVoxels& all = result.emplace_back();
    for (const auto& [offset, painted] : seeds)
      all.seeds.push_back({offset, painted});
  }
  return result;
}

}  // namespace seedwave::bench
