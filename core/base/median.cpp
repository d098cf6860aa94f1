// SPDX-License-Identifier: Apache-2.0
#include "core/base/median.h"

#include "core/base/error.h"

#include <algorithm>

namespace seedwave {

double median(std::span<double> values) {
  require(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double upper = *middle;
  if (values.size() % 2 == 1) return upper;
  return (*std::max_element(values.begin(), middle) + upper) / 2.0;
}

}  // namespace seedwave
