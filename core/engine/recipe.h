// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/shared_seeds.h"
#include "core/engine/source.h"
#include "core/ops/operation.h"
#include "core/ops/run.h"

#include <cstdint>
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
  /// The parts of the machine that share a run, as workers_of() takes them; "" if it is not shared.
  std::string devices{};
  SharedSeeds seeds{};
  Edits edits{};
  InputChoices inputs{};
  /// The channel that is read from a colour image. "" for all colours, for other images, and if the
  /// image is an earlier run or a file.
  std::string channel{};
  /// Ids of additional outputs.
  std::set<std::string> requested{};
};

/// A recipe carried out, without its outputs. Other recipes read these: a chain of steps is one
/// value, which stays whole when a run leaves the history.
struct Step {
  /// The number of its run on this image, for the user.
  std::uint64_t id = 0;
  std::string time;  // ISO 8601, UTC
  Recipe recipe;
  RunFacts facts;
};

[[nodiscard]] bool same_step(const Step& a, const Step& b);

/// Returns whether a recipe asks for what a step was made from, whatever edits lie above its
/// labels.
[[nodiscard]] bool agrees_but_for_edits(const Operation& operation, const Recipe& asked,
                                        const Step& made, bool image_is_2d);

/// Returns whether runs of a recipe read labels or the image.
[[nodiscard]] Reads reads_of(const Recipe& recipe);

/// Returns the output of an earlier step that a recipe reads as labels, or else as its image; null
/// if it reads no step there.
[[nodiscard]] const InputChoice* source_of(const Recipe& recipe);

/// Returns whether only the number of a step is known: the step was removed before a session of an
/// older version was saved.
[[nodiscard]] bool is_lost(const Step& step);

/// Returns the choice of an output of a step.
[[nodiscard]] InputChoice output_of(const Step& step, const std::string& output);

/// The values that a recipe is run with: those set by the user, overridden by `fixed`.
[[nodiscard]] Values effective_values(const Recipe& recipe);

/// Returns the run request for a recipe and its collected inputs.
[[nodiscard]] RunRequest request_of(const Recipe& recipe, Inputs inputs);

}  // namespace seedwave
