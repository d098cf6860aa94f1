// SPDX-License-Identifier: Apache-2.0
#include "core/border/linked_cells.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>
#include <array>

namespace seedwave::border {

std::vector<std::uint8_t> linked_with(const std::vector<BandCell>& cells, const Geometry& geometry,
                                      const std::vector<std::int64_t>& starts) {
  const auto count = static_cast<std::int32_t>(cells.size());
  const std::array<std::int64_t, 3> strides{1, geometry.size[0],
                                            geometry.size[0] * geometry.size[1]};
  DisjointSets<std::int32_t> sets(count);
  for (std::int32_t i = 0; i < count; ++i)
    sets.add(i);
  for (const std::int64_t stride : strides) {
    std::int32_t next = 0;
    for (std::int32_t i = 0; i < count; ++i) {
      while (next < count && cells[next].offset < cells[i].offset + stride)
        ++next;
      if (next == count) break;
      if (cells[next].offset == cells[i].offset + stride) sets.join(i, next);
    }
  }
  std::vector<std::uint8_t> is_started(cells.size());
  auto cell = cells.begin();
  for (const std::int64_t start : starts) {
    cell = std::ranges::lower_bound(cell, cells.end(), start, {}, &BandCell::offset);
    is_started[sets.first_of(static_cast<std::int32_t>(cell - cells.begin()))] = 1;
  }
  std::vector<std::uint8_t> marks(cells.size());
  for (std::int32_t i = 0; i < count; ++i)
    marks[i] = is_started[sets.first_of(i)];
  return marks;
}

}  // namespace seedwave::border
