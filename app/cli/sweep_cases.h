// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/sweep_setup.h"

namespace seedwave::cli {

/// A sweep over the cases that --cases lists: checks all of them, runs every combination on each
/// case to tune by, one case after the other, then the chosen combination on those held out; prints
/// and writes what they gave. Returns the exit code.
///
/// Throws UsageError (also where --cases and the flag of an input are both given), InputError that
/// names the list and the line, OutputError; nothing is written before all cases were found good.
[[nodiscard]] int sweep_cases(const SweepSetup& setup, TableFile& file);

}  // namespace seedwave::cli
