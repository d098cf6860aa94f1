// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cohort_flags.h"

#include "core/base/error.h"

namespace seedwave::cli {
namespace {

constexpr const char* kSeeds = "seeds";

/// Throws UsageError if no step of the recipe reads an input of the case that a flag names.
void check_is_read(const SavedRecipe& recipe, const std::string& input, const std::string& flag) {
  if (!recipe.case_inputs().contains(input))
    throw UsageError("--" + flag + ": no step of the recipe reads " + input + " of the case");
}

/// The names of files beside each image, by the input that they are.
std::map<std::string, std::string> names_beside(const Arguments& arguments,
                                                const SavedRecipe& recipe) {
  std::map<std::string, std::string> names;
  for (const char* input : {kSeeds, kReferenceFile}) {
    const std::string flag = std::string(input) + "-by";
    const auto name = arguments.text(flag);
    if (!name) continue;
    if (input != std::string(kReferenceFile)) check_is_read(recipe, input, flag);
    names[input] = *name;
  }
  return names;
}

}  // namespace

std::vector<Flag> cohort_flags() {
  return {{"cases", "FILE.csv",
           "list of cases: columns image, name, series, reference, and the inputs that the recipe "
           "reads of a case, such as seeds; paths are relative to the list"},
          {"seeds", "PATH", "seeds of the only case"},
          {"seeds-by", "NAME",
           "seeds are in the file of that name beside each image; * is the image's name: "
           "strokes.json, *.seeds.json"},
          {"reference-by", "NAME", "labels to compare with, in the file of that name beside each"}};
}

std::vector<CohortCase> cohort_of(const Arguments& arguments, const std::vector<std::string>& paths,
                                  const SavedRecipe& recipe, Context& context) {
  CohortSources sources{.paths = {paths.begin(), paths.end()},
                        .beside = names_beside(arguments, recipe),
                        .results = arguments.text("out").value_or("")};
  if (const auto list = arguments.text("cases")) sources.lists.emplace_back(*list);
  const auto seeds = arguments.text(kSeeds);
  if (seeds) check_is_read(recipe, kSeeds, kSeeds);
  std::vector<CohortCase> cases = find_cases(sources, recipe, context);
  if (cases.empty()) throw UsageError("no case: name files or folders, or a list by --cases");
  if (seeds && cases.size() > 1) {
    throw UsageError("--seeds is for one case, and these are " + std::to_string(cases.size()) +
                     ": name the seeds of each by --seeds-by or --cases");
  }
  if (seeds) cases.front().files[kSeeds] = *seeds;
  return cases;
}

}  // namespace seedwave::cli
