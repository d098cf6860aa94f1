// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/object_scores.h"
#include "core/ops/run.h"
#include "core/recipes/apply_recipe.h"
#include "core/recipes/saved_recipe.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// The file of a result, in the folder of its case.
inline constexpr const char* kResultFile = "result.json";
/// The largest size of such a file.
inline constexpr std::int64_t kMostResultBytes = std::int64_t{64} << 20;

/// An input of a case, and the digest of the bytes of its files.
struct CaseFile {
  std::filesystem::path path;
  /// As Source::series.
  std::string series{};
  std::string digest{};
};

/// A step of a result: what it used and what it gave.
struct StepResult {
  std::string id;
  Values values{};
  /// By output.
  std::map<std::string, std::string> digests{};
  double ms = 0.0;
};

/// The result of a recipe on a case, as its file `result.json` states it: enough to tell whether it
/// must be recomputed, and to do that.
struct CaseResult {
  std::string name;
  /// Version of the program that computed it.
  std::string version;
  SavedRecipe recipe;
  /// By the name of the input.
  std::map<std::string, CaseFile> inputs{};
  std::vector<StepResult> steps{};
  /// Files of the outputs of the last step, beside the result's own file, by output.
  std::map<std::string, std::string> files{};
  /// Voxels of each label of the result. The file lists them only if they are few.
  std::map<Label, std::int64_t> voxels{};
  /// Without a reference both are empty; the second where it numbers objects.
  std::map<Label, std::optional<double>> dice{};
  std::optional<ObjectScores> objects{};
  std::vector<std::string> warnings{};
  double ms = 0.0;

  /// Returns the digests of the last step, by output.
  [[nodiscard]] const std::map<std::string, std::string>& digests() const {
    return steps.back().digests;
  }
};

/// Returns the parts of a result that reports of its steps have.
[[nodiscard]] std::vector<StepResult> results_of(const std::vector<StepReport>& reports);

[[nodiscard]] nlohmann::ordered_json to_json(const CaseResult& result);
/// Reads what to_json() gives, but for the scores. Throws InputError that names `file` and the
/// place.
[[nodiscard]] CaseResult parse_case_result(const OperationTable& table, const std::string& text,
                                           const std::string& file);

/// Returns why a result does not stand for a case with these inputs: "another recipe", "another
/// version", "another seeds"; "" if it does. Paths do not matter, only what the files hold.
[[nodiscard]] std::string why_another(const CaseResult& result, const SavedRecipe& recipe,
                                      const std::string& version,
                                      const std::map<std::string, CaseFile>& inputs);

/// Returns the digest of the bytes of files, one after the other. Throws InputError that names a
/// file that cannot be read, Cancelled.
[[nodiscard]] std::string digest_of_files(const std::vector<std::filesystem::path>& files,
                                          Context& context);

}  // namespace seedwave
