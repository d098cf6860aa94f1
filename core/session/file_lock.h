// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave {

/// An advisory lock (flock) on a file of its own. The system releases it when the process ends,
/// however that ends; the file that is left then is taken over by the next lock.
class FileLock {
 public:
  /// Creates `path` and locks it; `content` tells others who holds it. Null where another program,
  /// or another lock of this one, holds it. Throws OutputError where the file cannot be created or
  /// the file system has no locks.
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
