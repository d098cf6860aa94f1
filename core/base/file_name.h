// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seedwave {

/// Returns the path without a final ".gz": "a/b.nii.gz" becomes "a/b.nii".
[[nodiscard]] inline std::filesystem::path without_gz(std::filesystem::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  return file;
}

}  // namespace seedwave
