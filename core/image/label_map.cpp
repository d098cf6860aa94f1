// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace seedwave {

Box changed_box(const LabelMap& before, const LabelMap& after) {
  assert(before.geometry().size == after.geometry().size);
  const Index3& size = after.geometry().size;
  const auto width = static_cast<std::size_t>(size[0]);
  Box box;
  bool any = false;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      const auto row = static_cast<std::size_t>(after.geometry().offset({0, y, z}));
      const auto old_row = before.labels().subspan(row, width);
      const auto new_row = after.labels().subspan(row, width);
      const auto first = std::mismatch(old_row.begin(), old_row.end(), new_row.begin());
      if (first.first == old_row.end()) continue;
      const auto last = std::mismatch(old_row.rbegin(), old_row.rend(), new_row.rbegin());
      const std::int64_t lo = first.first - old_row.begin();
      const std::int64_t hi = old_row.rend() - last.first;
      if (!any) box = {{lo, y, z}, {hi, y + 1, z + 1}};
      any = true;
      box.include({lo, y, z});
      box.include({hi - 1, y, z});
    }
  }
  return box;
}

std::map<std::uint16_t, std::int64_t> count_labels(const LabelMap& map) {
  std::vector<std::int64_t> counts(1 << 16);
  for (const std::uint16_t label : map.labels())
    ++counts[label];
  std::map<std::uint16_t, std::int64_t> present;
  for (std::size_t label = 1; label < counts.size(); ++label) {
    if (counts[label] != 0) present.emplace(static_cast<std::uint16_t>(label), counts[label]);
  }
  return present;
}

LabelMap mask_as_label_1(const LabelMap& map) {
  constexpr std::uint16_t kInside[] = {255, 65535};
  if (map.empty()) return map;
  std::uint16_t inside = 0;
  for (const std::uint16_t label : map.labels()) {
    if (label == 0 || label == inside) continue;
    const bool first = inside == 0 && (label == kInside[0] || label == kInside[1]);
    if (!first) return map;
    inside = label;
  }
  if (inside == 0) return map;
  std::vector<std::uint16_t> labels;
  labels.reserve(map.labels().size());
  for (const std::uint16_t label : map.labels())
    labels.push_back(label == 0 ? 0 : 1);
  return {map.geometry(), std::move(labels), map.changed()};
}

}  // namespace seedwave
