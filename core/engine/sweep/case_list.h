// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace seedwave {

/// A list has at most so many cases: a bound against the wrong file, not against diligence.
inline constexpr std::size_t kMostSweepCases = 1000;

/// One case of a sweep over several: an image, what belongs to it, and its reference.
struct SweepCase {
  enum class Use {
    /// Values are chosen by it.
    Tune,
    /// Held out: run once, with the values that were chosen.
    Test
  };

  std::string name;
  Use use = Use::Tune;
  /// Paths as the list says them, by the input's name ("image", "seeds", "reference"); what is left
  /// empty is not there.
  std::map<std::string, std::string> paths{};
  /// Where the list has it, from 1.
  int line = 1;
  friend bool operator==(const SweepCase&, const SweepCase&) = default;
};

[[nodiscard]] std::string name_of(SweepCase::Use use);  // "tune", "test"

/// Reads a list of cases: CSV whose first line names the columns, in any order.
///
/// Columns are `image`, `reference` and the operation's other inputs (those that it needs must be
/// there, and named in every row); `use`, "tune" or "test", where empty "tune"; and `name`, where
/// empty the number of the case, from 1.
///
/// Throws UsageError: an operation that gives no labels, which no reference could score.
/// InputError, "line 3: ..." where it is a line's fault: no CSV, an unknown column, one that is
/// missing or there twice, too few or too many fields, no path where one is needed, another use, a
/// name that is there twice or has line ends, no case to tune by, more than kMostSweepCases.
[[nodiscard]] std::vector<SweepCase> parse_cases(const Operation& operation,
                                                 const std::string& text);

}  // namespace seedwave
