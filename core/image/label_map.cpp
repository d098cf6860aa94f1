// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"

namespace seedwave {

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

}  // namespace seedwave
