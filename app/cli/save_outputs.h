// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/formats/output_set.h"
#include "core/ops/run.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Where a run's outputs go.
struct OutputPaths {
  /// By the output's id.
  std::map<std::string, std::vector<std::filesystem::path>> files;
  std::filesystem::path picture;
};

/// Reads --out, --out-NAME and --picture. Throws OutputError before anything is read where a folder
/// is missing or nothing is known of a suffix, UsageError where two outputs name one file.
[[nodiscard]] OutputPaths output_paths(const Arguments& arguments, const Operation& operation);

/// Before the run, not after: throws OutputError where a suffix cannot hold what this image gives,
/// UsageError where it does not give that output.
void check_outputs_fit(const OutputPaths& paths, const Operation& operation,
                       const Geometry& geometry);

/// Throws OutputError when nothing can be written there: no such folder, a folder of that name.
void check_writable(const std::filesystem::path& path);

/// Writes the output files that were asked for into a set that is still to be committed. Throws
/// OutputError.
void save_outputs(io::OutputSet& outputs, const RunReport& report, const OutputPaths& paths);

}  // namespace seedwave::cli
