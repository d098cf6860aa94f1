// SPDX-License-Identifier: Apache-2.0
#include "core/engine/object_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seedwave {
namespace {

/// Returns the numbers of objects in a column.
std::vector<double> numbers_of(const ObjectList& list, std::span<const std::int32_t> objects,
                               std::size_t column, Context& context) {
  std::vector<double> numbers(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kCellsPerCheck == 0) context.checkpoint(0.0);
    numbers[i] = list.number(column, static_cast<std::size_t>(objects[i]));
  }
  return numbers;
}

/// Returns an axis that spans the finite ones of some numbers.
BinnedAxis axis_of(std::span<const double> numbers, std::size_t column, int bins) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  if (low > high) return {.column = column, .bins = bins};
  if (low == high) high = low + std::max(1.0, std::abs(low));
  return {.column = column, .low = low, .high = high, .bins = bins};
}

}  // namespace

int histogram_bins(std::size_t objects) noexcept {
  constexpr double kLeast = 16.0;
  constexpr double kMost = 100.0;
  return static_cast<int>(std::clamp(2.0 * std::sqrt(static_cast<double>(objects)), kLeast, kMost));
}

int BinnedAxis::bin_of(double number) const noexcept {
  return std::clamp(static_cast<int>((number - low) / (high - low) * bins), 0, bins - 1);
}

ObjectBins bin_objects(const ObjectList& list, std::span<const std::int32_t> objects, std::size_t x,
                       std::optional<std::size_t> y, const std::vector<bool>& chosen,
                       Context& context) {
  const std::vector<double> across = numbers_of(list, objects, x, context);
  const std::vector<double> up = y ? numbers_of(list, objects, *y, context) : across;
  ObjectBins result{.x = axis_of(across, x, y ? kScatterBins : histogram_bins(objects.size()))};
  if (y) result.y = axis_of(up, *y, kScatterBins);
  const auto columns = static_cast<std::size_t>(result.x.bins);
  const std::size_t cells = columns * static_cast<std::size_t>(y ? result.y->bins : 1);
  result.all.resize(cells);
  result.chosen.resize(cells);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!std::isfinite(across[i]) || !std::isfinite(up[i])) continue;
    const auto row = static_cast<std::size_t>(y ? result.y->bin_of(up[i]) : 0);
    const std::size_t cell = row * columns + static_cast<std::size_t>(result.x.bin_of(across[i]));
    ++result.all[cell];
    if (!chosen.empty() && chosen[static_cast<std::size_t>(objects[i])]) ++result.chosen[cell];
  }
  return result;
}

std::vector<std::int32_t> objects_within(const ObjectList& list,
                                         std::span<const std::int32_t> objects,
                                         std::span<const ColumnRange> ranges, Context& context) {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kCellsPerCheck == 0) context.checkpoint(0.0);
    const bool is_within = std::ranges::all_of(ranges, [&](const ColumnRange& range) {
      const double number = list.number(range.column, static_cast<std::size_t>(objects[i]));
      return number >= range.low && number <= range.high;
    });
    if (is_within) found.push_back(objects[i]);
  }
  return found;
}

}  // namespace seedwave
