// SPDX-License-Identifier: Apache-2.0
#include "app/cli/overwriting.h"

#include "core/base/error.h"

#include <system_error>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

/// Returns whether two paths name the same file. Compares device and inode, so no path or link
/// hides it.
bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

/// Returns whether a search of the folder finds the file. Like a scan, it does not follow links to
/// folders.
bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    if (is_same(file, entry->path())) return true;
  }
  return false;
}

}  // namespace

Flag overwrite_flag() {
  return {"overwrite", "", "allow an output to replace an input file"};
}

std::vector<NamedPath> paths_of(const Arguments& arguments, std::span<const Flag> flags) {
  std::vector<NamedPath> paths;
  for (const Flag& flag : flags) {
    const bool names_file = flag.value.starts_with("PATH") || flag.value.ends_with(".csv");
    if (!names_file) continue;
    if (const auto path = arguments.text(flag.name)) paths.push_back({"--" + flag.name, *path});
  }
  return paths;
}

void refuse_overwriting(std::span<const NamedPath> outputs, std::span<const NamedPath> inputs) {
  for (const NamedPath& output : outputs) {
    std::error_code error;
    if (!fs::exists(output.path, error)) continue;
    for (const NamedPath& input : inputs) {
      if (is_same(output.path, input.path)) {
        throw UsageError(output.name + " would overwrite " + output.path.string() + ", which " +
                         input.name + " names: choose another name, or allow it with --overwrite");
      }
      if (fs::is_directory(input.path, error) && lies_in(output.path, input.path)) {
        throw UsageError(output.name + " would overwrite " + output.path.string() +
                         ", a file in the folder that " + input.name +
                         " names: choose another name, or allow it with --overwrite");
      }
    }
  }
}

}  // namespace seedwave::cli
