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

/// What to compute, as a value: a run is a function of it and of the case that it is applied to.
/// Cheap to copy, since strokes are shared.
struct Recipe {
  std::string operation;
  /// As the user set them; parameters left alone are not in it.
  Values values{};
  /// What stands for `auto` and for a label that was left alone: numbers stay from one run to the
  /// next, so that a stroke changes nothing but itself.
  Values fixed{};
  /// Empty fields leave the choice to the table.
  std::string algorithm{};
  std::optional<Backend> backend{};
  SharedSeeds seeds{};
  InputChoices inputs{};
  /// The channel of a colour image that is read; "" for all of its colours, for all other images,
  /// and where the image is an earlier run or a file.
  std::string channel{};
  /// Outputs beyond those that every run gives.
  std::set<std::string> requested{};
};

/// The values that a recipe is run with: those that were set, with `fixed` in their place.
[[nodiscard]] Values effective_values(const Recipe& recipe);

/// The call of the operation table for a recipe whose inputs have been brought together.
[[nodiscard]] RunRequest request_of(const Recipe& recipe, Inputs inputs);

}  // namespace seedwave
