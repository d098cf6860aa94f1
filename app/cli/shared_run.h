// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/process_group.h"
#include "core/ops/run.h"
#include "core/parallel/context.h"

/// A run that the processes of a group share.
namespace seedwave::cli {

/// Lets the group share the run: each process uses its share of the cores where --threads says
/// nothing, and a device of its own where --device names none and there are enough. Does nothing
/// if this process is alone.
void share_with(const ProcessGroup& group, const Arguments& arguments, const OperationTable& table,
                Context::Settings& settings);

/// Throws InputError if this process has another version, operation, value or input than the first
/// one. Collective.
void refuse_another_run(Ranks& ranks, const RunRequest& request);

}  // namespace seedwave::cli
