// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace seedwave::cli {

/// A file or folder, and how the user named it: "--out", "IN".
struct NamedPath {
  std::string name;
  std::filesystem::path path;
};

/// Returns the flag --overwrite: an output may replace an input.
[[nodiscard]] Flag overwrite_flag();

/// Returns the files that these flags name. Only flags whose value is a path count.
[[nodiscard]] std::vector<NamedPath> paths_of(const Arguments& arguments,
                                              std::span<const Flag> flags);

/// Throws UsageError if an output is one of the inputs or lies in an input folder, by any path,
/// symbolic link or hard link. Call it before anything is read.
void refuse_overwriting(std::span<const NamedPath> outputs, std::span<const NamedPath> inputs);

}  // namespace seedwave::cli
