// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/parallel/context.h"
#include "core/recipes/saved_recipe.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// One of the cases that a recipe is applied to. Nothing of it has been read yet.
struct CohortCase {
  /// Unlike that of every other case; names its folder.
  std::string name;
  /// The name that the list gives it; `name` where several cases have the same.
  std::string title{};
  /// The path that the user gave, or that of the list.
  std::string path;
  /// As Source::series.
  std::string series{};
  /// The image, if it was found; else it is sought in `path` when the case is run.
  std::optional<io::Item> item{};
  /// Paths of the other inputs and of the reference, by name.
  std::map<std::string, std::filesystem::path> files{};

  /// Returns the file or folder in which the image is found by its series.
  [[nodiscard]] std::filesystem::path image() const;
};

/// The name of the reference among the files of a case.
inline constexpr const char* kReferenceFile = "reference";

/// The files and folders that hold the cases of a cohort.
struct CohortSources {
  /// Lists of cases (CSV): `image` and optionally `name`, `series`, `reference` and the inputs that
  /// the recipe reads. Paths are relative to the list.
  std::vector<std::filesystem::path> lists{};
  /// Each image in them is a case: of a file, or of all files and series in a folder.
  std::vector<std::filesystem::path> paths{};
  /// Files beside each image in `paths`: their name by the input that they are, where '*' stands
  /// for the name of the image ("seeds": "*.seeds.json").
  std::map<std::string, std::string> beside{};
  /// The folder of the results, which are no cases themselves; may be empty.
  std::filesystem::path results{};
  friend bool operator==(const CohortSources&, const CohortSources&) = default;
};

/// The inputs beside image and reference that a list of cases may have as columns.
struct CaseColumns {
  /// The reader of the list, for messages.
  std::string of;
  std::set<std::string> inputs;
};

/// Returns the cases, those of lists first. A path without an image is a case, too, which says why
/// when it is run. Throws InputError that names the list and the line, Cancelled.
[[nodiscard]] std::vector<CohortCase> find_cases(const CohortSources& sources,
                                                 const CaseColumns& columns, Context& context);
/// The same for the inputs that a recipe reads.
[[nodiscard]] std::vector<CohortCase> find_cases(const CohortSources& sources,
                                                 const SavedRecipe& recipe, Context& context);

/// Returns the text of a list (CohortSources::lists) of these cases, with absolute paths.
[[nodiscard]] std::string case_list_of(const std::vector<CohortCase>& cases);

}  // namespace seedwave
