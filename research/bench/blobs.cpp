// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"
#include "research/bench/inputs.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr double kHoles = -1.0;  // below this value

double wave(double turns) {
  return std::sin(2.0 * std::numbers::pi * turns);
}

/// A wave along each axis, bent along the next.
struct Landscape {
  double period;
  bool flat;

  [[nodiscard]] double operator()(std::int64_t ix, std::int64_t iy, std::int64_t iz) const {
    const double x = static_cast<double>(ix) / period;
    const double y = static_cast<double>(iy) / period;
    const double z = static_cast<double>(iz) / period;
    const double along_x = wave(x + 0.35 * wave(y / 1.9));
    if (flat) return along_x + wave(y + 0.31 * wave(x / 2.3));
    return along_x + wave(y + 0.31 * wave(z / 2.3)) + wave(z + 0.33 * wave(x / 2.1));
  }
};

}  // namespace

Volume blobs(const Index3& size, double period, Context& context) {
  const Geometry grid{.size = size};
  const Landscape landscape{period, size[2] == 1};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
  parallel_for(context, size[1] * size[2], 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t x = 0; x < size[0]; ++x) {
        voxels[static_cast<std::size_t>(x + size[0] * row)] =
            landscape(x, row % size[1], row / size[1]) < kHoles ? 0 : 1;
      }
    }
  });
  return Volume(grid, std::move(voxels));
}

}  // namespace seedwave::bench
