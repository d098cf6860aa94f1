// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/case_row.h"
#include "core/recipes/saved_recipe.h"

#include <filesystem>
#include <vector>

namespace seedwave::cli {

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
