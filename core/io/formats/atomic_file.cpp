// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/atomic_file.h"

#include "core/base/error.h"
#include "core/base/scratch_files.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".seedwave-";
constexpr int kAttempts = 16;

std::string message_of(int error) {
  return std::generic_category().message(error);
}

/// Returns the end of a chain of links, or the path itself if it does not exist yet.
fs::path follow_links(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error || real.empty() ? path : real;
}

fs::path temporary_name_beside(const fs::path& target) {
  std::random_device random;
  return target.parent_path() /
         (std::string(kPrefix) + std::to_string(random()) + std::to_string(random()));
}

bool is_temporary_name(const std::string& name) {
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

/// Returns the name of an open file for linkat(), which needs no privilege.
std::string name_of_descriptor(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// Returns false if another program holds the lock. A file system without locks counts as locked:
/// its temporaries are then never taken for stale ones.
bool try_lock(int descriptor) noexcept {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

/// Returns whether link() failed because the file system has no hard links. A file of another user
/// counts as such, since the system may forbid linking it.
bool has_no_hard_links(int error) {
  return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK ||
         error == EACCES;
}

/// Returns what must be equal of two files for one to get a name beside the other; false if the
/// system cannot tell.
bool read_place(int descriptor, struct statx& status) {
  return ::statx(descriptor, "", AT_EMPTY_PATH, STATX_MNT_ID | STATX_BASIC_STATS, &status) == 0 &&
         (status.stx_mask & STATX_MNT_ID) != 0;
}

/// Returns whether a file has permissions beside its mode.
bool has_access_list(int descriptor) {
  return ::fgetxattr(descriptor, "system.posix_acl_access", nullptr, 0) >= 0;
}

/// Removes a temporary file whose program is gone. The lock is held until it is removed, so that a
/// program that creates it at this moment notices (AtomicFile::create_named).
void remove_if_stale(const fs::path& file, std::chrono::seconds age) noexcept {
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  // Some file systems lock only files that are open for writing, and some files are
  // write-protected.
  int descriptor = ::open(file.c_str(), O_RDWR | kFlags);
  if (descriptor < 0) descriptor = ::open(file.c_str(), O_RDONLY | kFlags);
  if (descriptor < 0) return;
  struct stat status {};
  // The clock of std::time() ticks later than that of file times in recent versions of Linux.
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  // Uses the time of change: a second name of an old file keeps the time of its bytes.
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_uid == ::geteuid() && now - status.st_ctime >= age.count() &&
      try_lock(descriptor)) {
    ::unlink(file.c_str());
  }
  ::close(descriptor);
}

}  // namespace

void flush_folder(const fs::path& folder) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void remove_stale_temporaries(const fs::path& folder, std::chrono::seconds age) noexcept {
  try {
    std::error_code ignored;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      if (is_temporary_name(entry->path().filename().string())) found.push_back(entry->path());
    }
    for (const fs::path& file : found)
      remove_if_stale(file, age);
  } catch (const std::exception&) {
    // The next save tries again.
  }
}

AtomicFile::AtomicFile(const fs::path& target) : target_(fs::absolute(follow_links(target))) {
  struct stat existing {};
  const bool exists = ::stat(target_.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) {
    direct_ = true;
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // A file that the user has write-protected is not replaced, although its folder would allow that.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  create();
  // Keeps the permissions of the replaced file; if that fails, the default ones are acceptable.
  if (exists) (void)::fchmod(descriptor_, existing.st_mode & 0777U);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (!old_.empty()) ::unlink(old_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
  if (old_descriptor_ >= 0) ::close(old_descriptor_);
}

void AtomicFile::create() {
  // The umask decides who may read it. The program itself must read it: libtiff reads what it
  // wrote.
  if (!create_unnamed()) create_named();
}

bool AtomicFile::create_unnamed() {
  const fs::path folder = target_.parent_path();
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return false;
  // Without /proc the file cannot be named later.
  if (::access(name_of_descriptor(descriptor_).c_str(), F_OK) == 0) {
    (void)try_lock(descriptor_);  // in case it gets a temporary name
    return true;
  }
  ::close(descriptor_);
  descriptor_ = -1;
  return false;
}

void AtomicFile::create_named() {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    temporary_ = temporary_name_beside(target_);
    descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) break;
    (void)::flock(descriptor_, LOCK_EX);
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || status.st_nlink > 0) return;
    // Another program took it for a stale file before it was locked.
    ::close(descriptor_);
    descriptor_ = -1;
    errno = EAGAIN;
  }
  const int error = errno;
  temporary_.clear();
  fail(error);
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

