// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/ops/values.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// The source of an input of a step: what the case gives under the input's name (its image, its
/// seeds), or an output of an earlier step.
struct RecipeInput {
  /// Id of the step; empty for the case.
  std::string step{};
  std::string output{};

  [[nodiscard]] bool is_of_case() const noexcept { return step.empty(); }
  friend bool operator==(const RecipeInput&, const RecipeInput&) = default;
};

/// One operation of a saved recipe.
struct RecipeStep {
  /// The name by which later steps, values and messages refer to it.
  std::string id;
  std::string operation;
  /// Values that differ from the initial ones. They are checked when the case's image is known.
  Values values{};
  /// If empty, the operation table chooses.
  std::string algorithm{};
  /// The channel that it reads of a case's colour image; "" for none and for all colours.
  std::string channel{};
  /// By the name of the input. The others are not given.
  std::map<std::string, RecipeInput> inputs{};
  friend bool operator==(const RecipeStep&, const RecipeStep&) = default;
};

/// A recipe as a user saves it: a chain of steps with the case as its parameter, which gives the
/// image, and where a step asks for them the seeds and other inputs.
struct SavedRecipe {
  /// The largest version of the format that this program reads.
  static constexpr int kVersion = 1;

  std::string name{};
  /// A sentence for people.
  std::string about{};
  /// Size of a pixel at which slides are read, in micrometres; nothing: their finest level.
  std::optional<double> mpp{};
  /// In an order in which each reads only earlier ones; never empty.
  std::vector<RecipeStep> steps{};
  friend bool operator==(const SavedRecipe&, const SavedRecipe&) = default;

  /// Returns the step whose outputs are the result: the last one.
  [[nodiscard]] const RecipeStep& result() const { return steps.back(); }
  /// Returns the names of the inputs beside the image that a case gives, if it has them.
  [[nodiscard]] std::set<std::string> case_inputs() const;
};

/// Reads a recipe and checks it against the table. Throws InputError that names `file` and the
/// place: malformed JSON, a newer version, an unknown operation, value, input or output, a step
/// that reads one that does not come before it, ids that are missing or not unique.
[[nodiscard]] SavedRecipe parse_recipe(const OperationTable& table, const std::string& text,
                                       const std::string& file);
/// Reads the file. Throws InputError as above, and for one that cannot be read.
[[nodiscard]] SavedRecipe load_recipe(const OperationTable& table, const std::string& file);
/// The same of a part of another file.
[[nodiscard]] SavedRecipe recipe_from_json(const OperationTable& table, const nlohmann::json& json,
                                           const std::string& file);

/// Returns what recipe_from_json() reads, with the members in a fixed order.
[[nodiscard]] nlohmann::ordered_json to_json(const SavedRecipe& recipe);
/// Returns the text of a recipe file.
[[nodiscard]] std::string text_of(const SavedRecipe& recipe);

}  // namespace seedwave
