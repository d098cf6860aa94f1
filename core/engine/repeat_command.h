// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/engine/source.h"
#include "core/image/geometry.h"
#include "core/image/seed_set.h"
#include "core/ops/operation_table.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace seedwave {

/// The command line that repeats a run of the history.
struct RepeatCommand {
  /// For a shell: a call of `seedwave-cli run`. If the run reads results of earlier runs, their
  /// calls come first, joined by "&&".
  std::string text;
  /// Strokes that must be written for it, by the path of the seeds JSON that a call reads.
  std::map<std::filesystem::path, SeedSet> seeds;
};

/// The files and folder that a command refers to.
struct CommandPlaces {
  /// The open image.
  Source image;
  Geometry grid;
  /// Folder for data without a file: strokes, and results passed from one call to the next. Strokes
  /// are named by their content, results by the call that writes them, so that a command keeps its
  /// meaning.
  std::filesystem::path folder;
};

/// Returns the command that reproduces a run's digest, on any backend. `auto` is written as the
/// number that was used. Initial values and exact algorithms are omitted.
///
/// Throws InputError if the image has no file, or if a run that is read no longer exists.
[[nodiscard]] RepeatCommand command_repeating(const OperationTable& table,
                                              const RunHistory& history, std::uint64_t run,
                                              const CommandPlaces& places);

}  // namespace seedwave
