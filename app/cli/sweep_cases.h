// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/sweep_setup.h"

namespace seedwave::cli {

/// Runs a sweep over the cases that --cases lists. Checks all of them, then runs every combination
/// on each tuning case, one case after the other, and the chosen combination on the held-out cases.
/// Prints and writes the results, and returns the exit code.
///
/// Throws UsageError (also if --cases and the flag of an input are both given), InputError that
/// names the list and the line, OutputError. Nothing is written until all cases have passed the
/// check.
[[nodiscard]] int sweep_cases(const SweepSetup& setup, TableFile& file);

}  // namespace seedwave::cli
