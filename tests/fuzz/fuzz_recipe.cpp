// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "core/recipes/case_result.h"
#include "core/recipes/saved_recipe.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

/// A recipe, and the result of one on a case. Those that can be read are written to text that reads
/// the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  static const OperationTable table = make_operation_table();
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  try {
    const SavedRecipe recipe = parse_recipe(table, text, "recipe.json");
    if (recipe.steps.empty()) std::abort();
    if (!(parse_recipe(table, text_of(recipe), "again.json") == recipe)) std::abort();
  } catch (const InputError&) {
  }
  try {
    const CaseResult result = parse_case_result(table, text, "result.json");
    const CaseResult again = parse_case_result(table, to_json(result).dump(), "again.json");
    if (!why_another(again, result.recipe, result.version, result.inputs).empty()) std::abort();
    if (again.digests() != result.digests()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
