// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/repeat_command.h"

#include <optional>

namespace seedwave {

/// Returns the command that reproduces the digest of a chain of steps as one call of `apply`, with
/// a recipe that holds the values that they used. Returns nothing where that does not hold all that
/// the steps read: a single step, edits by hand, a file other than the image, strokes that differ
/// from step to step, one of several series, a part or a level of a slide, an approximate
/// algorithm.
///
/// Throws InputError if the image has no file, or if a step that is read is lost.
[[nodiscard]] std::optional<RepeatCommand> chain_command(const OperationTable& table,
                                                         const Step& step,
                                                         const CommandPlaces& places);

/// Returns the command that reproduces a step's digest: chain_command(), else command_repeating().
[[nodiscard]] RepeatCommand shortest_command(const OperationTable& table, const Step& step,
                                             const CommandPlaces& places);

}  // namespace seedwave
