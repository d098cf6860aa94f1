// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/image_source.h"
#include "core/parallel/context.h"
#include "core/recipes/saved_recipe.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// One of the cases that a recipe is applied to. Nothing of it has been read yet.
struct CohortCase {
  /// Unlike that of every other case; names its folder.
  std::string name;
  /// The path that the user gave, or the list.
  std::string path;
  /// The image, if it was found; else it is sought in `path` when the case is run.
  std::optional<io::Item> item{};
  /// Paths of the other inputs and of the reference, by name.
  std::map<std::string, std::filesystem::path> files{};
};

/// Returns the flags that name cases.
[[nodiscard]] std::vector<Flag> cohort_flags();

/// Returns the cases that the flags name: those of a list (--cases), and each image in the paths:
/// of a file, or of all files and series in a folder. Throws UsageError for none, and for a file
/// beside the image that the recipe does not ask for; InputError that names the list and the line.
[[nodiscard]] std::vector<CohortCase> cohort_of(const Arguments& arguments,
                                                const std::vector<std::string>& paths,
                                                const SavedRecipe& recipe, Context& context);

}  // namespace seedwave::cli
