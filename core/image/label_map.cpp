// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"

#include "core/base/digest.h"
#include "core/base/large_memory.h"
#include "core/image/same_size.h"

#include <algorithm>

namespace seedwave {

bool operator==(const LabelSpan& a, const LabelSpan& b) {
  return visit_labels(a, b, [](auto in_a, auto in_b) {
    return std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end());
  });
}

Label largest_label(const LabelSpan& labels) {
  return visit_labels(labels, [](auto values) {
    typename decltype(values)::value_type most = 0;
    for (const auto value : values)
      most = std::max(most, value);
    return Label{most};
  });
}

std::string digest_of(const LabelSpan& labels) {
  constexpr Label kMostInTwoBytes = std::numeric_limits<std::uint16_t>::max();
  if (labels.bytes_each() == 2) return xxh64_digest_of(labels.as<std::uint16_t>());
  if (labels.bytes_each() == 4 && largest_label(labels) > kMostInTwoBytes)
    return xxh64_digest_of(labels.as<std::uint32_t>());
  constexpr std::size_t kBlock = std::size_t{1} << 14;
  Digest digest;
  std::vector<std::uint16_t> block;
  visit_labels(labels, [&](auto values) {
    for (std::size_t at = 0; at < values.size(); at += kBlock) {
      const auto part = values.subspan(at, std::min(kBlock, values.size() - at));
      block.resize(part.size());
      std::transform(part.begin(), part.end(), block.begin(),
                     [](auto label) { return static_cast<std::uint16_t>(label); });
      digest.add(std::as_bytes(std::span(block)));
    }
  });
  return digest.text();
}

LabelMap at_least_u16(const LabelMap& map) {
  if (map.empty() || map.labels().bytes_each() > 1) return map;
  const auto bytes = map.labels().as<std::uint8_t>();
  auto wider = reserved_large<std::uint16_t>(bytes.size());
  wider.assign(bytes.begin(), bytes.end());
  return {map.geometry(), std::move(wider), map.changed()};
}

LabelMap byte_mask(const LabelMap& mask) {
  if (mask.empty() || mask.labels().bytes_each() == 1) return mask;
  std::vector<std::uint8_t> bytes(mask.labels().size());
  visit_labels(mask.labels(), [&](auto labels) {
    std::transform(labels.begin(), labels.end(), bytes.begin(),
                   [](auto label) { return static_cast<std::uint8_t>(label != 0 ? 1 : 0); });
  });
  return {mask.geometry(), std::move(bytes)};
}

Box box_of(const LabelMap& map, Label label) {
  Box box;
  const Geometry& geometry = map.geometry();
  visit_labels(map.labels(), [&](auto labels) {
    std::int64_t offset = 0;
    for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
      for (std::int64_t y = 0; y < geometry.size[1]; ++y, offset += geometry.size[0]) {
        const auto row = labels.subspan(offset, geometry.size[0]);
        const auto first = std::find(row.begin(), row.end(), label);
        if (first == row.end()) continue;
        const auto last = std::find(row.rbegin(), row.rend(), label);
        box.include({first - row.begin(), y, z});
        box.include({row.rend() - last - 1, y, z});
      }
    }
  });
  return box;
}

Box changed_box(const LabelMap& before, const LabelMap& after) {
  check_same_size(before.geometry(), after.geometry(), "the labels before and after");
  const Index3& size = after.geometry().size;
  const auto width = static_cast<std::size_t>(size[0]);
  Box box;
  bool any = false;
  visit_labels(before.labels(), after.labels(), [&](auto old_labels, auto new_labels) {
    for (std::int64_t z = 0; z < size[2]; ++z) {
      for (std::int64_t y = 0; y < size[1]; ++y) {
        const auto row = static_cast<std::size_t>(after.geometry().offset({0, y, z}));
        const auto old_row = old_labels.subspan(row, width);
        const auto new_row = new_labels.subspan(row, width);
        // Most rows are equal and, if of one type, are compared as bytes.
        if (std::equal(old_row.begin(), old_row.end(), new_row.begin())) continue;
        const auto first = std::mismatch(old_row.begin(), old_row.end(), new_row.begin());
        const auto last = std::mismatch(old_row.rbegin(), old_row.rend(), new_row.rbegin());
        const std::int64_t lo = first.first - old_row.begin();
        const std::int64_t hi = old_row.rend() - last.first;
        if (!any) box = {{lo, y, z}, {hi, y + 1, z + 1}};
        any = true;
        box.include({lo, y, z});
        box.include({hi - 1, y, z});
      }
    }
  });
  return box;
}

LabelMap mask_as_label_1(const LabelMap& map) {
  constexpr Label kInside[] = {255, 65535};
  if (map.empty()) return map;
  const bool is_mask = visit_labels(map.labels(), [&](auto labels) {
    Label inside = 0;
    for (const Label label : labels) {
      if (label == 0 || label == inside) continue;
      const bool first = inside == 0 && (label == kInside[0] || label == kInside[1]);
      if (!first) return false;
      inside = label;
    }
    return inside != 0;
  });
  if (!is_mask) return map;
  std::vector<std::uint8_t> labels;
  labels.reserve(map.labels().size());
  visit_labels(map.labels(), [&](auto values) {
    for (const auto value : values)
      labels.push_back(value == 0 ? 0 : 1);
  });
  return {map.geometry(), std::move(labels), map.changed()};
}

}  // namespace seedwave
