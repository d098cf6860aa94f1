// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/shared_seeds.h"
#include "core/engine/source.h"
#include "core/ops/operation.h"
#include "core/ops/run.h"

#include <optional>
#include <set>
#include <string>

namespace seedwave {

/// A computation as a value: a run is a function of a recipe and of the case that it is applied to.
/// Cheap to copy, because strokes are shared.
struct Recipe {
  std::string operation;
  /// Values set by the user; other parameters are absent.
  Values values{};
  /// Replacements for `auto` and for labels that the user did not choose. Numbers stay fixed from
  /// one run to the next, so that a new stroke does not change them.
  Values fixed{};
  /// If empty, the operation table chooses.
  std::string algorithm{};
  std::optional<Backend> backend{};
  SharedSeeds seeds{};
  InputChoices inputs{};
  /// The channel that is read from a colour image. "" for all colours, for other images, and if the
  /// image is an earlier run or a file.
  std::string channel{};
  /// Ids of additional outputs.
  std::set<std::string> requested{};
};

/// The values that a recipe is run with: those set by the user, overridden by `fixed`.
[[nodiscard]] Values effective_values(const Recipe& recipe);

/// Returns the run request for a recipe and its collected inputs.
[[nodiscard]] RunRequest request_of(const Recipe& recipe, Inputs inputs);

}  // namespace seedwave
