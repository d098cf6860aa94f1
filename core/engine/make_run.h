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

/// The way from a recipe to a run.
namespace seedwave {

/// The outputs of a run as they are shown.
struct RunPicture {
  /// Empty if the operation gives none.
  LabelMap labels;
  /// The image outputs, in the operation's order.
  std::vector<ScalarMap> maps;
  /// The voxels of the maps by output, as the history keeps them.
  std::map<std::string, Volume> images{};
};

/// A recipe carried out.
struct MadeRun {
  /// For the history: without an id and a score.
  Run run;
  RunPicture picture;
};

/// The part of the image that is looked at, and who takes what a run gives for it before the whole
/// is there.
struct FirstPart {
  Box box;
  /// Takes a run for no history, which has the recipe and the voxels of its labels; its picture
  /// is on the image's grid, with nothing outside the box. Called on the run's own thread.
  std::function<void(MadeRun)> take;
};

/// Brings the inputs together, runs the operation, and sums up. Throws what resolve() and
/// run_operation() throw.
[[nodiscard]] MadeRun make_run(const OperationTable& table, const Recipe& recipe,
                               const LoadedCase& of, const EarlierRuns& earlier, Context& context,
                               const std::optional<FirstPart>& first = {});

/// Returns whether all that a run showed is kept, so that picture_of() need not run anything.
[[nodiscard]] bool keeps_picture(const OperationTable& table, const Run& run);
/// The picture of a run of the history: what is kept, else recomputed. Throws InputError when the
/// digest is not the run's.
[[nodiscard]] RunPicture picture_of(const OperationTable& table, const Run& run,
                                    const LoadedCase& of, const EarlierRuns& earlier,
                                    Context& context);

/// Returns whether an operation has an output of that kind.
[[nodiscard]] bool has_output(const Operation& operation, OutputKind kind);
/// Returns whether an operation gives images that can be shown as maps.
[[nodiscard]] bool has_maps(const Operation& operation);

}  // namespace seedwave
