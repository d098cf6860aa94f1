// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/line_fan.h"

#include <cstddef>
#include <numeric>

namespace seedwave::reference {
namespace {

std::vector<double> opened(const Volume& image, const Segments& segments, bool closing) {
  return linear_opening(image, segments.lines, segments.length, segments.front, segments.behind,
                        closing);
}

}  // namespace

Orientation orientation(const Volume& image, const std::vector<Segments>& fan, bool closing) {
  Orientation result{opened(image, fan.front(), closing), {}};
  result.first.assign(result.strongest.size(), 0.0);
  for (std::size_t number = 1; number < fan.size(); ++number) {
    const std::vector<double> values = opened(image, fan[number], closing);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool stronger =
          closing ? values[i] < result.strongest[i] : values[i] > result.strongest[i];
      if (!stronger) continue;
      result.strongest[i] = values[i];
      result.first[i] = static_cast<double>(number);
    }
  }
  return result;
}

std::vector<double> sums(const Volume& image, const std::vector<Segments>& fan, bool closing) {
  std::vector<double> result;
  for (const Segments& segments : fan) {
    const std::vector<double> values = opened(image, segments, closing);
    result.push_back(std::accumulate(values.begin(), values.end(), 0.0));
  }
  return result;
}

}  // namespace seedwave::reference
