// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave {

/// An advisory lock (flock) on a separate file. The system releases it when the process ends, even
/// by a crash. The next lock then takes over the file that is left.
class FileLock {
 public:
  /// Creates `path` and locks it; `content` tells others who holds it. Returns null if another
  /// program, or another lock of this one, holds it. Throws OutputError if the file cannot be
  /// created or the file system has no locks.
  [[nodiscard]] static std::unique_ptr<FileLock> take(const std::filesystem::path& path,
                                                      const std::string& content = {});
  /// Removes the file and releases the lock.
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  FileLock(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace seedwave
