// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"
#include "core/session/run_history.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave::ui {

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

/// Draws the seeds on the image's grid, runs, and sums up for the history.
///
/// asked: the values as the user has them, for the history; `request` holds those to be used.
/// Throws what run_operation() throws.
[[nodiscard]] RunProduct make_run(const OperationTable& table, RunRequest request,
                                  const Values& asked, const SeedSet& seeds, const LabelMap& before,
                                  Context& context);

/// Computes the maps of a run anew, with the values that it used. Throws InputError when what comes
/// out is not what the run says: the maps would be another's.
[[nodiscard]] std::vector<ScalarMap> maps_again(const OperationTable& table, const Volume& scene,
                                                const Run& run, Context& context);

/// True where an operation gives images that can be shown as maps.
[[nodiscard]] bool has_maps(const Operation& operation);

/// How a result's numbers lie to a reference's.
struct Score {
  std::map<std::uint16_t, double> labels;
  std::optional<double> foreground;
};

/// Of an operation with seeds: the Dice of the labels that were painted and that the reference has
/// (a background that the reference does not know is no miss). Of others: by label where both have
/// the same few; else their numbers tell nothing of each other, and only the foreground is scored.
///
/// dice: of each label that either has.
[[nodiscard]] Score scored(const Operation& operation, const Run& run,
                           const std::map<std::uint16_t, double>& dice,
                           std::optional<double> foreground,
                           const std::set<std::uint16_t>& reference_ids);

/// The labels are objects that an operation found and numbered, not labels that the user named.
[[nodiscard]] bool holds_objects(const Operation& operation, const Run& run);

/// "cpu", "cuda"; anything else leaves the choice to us.
[[nodiscard]] std::optional<Backend> backend_named(const std::string& name);

}  // namespace seedwave::ui
