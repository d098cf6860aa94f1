// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace seedwave {

/// A case that a recipe was applied to, and how it ended.
struct CaseRow {
  std::string name;  // empty: it was not reached
  /// As the file result.json, or at least what a line has of it; null after an error.
  std::shared_ptr<const nlohmann::ordered_json> result{};
  bool was_there = false;
  /// The whole time, until the files were written; of a result that was there, the time it states.
  double ms = 0.0;
  /// 0, or the exit code of the error.
  int code = 0;
  std::string error;
};

/// Returns {"case", "digests", "ms", "dice", "objects"} or {"case", "error"}, the line that `apply`
/// prints for other programs; with "skipped" for a case that was there.
[[nodiscard]] nlohmann::ordered_json line_of(const CaseRow& row);
/// Reads such a line. Throws InputError.
[[nodiscard]] CaseRow row_of_line(const std::string& line);

/// Returns the mean of the Dice that are numbers; null if there are none.
[[nodiscard]] nlohmann::ordered_json mean_dice(const nlohmann::ordered_json& result);
/// Returns "Dice 0.9123" or "F1 0.71, PQ 0.52, AJI 0.60", or "" without a reference.
[[nodiscard]] std::string score_text(const nlohmann::ordered_json& result);

/// Returns the member of an object, or null.
[[nodiscard]] const nlohmann::ordered_json& member_of(const nlohmann::ordered_json& json,
                                                      const char* key);
/// Returns the result of a case, or null.
[[nodiscard]] const nlohmann::ordered_json& result_of(const CaseRow& row);

}  // namespace seedwave
