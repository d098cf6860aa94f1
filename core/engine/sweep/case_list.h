// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace seedwave {

/// Maximum number of cases in a list. It guards against opening the wrong file.
inline constexpr std::size_t kMostSweepCases = 1000;

/// One case of a sweep over several cases: an image, its other inputs, and its reference.
struct SweepCase {
  enum class Use {
    /// The case is used to choose the values.
    Tune,
    /// Held out: the case is run once, with the chosen values.
    Test
  };

  std::string name;
  Use use = Use::Tune;
  /// Paths as written in the list, by the name of the input ("image", "seeds", "reference"). Empty
  /// fields are absent.
  std::map<std::string, std::string> paths{};
  /// Line of the list, from 1.
  int line = 1;
  friend bool operator==(const SweepCase&, const SweepCase&) = default;
};

[[nodiscard]] std::string name_of(SweepCase::Use use);  // "tune", "test"

/// Reads a list of cases: CSV whose first line names the columns, in any order.
///
/// Columns are `image`, `reference` and the operation's other inputs (required ones must be present
/// and filled in every row); `use`, "tune" (default) or "test"; and `name` (default: the number of
/// the case, from 1).
///
/// Throws UsageError if the operation has no label output that a reference could score. Throws
/// InputError, which begins with "line 3: ..." for an error on a line: malformed CSV; an unknown,
/// missing or duplicate column; too few or too many fields; a missing required path; another use; a
/// duplicate name or one with line breaks; no case to tune; more than kMostSweepCases.
[[nodiscard]] std::vector<SweepCase> parse_cases(const Operation& operation,
                                                 const std::string& text);

}  // namespace seedwave
