// SPDX-License-Identifier: Apache-2.0
#include "core/session/file_lock.h"

#include "core/base/error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace seedwave {
namespace {

constexpr int kAttempts = 16;

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw OutputError("cannot lock " + path.string() + ": " + std::generic_category().message(error));
}

/// Another user's lock file may be read-only.
int open_or_create(const std::filesystem::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | kFlags, 0666);
  if (descriptor >= 0 || errno != EACCES) return descriptor;
  return ::open(path.c_str(), O_RDONLY | kFlags);
}

/// Returns false if the name was removed or given to another file since it was opened.
bool is_still_named(const std::filesystem::path& path, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace

std::unique_ptr<FileLock> FileLock::take(const std::filesystem::path& path,
                                         const std::string& content) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int descriptor = open_or_create(path);
    if (descriptor < 0) fail(path, errno);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      ::close(descriptor);
      if (error == EWOULDBLOCK) return nullptr;
      fail(path, error);
    }
    // The previous holder may have removed the file between the two calls.
    if (is_still_named(path, descriptor)) {
      // If this fails, others see that the file is locked, but not by whom.
      if (::ftruncate(descriptor, 0) == 0 && !content.empty()) {
        [[maybe_unused]] const auto written =
            ::pwrite(descriptor, content.data(), content.size(), 0);
      }
      return std::unique_ptr<FileLock>(new FileLock(path, descriptor));
    }
    ::close(descriptor);
  }
  fail(path, EAGAIN);
}

FileLock::~FileLock() {
  // The file is removed before the lock is released, so that nobody else can hold it.
  if (is_still_named(path_, descriptor_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace seedwave
