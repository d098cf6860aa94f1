// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/run.h"

#include <string>

namespace seedwave::cli {

/// Returns a digest of what decides the result of a run: version, operation, algorithm, values and
/// inputs.
[[nodiscard]] std::string identity_of(const RunRequest& request);

}  // namespace seedwave::cli
