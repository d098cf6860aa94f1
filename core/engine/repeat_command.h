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

/// The command line's twin of a run of the history.
struct RepeatCommand {
  /// For a shell: a call of `seedwave-cli run`, or, where the run reads what earlier ones gave,
  /// theirs before it, joined by "&&".
  std::string text;
  /// What must be written for it: strokes, by the seeds JSON that a call reads.
  std::map<std::filesystem::path, SeedSet> seeds;
};

/// Where a command finds things.
struct CommandPlaces {
  /// The open image.
  Source image;
  Geometry grid;
  /// For what is in no file: strokes, and results that pass from one call to the next. Files are
  /// named by what is in them, results by the call that makes them, so that a command goes on
  /// meaning the same.
  std::filesystem::path folder;
};

/// The command that gives a run's digest again, on any backend. `auto` stands there as the number
/// that was used; values that were left alone do not stand there, nor do algorithms that give what
/// all give.
///
/// Throws InputError when the image is in no file, or a run that is read is gone.
[[nodiscard]] RepeatCommand command_repeating(const OperationTable& table,
                                              const RunHistory& history, std::uint64_t run,
                                              const CommandPlaces& places);

}  // namespace seedwave
