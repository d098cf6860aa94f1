// SPDX-License-Identifier: Apache-2.0
#include "core/border/linked_cells.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace seedwave::border {
namespace {

/// Disjoint sets of cells, each named by one of them.
class Sets {
 public:
  explicit Sets(std::size_t cells) : parents_(cells) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  [[nodiscard]] std::int32_t set_of(std::int32_t cell) {
    while (parents_[cell] != cell) {
      parents_[cell] = parents_[parents_[cell]];
      cell = parents_[cell];
    }
    return cell;
  }
  void join(std::int32_t a, std::int32_t b) {
    const std::int32_t of_a = set_of(a);
    const std::int32_t of_b = set_of(b);
    if (of_a < of_b) {
      parents_[of_b] = of_a;
    } else {
      parents_[of_a] = of_b;
    }
  }

 private:
  std::vector<std::int32_t> parents_;
};

}  // namespace

std::vector<std::uint8_t> linked_with(const std::vector<BandCell>& cells, const Geometry& geometry,
                                      const std::vector<std::int64_t>& starts) {
  const auto count = static_cast<std::int32_t>(cells.size());
  const std::array<std::int64_t, 3> strides{1, geometry.size[0],
                                            geometry.size[0] * geometry.size[1]};
  Sets sets(cells.size());
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
    is_started[sets.set_of(static_cast<std::int32_t>(cell - cells.begin()))] = 1;
  }
  std::vector<std::uint8_t> marks(cells.size());
  for (std::int32_t i = 0; i < count; ++i)
    marks[i] = is_started[sets.set_of(i)];
  return marks;
}

}  // namespace seedwave::border
