// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/reconstruction.h"

#include <algorithm>
#include <cstdlib>

namespace seedwave::reference {
namespace {

std::vector<double> values_of(const Volume& volume, double sign) {
  std::vector<double> values;
  const Index3 size = volume.geometry().size;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      for (std::int64_t x = 0; x < size[0]; ++x)
        values.push_back(sign * volume.value_at({x, y, z}));
    }
  }
  return values;
}

bool adjacent(std::int64_t dx, std::int64_t dy, std::int64_t dz, int connectivity) {
  if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) != 1) return false;
  const std::int64_t length = std::abs(dx) + std::abs(dy) + std::abs(dz);
  switch (connectivity) {
    case 4:
      return dz == 0 && length == 1;
    case 8:
      return dz == 0;
    case 6:
      return length == 1;
    case 18:
      return length <= 2;
    default:
      return true;
  }
}

}  // namespace

std::vector<double> reconstruction(const Volume& marker, const Volume& mask, int connectivity,
                                   bool by_erosion) {
  const double sign = by_erosion ? -1.0 : 1.0;
  const std::vector<double> limit = values_of(mask, sign);
  std::vector<double> now = values_of(marker, sign);
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = std::min(now[i], limit[i]);
  const Index3 size = mask.geometry().size;
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>(x + size[0] * (y + size[1] * z));
  };
  for (std::vector<double> before; before != now;) {
    before = now;
    for (std::int64_t z = 0; z < size[2]; ++z) {
      for (std::int64_t y = 0; y < size[1]; ++y) {
        for (std::int64_t x = 0; x < size[0]; ++x) {
          double highest = before[at(x, y, z)];
          for (std::int64_t c = std::max<std::int64_t>(0, z - 1); c < std::min(size[2], z + 2); ++c)
            for (std::int64_t b = std::max<std::int64_t>(0, y - 1); b < std::min(size[1], y + 2);
                 ++b)
              for (std::int64_t a = std::max<std::int64_t>(0, x - 1); a < std::min(size[0], x + 2);
                   ++a) {
                if (adjacent(a - x, b - y, c - z, connectivity))
                  highest = std::max(highest, before[at(a, b, c)]);
              }
          now[at(x, y, z)] = std::min(highest, limit[at(x, y, z)]);
        }
      }
    }
  }
  for (double& value : now)
    value *= sign;
  return now;
}

}  // namespace seedwave::reference
