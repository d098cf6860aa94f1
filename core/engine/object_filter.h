// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/object_list.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave {

/// A condition on a column of a list of objects, in its shown unit: "area > 30".
struct ObjectCondition {
  enum class Comparison { Less, AtMost, More, AtLeast, Equal, Unequal };

  std::size_t column = 0;
  Comparison comparison = Comparison::More;
  double value = 0.0;

  /// Returns false for NaN.
  [[nodiscard]] bool holds(double number) const noexcept;
};

/// Conditions that all hold; none: every object.
using ObjectFilter = std::vector<ObjectCondition>;

/// Reads "area > 30 and circularity < 0.8". Columns are named by their id or title in any case, the
/// size also as "area" or "volume"; conditions are joined by "and" or ",". Comparisons: < <= > >= =
/// !=. An empty text is no condition. Throws UsageError: a line that says what was not understood.
[[nodiscard]] ObjectFilter parse_object_filter(std::string_view text, const ObjectList& list);

/// Returns the condition "low <= column <= high" as text, to be read by parse_object_filter().
[[nodiscard]] std::string range_text(const ObjectList& list, std::size_t column, double low,
                                     double high);

/// The order in which objects are listed.
struct ObjectOrder {
  ObjectFilter filter{};
  /// Column to sort by; -1: the order of the list.
  int column = -1;
  bool falls = false;
  /// Come before all others, in the same order among themselves. By object; empty: none.
  std::vector<bool> first{};
};

/// Returns the objects that pass the filter, in order. Equal ones keep the order of the list, NaN
/// comes last. Cost: linear. Throws Cancelled.
[[nodiscard]] std::vector<std::int32_t> ordered_objects(const ObjectList& list,
                                                        const ObjectOrder& order, Context& context);

}  // namespace seedwave
