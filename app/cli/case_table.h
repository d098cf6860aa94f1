// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/saved_recipe.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace seedwave::cli {

/// A case of `apply` and how it ended.
struct CaseRow {
  std::string name;  // empty: it was not reached
  /// As the file result.json; null after an error.
  std::shared_ptr<const nlohmann::ordered_json> result{};
  bool was_there = false;
  /// 0, or the exit code of the error.
  int code = 0;
  std::string error;
};

/// Returns {"case", "digests", "ms", "dice", "objects"} or {"case", "error"}, for standard output;
/// with "skipped" for a case that was there.
[[nodiscard]] nlohmann::ordered_json line_of(const CaseRow& row);

/// The table of the cases: a row each, in their order.
class CaseTableFile {
 public:
  /// Throws OutputError if nothing can be written there, or the suffix is not .csv.
  explicit CaseTableFile(std::filesystem::path file);
  void write(const std::vector<CaseRow>& rows) const;

 private:
  std::filesystem::path file_;
};

/// Writes a page for a browser that shows all cases with their pictures and scores. Throws
/// OutputError.
void write_contact_sheet(const std::filesystem::path& file, const SavedRecipe& recipe,
                         const std::vector<CaseRow>& rows);

}  // namespace seedwave::cli
