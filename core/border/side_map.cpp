// SPDX-License-Identifier: Apache-2.0
#include "core/border/side_map.h"

#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>

namespace seedwave::border {

template <LabelType T>
void SideMap::read_row(std::span<const T> labels, T label, std::int64_t row) {
  std::uint8_t* to = sides_.get() + row * size_[0];
  const std::int64_t y = lo_[1] + row % size_[1];
  const std::int64_t z = lo_[2] + row / size_[1];
  if (y < 0 || y >= geometry_.size[1] || z < 0 || z >= geometry_.size[2]) {
    std::fill_n(to, size_[0], std::uint8_t{Nowhere});
    return;
  }
  const std::int64_t first = std::max<std::int64_t>(lo_[0], 0);
  const std::int64_t last = std::min(lo_[0] + size_[0], geometry_.size[0]);
  if (first > lo_[0]) to[0] = Nowhere;
  if (last < lo_[0] + size_[0]) to[size_[0] - 1] = Nowhere;
  const T* from = labels.data() + geometry_.offset({first, y, z});
  std::transform(from, from + (last - first), to + (first - lo_[0]),
                 [label](T other) -> std::uint8_t { return other == label ? Inside : Outside; });
}

SideMap::SideMap(const LabelMap& labels, Label label, const Box& box, Context& context)
    : geometry_(labels.geometry()), lo_{box.lo[0] - 1, box.lo[1] - 1, box.lo[2] - 1} {
  for (int axis = 0; axis < 3; ++axis)
    size_[axis] = box.hi[axis] + 1 - lo_[axis];
  const auto places = static_cast<std::size_t>(size_[0] * size_[1] * size_[2]);
  sides_ = large_array<std::uint8_t>(context, places);
  visit_labels(labels.labels(), [&]<LabelType T>(std::span<const T> of) {
    parallel_for(context, size_[1] * size_[2], 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        read_row(of, static_cast<T>(label), row);
    });
  });
}

void SideMap::open_margin(int axis) {
  const std::array<std::int64_t, 3> steps = strides();
  const int u = axis == 0 ? 1 : 0;
  const int v = axis == 2 ? 1 : 2;
  for (const std::int64_t at : {std::int64_t{0}, size_[axis] - 1}) {
    for (std::int64_t b = 0; b < size_[v]; ++b) {
      for (std::int64_t a = 0; a < size_[u]; ++a) {
        std::uint8_t& side = sides_[at * steps[axis] + a * steps[u] + b * steps[v]];
        if (side != Nowhere) side = Open;
      }
    }
  }
}

}  // namespace seedwave::border
