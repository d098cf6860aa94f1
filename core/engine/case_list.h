// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace seedwave {

/// Maximum number of cases in a list. It guards against opening the wrong file.
inline constexpr std::size_t kMostCases = 1'000'000;
/// The same of a sweep, which holds the results of all.
inline constexpr std::size_t kMostSweepCases = 1000;

/// One case of a list: an image, its other inputs, and its reference.
struct ListedCase {
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
  friend bool operator==(const ListedCase&, const ListedCase&) = default;
};

[[nodiscard]] std::string name_of(ListedCase::Use use);  // "tune", "test"

/// A column of paths that a list may have.
struct PathColumn {
  std::string name;
  bool required = true;
};

/// Reads a list of cases: CSV whose first line names the columns, in any order: these columns,
/// `use`, "tune" (default) or "test", and `name` (default: the number of the case, from 1). `of`
/// is what has the columns, for messages.
///
/// Throws InputError, which begins with "line 3: ..." for an error on a line: malformed CSV; an
/// unknown, missing or duplicate column; too few or too many fields; a missing required path;
/// another use; a duplicate name or one with line breaks; no case; more than kMostCases.
[[nodiscard]] std::vector<ListedCase> parse_cases(const std::string& of,
                                                  const std::vector<PathColumn>& columns,
                                                  const std::string& text);

/// Reads the list of a sweep, which needs a case to tune by and has at most kMostSweepCases.
/// Throws InputError as above.
[[nodiscard]] std::vector<ListedCase> parse_sweep_cases(const std::string& of,
                                                        const std::vector<PathColumn>& columns,
                                                        const std::string& text);
/// The same for an operation: the columns of paths are its inputs and `reference`; required ones
/// must be present and filled in every row. Throws UsageError if it has no label output that a
/// reference could score.
[[nodiscard]] std::vector<ListedCase> parse_sweep_cases(const Operation& operation,
                                                        const std::string& text);

}  // namespace seedwave
