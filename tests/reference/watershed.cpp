// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/watershed.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

namespace seedwave::reference {
namespace {

bool adjacent(const Index3& a, const Index3& b, int connectivity) {
  const std::int64_t dx = std::abs(a[0] - b[0]);
  const std::int64_t dy = std::abs(a[1] - b[1]);
  const std::int64_t dz = std::abs(a[2] - b[2]);
  if (std::max({dx, dy, dz}) != 1) return false;
  switch (connectivity) {
    case 4:
      return dz == 0 && dx + dy == 1;
    case 8:
      return dz == 0;
    case 6:
      return dx + dy + dz == 1;
    case 18:
      return dx + dy + dz <= 2;
    default:
      return true;
  }
}

std::vector<std::vector<std::size_t>> all_neighbours(const Geometry& geometry, int connectivity) {
  std::vector<std::vector<std::size_t>> result;
  for (std::int64_t cell = 0; cell < geometry.voxel_count(); ++cell) {
    const Index3 at = geometry.index_of(cell);
    result.emplace_back();
    for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
      for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y) {
        for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x) {
          if (geometry.contains({x, y, z}) && adjacent(at, {x, y, z}, connectivity)) {
            result.back().push_back(static_cast<std::size_t>(geometry.offset({x, y, z})));
          }
        }
      }
    }
  }
  return result;
}

}  // namespace

Watershed watershed(const Volume& image, const LabelMap& markers, const LabelMap& mask,
                    int connectivity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Geometry& geometry = image.geometry();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  const auto neighbours = all_neighbours(geometry, connectivity);
  std::vector<double> f(count);
  std::vector<bool> inside(count);
  std::vector<bool> marker(count);
  Watershed result{std::vector<double>(count, kInfinity), std::vector<std::int64_t>(count, -1),
                   std::vector<Label>(count), std::vector<std::set<Label>>(count)};
  std::set<double> levels;
  for (std::size_t c = 0; c < count; ++c) {
    f[c] = image.value_at(geometry.index_of(static_cast<std::int64_t>(c)));
    inside[c] = mask.empty() || mask.labels()[c] != 0;
    marker[c] = inside[c] && markers.labels()[c] != 0;
    if (marker[c]) result.arriving[c] = {result.labels[c] = markers.labels()[c]};
    levels.insert(f[c]);
  }
  std::vector<bool> before(count);  // under water before the level
  for (const double level : levels) {
    std::vector<bool> wet = before;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t c = 0; c < count; ++c) {
        if (wet[c] || !inside[c] || f[c] > level) continue;
        bool reached = marker[c];
        for (const std::size_t e : neighbours[c])
          reached = reached || wet[e];
        if (!reached) continue;
        wet[c] = true;
        result.altitudes[c] = level;
        more = true;
      }
    }
    // Steps since the water reached the level, and labels with them.
    for (std::int64_t hops = 0;; ++hops) {
      std::vector<std::size_t> reached;
      for (std::size_t c = 0; c < count; ++c) {
        if (!wet[c] || before[c] || result.hops[c] >= 0) continue;
        if (marker[c]) {
          if (hops == 0) reached.push_back(c);
          continue;
        }
        // The source of the water: a cell is flooded from the neighbours that were reached first,
        // at the lowest level and there after the fewest steps.
        std::vector<std::size_t> sources;
        for (const std::size_t e : neighbours[c]) {
          if (hops == 0 ? !before[e] : before[e] || result.hops[e] != hops - 1) continue;
          const auto when = [&](std::size_t i) {
            return std::pair(result.altitudes[i], result.hops[i]);
          };
          if (!sources.empty() && when(e) < when(sources[0])) sources.clear();
          if (sources.empty() || when(e) == when(sources[0])) sources.push_back(e);
        }
        for (const std::size_t e : sources)
          result.arriving[c].insert(result.arriving[e].begin(), result.arriving[e].end());
        if (sources.empty()) continue;
        result.labels[c] = *result.arriving[c].begin();
        reached.push_back(c);
      }
      for (const std::size_t c : reached)
        result.hops[c] = hops;
      if (reached.empty() && hops > 0) break;
    }
    before = wet;
  }
  return result;
}

}  // namespace seedwave::reference
