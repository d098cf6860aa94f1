// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/resolve.h"
#include "core/engine/run_history.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/ops/operation_table.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Makes runs from recipes.
namespace seedwave {

/// The outputs of a run as they are displayed.
struct RunPicture {
  /// With the edits above them. Empty if the operation gives none.
  LabelMap labels;
  /// The image outputs, in the operation's order.
  std::vector<ScalarMap> maps;
  /// The voxels of the maps by output, as the history keeps them.
  std::map<std::string, Volume> images{};
  /// The labels without the edits above them; empty if only the edited ones are kept.
  LabelMap unedited{};
};

/// The result of a recipe.
struct MadeRun {
  /// For the history: without an id and a score.
  Run run;
  RunPicture picture;
};

/// A run can show something before its result: the final result in a part of the image, or a draft
/// of the whole, which may differ from it.
enum class Preview { Part, Draft };

struct Previews {
  /// The visible part of the image. Empty if no particular part is.
  std::optional<Box> visible;
  /// Receives preliminary runs, not for the history, with only the recipe and the voxel counts of
  /// their labels. Their pictures are on the image's grid; that of a part is empty outside it.
  /// Called on the thread of the run.
  std::function<void(Preview, MadeRun)> take;
};

/// Collects the inputs, runs the operation, and summarises the result. Throws the errors of
/// resolve() and run_operation().
[[nodiscard]] MadeRun make_run(const OperationTable& table, const Recipe& recipe,
                               const LoadedCase& of, Context& context,
                               const std::optional<Previews>& previews = {});

/// Returns a run with other edits above its labels. `edited`: the labels with them. The run itself
/// is not repeated.
[[nodiscard]] MadeRun with_other_edits(const OperationTable& table, const Run& run,
                                       const Edits& edits, const LabelMap& edited);

/// Returns whether all displayed outputs of a run are kept, so that picture_of() recomputes
/// nothing.
[[nodiscard]] bool keeps_picture(const OperationTable& table, const Run& run);
/// Returns the maps of a run whose images are kept, without its labels.
[[nodiscard]] RunPicture kept_maps(const OperationTable& table, const Run& run,
                                   const LoadedCase& of);
/// Returns the picture of a run of the history, recomputed if it is not kept. Throws InputError if
/// the recomputed digest differs from the run's.
[[nodiscard]] RunPicture picture_of(const OperationTable& table, const Run& run,
                                    const LoadedCase& of, Context& context);

/// Returns whether runs of an operation give images that can be shown as maps.
[[nodiscard]] bool has_maps(const Operation& operation, Reads reads);

}  // namespace seedwave
