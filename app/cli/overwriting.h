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

/// --overwrite: an output may take the place of an input.
[[nodiscard]] Flag overwrite_flag();

/// The files that these flags name: those whose value is a path.
[[nodiscard]] std::vector<NamedPath> paths_of(const Arguments& arguments,
                                              std::span<const Flag> flags);

/// Throws UsageError where an output is one of the inputs, or lies in a folder that is one: by
/// whatever path, through symbolic links, or as a hard link. For before anything is read.
void refuse_overwriting(std::span<const NamedPath> outputs, std::span<const NamedPath> inputs);

}  // namespace seedwave::cli
