// SPDX-License-Identifier: Apache-2.0
#include "core/base/median.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace seedwave {

double median(std::span<double> values) {
  require(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double upper = *middle;
  if (values.size() % 2 == 1) return upper;
  return (*std::max_element(values.begin(), middle) + upper) / 2.0;
}

double deviation_about(double middle, std::span<double> values) {
  for (double& value : values)
    value = std::abs(value - middle);
  return kMadToSigma * median(values);
}

}  // namespace seedwave
