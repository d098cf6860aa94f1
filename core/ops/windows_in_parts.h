// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/parallel/ranks.h"
#include "core/texture/nearest_class.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>

/// The windows of an image, divided by rows of windows among those who share a run. A part has the
/// rows of the image that its last windows reach, so that nobody needs features of another.
namespace seedwave {

/// Returns the number of rows of windows.
[[nodiscard]] std::int64_t row_count(const TpcfProblem& windows);

/// Receives a part: the problem of its windows, the rows of windows that these are, and the context
/// of the worker that took it.
using PartOfWindows =
    std::function<void(const TpcfProblem& part, const LayerRange& rows, Context& context)>;
/// Calls the body for the windows of this rank, part by part; see for_each_part().
void for_windows_in_parts(const TpcfProblem& windows, const PartOfWindows& body, Context& context);

/// Returns a solver that lets those who share a run classify parts by `solver`, which each worker
/// calls with its own context. Collective.
[[nodiscard]] NearestClassSolver nearest_in_parts(NearestClassSolver solver);

}  // namespace seedwave
