// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/ranks.h"
#include "core/texture/tpcf.h"

namespace seedwave {

/// Returns the number of rows of windows.
[[nodiscard]] std::int64_t row_count(const TpcfProblem& problem);
/// Returns a problem whose windows are those rows of windows: as many rows of the image and those
/// that the last ones reach, so that ranks need no features of each other.
[[nodiscard]] TpcfProblem rows_of(const TpcfProblem& problem, const LayerRange& rows);

}  // namespace seedwave