bool AtomicFile::can_become(int other) const {
  struct statx own {};
  struct statx others {};
  // A file that lost its name can get no other.
  return !direct_ && temporary_.empty() && other >= 0 &&
         (::fcntl(other, F_GETFL) & O_TMPFILE) == O_TMPFILE && read_place(descriptor_, own) &&
         read_place(other, others) && own.stx_mnt_id == others.stx_mnt_id &&
         own.stx_dev_major == others.stx_dev_major && own.stx_dev_minor == others.stx_dev_minor &&
         own.stx_gid == others.stx_gid && !has_access_list(descriptor_) && !has_access_list(other);
}

std::optional<fs::path> AtomicFile::linked_beside(int descriptor) const {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    fs::path name = temporary_name_beside(target_);
    if (::linkat(AT_FDCWD, name_of_descriptor(descriptor).c_str(), AT_FDCWD, name.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      return name;
    }
    if (errno != EEXIST) break;
  }
  return {};
}

bool AtomicFile::take_over(std::string_view front, std::span<const std::byte> array) {
  const int other = scratch::file_of(array.data());
  struct stat own {};
  if (!can_become(other) || ::fstat(descriptor_, &own) != 0 ||
      ::fchmod(other, own.st_mode & 0777U) != 0) {
    return false;
  }
  require(static_cast<std::int64_t>(front.size()) == scratch::kRoomBefore);
  (void)try_lock(other);  // so that nobody takes its temporary name for a stale one's
  // Quotas and encryption can forbid a name in this folder. Here it is not too late to copy.
  std::optional<fs::path> name = linked_beside(other);
  if (!name) return false;
  temporary_ = std::move(*name);
  if (::pwrite(other, front.data(), front.size(), 0) != std::ssize(front) ||
      ::ftruncate(other, scratch::kRoomBefore + std::ssize(array)) != 0) {
    ::unlink(temporary_.c_str());
    temporary_.clear();
    return false;
  }
  ::close(descriptor_);
  descriptor_ = scratch::hand_over(array.data());
  return true;
}

void AtomicFile::stage() {
  if (!direct_) {
    // The descriptor stays open: it holds the lock and, for a file without a name, the file itself.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
    return;
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
}

void AtomicFile::keep_old(OldFile how) {
  if (direct_) return;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const fs::path name = temporary_name_beside(target_);
    if (::link(target_.c_str(), name.c_str()) == 0) {
      old_ = name;
      break;
    }
    if (errno == ENOENT) return;
    if (errno == EEXIST) continue;
    if (!has_no_hard_links(errno)) fail(errno);
    if (how == OldFile::Linked) return;
    std::error_code failed;
    fs::copy_file(target_, name, failed);
    old_ = name;  // an incomplete copy is removed too
    if (failed) fail(failed.value());
    break;
  }
  if (old_.empty()) fail(EEXIST);
  old_descriptor_ = ::open(old_.c_str(), O_RDONLY | O_CLOEXEC);
  if (old_descriptor_ >= 0) (void)::flock(old_descriptor_, LOCK_SH | LOCK_NB);
}

bool AtomicFile::keep_old_as(const fs::path& name) noexcept {
  if (old_.empty() || ::rename(old_.c_str(), name.c_str()) != 0) return false;
  old_.clear();
  return true;
}

void AtomicFile::give_temporary_name() {
  const std::optional<fs::path> name = linked_beside(descriptor_);
  if (!name) fail(errno);
  temporary_ = *name;
}

void AtomicFile::publish() {
  if (direct_) return;
  replaced_ = ::access(target_.c_str(), F_OK) == 0;
  if (temporary_.empty()) {
    // A link cannot replace a file: if the target exists, the file needs a name that can be
    // renamed.
    if (::linkat(AT_FDCWD, name_of_descriptor(descriptor_).c_str(), AT_FDCWD, target_.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      return;
    }
    if (errno != EEXIST) fail(errno);
    give_temporary_name();
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void AtomicFile::withdraw() noexcept {
  if (direct_) return;
  if (!old_.empty()) {
    if (::rename(old_.c_str(), target_.c_str()) == 0) old_.clear();
  } else if (!replaced_) {
    ::unlink(target_.c_str());
  }
}

void AtomicFile::commit() {
  stage();
  publish();
  if (!direct_) flush_folder(target_.parent_path());
}

void AtomicFile::fail(int error) const {
  throw OutputError("cannot write " + target_.string() + ": " + message_of(error));
}

}  // namespace seedwave::io
