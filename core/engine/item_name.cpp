// SPDX-License-Identifier: Apache-2.0
#include "core/engine/item_name.h"

#include <algorithm>

namespace seedwave {

std::string name_of_item(const io::Scan& scan, std::size_t item) {
  if (scan.items.size() == 1) return {};
  const std::string& series = scan.items[item].series;
  const auto same = std::ranges::count(scan.items, series, &io::Item::series);
  return series.empty() || same > 1 ? std::to_string(item + 1) : series;
}

}  // namespace seedwave
