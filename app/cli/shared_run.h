// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/memory_plan.h"
#include "app/process_group.h"
#include "core/ops/run.h"
#include "core/parallel/context.h"

#include <vector>

/// A run that the processes of a group share. The first one reads the inputs, gives them to the
/// others, and has the result in the end.
namespace seedwave::cli {

/// Lets the group share the run: each process uses its share of the cores where --threads says
/// nothing, and a device of its own where --device names none and there are enough. Does nothing
/// if this process is alone.
void share_with(const ProcessGroup& group, const Arguments& arguments, const OperationTable& table,
                Context::Settings& settings);

/// Throws InputError if this process has another version, operation, value, input or output than
/// the first one. No inputs have been read into the request yet: `inputs` are the flags that name
/// them. Collective.
void refuse_another_run(Ranks& ranks, const RunRequest& request, const Arguments& arguments,
                        const std::vector<Flag>& inputs);

/// Gives the size of the first process's image to all. Collective.
void share_size(Ranks& ranks, ImageSize& image);
/// Gives the first process's inputs to all, apart from the edits, which only it needs. Collective.
void share_inputs(Ranks& ranks, Inputs& inputs);

}  // namespace seedwave::cli
