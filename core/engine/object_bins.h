// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/object_list.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seedwave {

/// One axis of a plot of objects: a column in bins of equal width.
struct BinnedAxis {
  std::size_t column = 0;
  double low = 0.0;
  double high = 1.0;
  int bins = 1;

  /// Returns the bin of a number from low to high.
  [[nodiscard]] int bin_of(double number) const noexcept;
};

/// Counts of objects by their numbers in one column (a histogram) or two (a scatter plot). Objects
/// without such a number are left out.
struct ObjectBins {
  BinnedAxis x;
  std::optional<BinnedAxis> y;
  /// By y, then x.
  std::vector<std::uint32_t> all;
  /// The same for the chosen objects.
  std::vector<std::uint32_t> chosen;
};

/// Returns the number of bins of a histogram of so many objects: twice the square root, 16 to 100.
[[nodiscard]] int histogram_bins(std::size_t objects) noexcept;
/// Bins along each axis of a scatter plot.
inline constexpr int kScatterBins = 160;

/// Counts objects. Axes span their numbers. `chosen`: by object, or empty. Throws Cancelled.
[[nodiscard]] ObjectBins bin_objects(const ObjectList& list, std::span<const std::int32_t> objects,
                                     std::size_t x, std::optional<std::size_t> y,
                                     const std::vector<bool>& chosen, Context& context);

/// A closed range of numbers in a column.
struct ColumnRange {
  std::size_t column = 0;
  double low = 0.0;
  double high = 0.0;
};
/// Returns those of the objects whose numbers lie within all ranges. Throws Cancelled.
[[nodiscard]] std::vector<std::int32_t> objects_within(const ObjectList& list,
                                                       std::span<const std::int32_t> objects,
                                                       std::span<const ColumnRange> ranges,
                                                       Context& context);

}  // namespace seedwave
