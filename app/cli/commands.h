// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/program.h"

/// The commands. Each parses its words, does its work, prints, and returns the exit code. Errors
/// are thrown.
namespace seedwave::cli {

[[nodiscard]] int run_command(const Call& call);
[[nodiscard]] int sweep_command(const Call& call);
[[nodiscard]] int apply_command(const Call& call);
[[nodiscard]] int verify_command(const Call& call);
[[nodiscard]] int compare_command(const Call& call);
[[nodiscard]] int stains_command(const Call& call);
[[nodiscard]] int info_command(const Call& call);
[[nodiscard]] int convert_command(const Call& call);
[[nodiscard]] int bench_command(const Call& call);
[[nodiscard]] int bench_accuracy_command(const Call& call);
[[nodiscard]] int bench_slide_command(const Call& call);
[[nodiscard]] int ops_command(const Call& call);
[[nodiscard]] int devices_command(const Call& call);

}  // namespace seedwave::cli
