// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/checkpoint_folder.h"
#include "core/ops/run.h"

#include <memory>
#include <vector>

namespace seedwave::cli {

/// --checkpoint and --every.
[[nodiscard]] std::vector<Flag> checkpoint_flags();

/// Returns the folder of --checkpoint for this run; null without the flag. Throws UsageError, and
/// the errors of CheckpointFolder.
[[nodiscard]] std::shared_ptr<io::CheckpointFolder> checkpoint_of(const Arguments& arguments,
                                                                  const RunRequest& request);

}  // namespace seedwave::cli
