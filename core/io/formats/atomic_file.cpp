// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/atomic_file.h"

#include "core/base/error.h"
#include "core/io/labels.h"

#include <cerrno>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

std::string message_of(int error) {
  return std::generic_category().message(error);
}

/// Where a chain of links ends; the path itself where it does not exist yet.
fs::path follow_links(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error || real.empty() ? path : real;
}

/// Creates a new file beside `target`; the system's umask decides who may read it. Readable for us
/// too, because libtiff goes back to what it wrote.
int create_beside(const fs::path& target, fs::path& temporary) {
  std::random_device random;
  constexpr int kAttempts = 16;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    temporary =
        target.parent_path() / (".seedwave-" + std::to_string(random()) + std::to_string(random()));
    const int descriptor = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// Makes the rename itself durable. Some file systems cannot: the file is whole all the same.
void flush_folder(const fs::path& folder) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(fs::absolute(follow_links(target))) {
  struct stat existing {};
  const bool exists = ::stat(target_.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // A file that the user has protected is not replaced, although its folder would allow that.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  descriptor_ = create_beside(target_, temporary_);
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(error);
  }
  // The rights of the file that is replaced; where they cannot be kept the fresh ones are right
  // too.
  if (exists) (void)::fchmod(descriptor_, existing.st_mode & 0777U);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  flush_folder(target_.parent_path());
}

void AtomicFile::fail(int error) const {
  throw OutputError("cannot write " + target_.string() + ": " + message_of(error));
}

void write_atomically(const fs::path& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace seedwave::io
