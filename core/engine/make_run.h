// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/label_origin.h"
#include "core/engine/run_history.h"
#include "core/engine/run_inputs.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "core/metrics/scored.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// What a run makes on its thread; the window's thread reads it after the job has ended.
struct RunProduct {
  /// What was on screen when the run was asked for: what changed is told against it.
  LabelMap before;
  LabelMap labels;
  /// The operation's image outputs, in its order.
  std::vector<ScalarMap> maps;
  /// The entry for the history, without an id.
  Run run;
};

/// A run as the user wants it: all that it depends on, as values.
struct RunOrder {
  /// Without inputs; `request.values` are those to be used.
  RunRequest request;
  /// The values as the user has them, for the history.
  Values asked;
  SeedSet seeds;
  InputChoices inputs;
  /// "" where no channel is read.
  std::string channel;
  std::set<std::string> requested;
  InputSources sources;
  LabelMap reference;
  Scored scored = Scored::Everywhere;
  /// What "image units" are called for this image: "HU"; "" where nobody knows.
  std::string image_unit;
};

/// What is seen of the image, and who takes what a run gives for it before the whole is there.
struct FirstPart {
  Box box;
  /// On the image's grid, with nothing outside the box; an entry for no history, which says of
  /// which operation it is and which labels there are. From the run's own thread.
  std::function<void(RunProduct)> take;
};

/// Brings the inputs together, draws the seeds on the image's grid, runs, and sums up for the
/// history. Throws what take_inputs() and run_operation() throw.
[[nodiscard]] RunProduct make_run(const OperationTable& table, const RunOrder& order,
                                  const LabelMap& before, Context& context,
                                  const std::optional<FirstPart>& first = {});

/// The order that repeats a run with the values that it used.
[[nodiscard]] RunOrder order_again(const Run& run, const InputSources& sources);

/// The image outputs of a run.
struct RunMaps {
  std::vector<ScalarMap> maps;
  /// What they are made of, by output, as the history keeps it.
  std::map<std::string, Volume> images;
};
/// The maps of a run: those that are kept, else computed anew by `order`. Throws InputError when
/// what comes out is not what the run says: the maps would be another's.
[[nodiscard]] RunMaps maps_again(const OperationTable& table, const RunOrder& order, const Run& run,
                                 Context& context);

/// What a run showed.
struct RunPicture : RunMaps {
  LabelMap labels;
};
/// True where all of it is kept, so that picture_again() need not run anything.
[[nodiscard]] bool keeps_picture(const OperationTable& table, const Run& run);
/// Labels and maps, as maps_again() gives the latter.
[[nodiscard]] RunPicture picture_again(const OperationTable& table, const RunOrder& order,
                                       const Run& run, Context& context);

/// True where an operation gives such an output.
[[nodiscard]] bool has_output(const Operation& operation, OutputKind kind);
/// True where an operation gives images that can be shown as maps.
[[nodiscard]] bool has_maps(const Operation& operation);

/// How a result lies to a reference: the Dice of each label or that of the foreground.
struct Score {
  std::map<std::uint16_t, double> labels;
  std::optional<double> foreground;
};

/// Of each label that either has, and of all that is labelled. Both on the same grid.
[[nodiscard]] Score score_against(const LabelMap& reference, Scored scored, const LabelMap& labels,
                                  Context& context);

/// Of labels that were painted: the Dice of those that the reference has (a background that it does
/// not know is no miss). Of others: by label where both have the same few; else their numbers tell
/// nothing of each other, and only the foreground is scored.
///
/// score: as score_against() gives it.
[[nodiscard]] Score scored(const LabelOrigin& origin, const Run& run, const Score& score,
                           const std::set<std::uint16_t>& reference_ids);

/// The labels are objects that an operation found and numbered, not labels that the user named.
[[nodiscard]] bool holds_objects(const Operation& operation, const Run& run);

/// How many ranks its labels may have (OutputSpec::ranked); 0 where they are none.
[[nodiscard]] int ranks_in(const Operation& operation, const Run& run);

/// "cpu", "cuda"; anything else leaves the choice to us.
[[nodiscard]] std::optional<Backend> backend_named(const std::string& name);

}  // namespace seedwave
