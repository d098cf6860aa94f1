// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/image/geometry.h"
#include "core/metrics/scored.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

namespace seedwave::cli {

/// Returns the operation's parameters as flags.
[[nodiscard]] FlagGroup parameter_flags(const Operation& operation);
/// Returns the flags --algorithm, --backend, --device, --threads, --memory.
[[nodiscard]] FlagGroup how_flags(const Operation& operation);

/// Returns the values that the flags set. Throws UsageError that names the flag and its range.
[[nodiscard]] Values values_of(const Arguments& arguments, const Operation& operation);
/// Throws UsageError that names a flag whose value is not available on such a grid.
void check_flag_values(const Operation& operation, const Values& values, const Geometry& geometry);

/// Returns --algorithm and --backend. Throws UsageError.
[[nodiscard]] ImplementationRequest how_of(const Arguments& arguments);
/// Returns --where-labelled, for commands that compare with a reference.
[[nodiscard]] Scored scored_of(const Arguments& arguments);
/// Returns --device, --threads and --memory. Throws UsageError.
[[nodiscard]] Context::Settings settings_of(const Arguments& arguments);

/// --devices, and the choice of backend, device and workers by it. Throws UsageError,
/// UnavailableError.
[[nodiscard]] Flag devices_flag();
void choose_devices(const Arguments& arguments, const OperationTable& table,
                    ImplementationRequest& how, Context::Settings& settings);

}  // namespace seedwave::cli
