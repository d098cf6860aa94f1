// SPDX-License-Identifier: Apache-2.0
#include "tests/support/failing_calls.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace seedwave::test {
namespace {

std::atomic<int> g_call{static_cast<int>(FailingCall::None)};
std::atomic<int> g_at{0};
std::atomic<int> g_error{EIO};
std::atomic<int> g_counted{0};
std::atomic<int> g_all{0};
std::atomic<int> g_kill_at{0};
std::atomic<bool> g_no_unnamed{false};

int number_in(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

/// Returns true if this call must fail; errno then has the reason.
bool is_due(FailingCall call) {
  if (++g_all == g_kill_at) ::kill(::getpid(), SIGKILL);
  if (static_cast<int>(call) != g_call) return false;
  if (++g_counted != g_at) return false;
  errno = g_error;
  return true;
}

/// Returns whether the descriptor is a regular file open for writing, not the terminal or a pipe.
bool is_written_file(int descriptor) {
  struct stat status {};
  return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

/// Applies the settings of LD_PRELOAD's environment before main().
struct FromEnvironment {
  FromEnvironment() {
    const char* call = std::getenv("SEEDWAVE_FAILING_CALL");
    const auto is = [call](const char* name) {
      return call != nullptr && std::strcmp(call, name) == 0;
    };
    if (is("write")) g_call = static_cast<int>(FailingCall::Write);
    if (is("fsync")) g_call = static_cast<int>(FailingCall::Flush);
    if (is("rename")) g_call = static_cast<int>(FailingCall::Rename);
    if (is("link")) g_call = static_cast<int>(FailingCall::Link);
    g_no_unnamed = std::getenv("SEEDWAVE_NO_UNNAMED_FILES") != nullptr;
    g_at = number_in("SEEDWAVE_FAILING_AT");
    g_kill_at = number_in("SEEDWAVE_KILLING_AT");
  }
};
const FromEnvironment g_from_environment;

}  // namespace

void fail_call(FailingCall call, int n, int error) {
  g_call = static_cast<int>(call);
  g_at = n;
  g_error = error;
  g_counted = 0;
}

int calls_counted() {
  return g_counted;
}

void kill_at_call(int n) {
  g_all = 0;
  g_kill_at = n;
}

void allow_unnamed_files(bool allowed) {
  g_no_unnamed = !allowed;
}

}  // namespace seedwave::test

using seedwave::test::FailingCall;
using seedwave::test::is_due;
using seedwave::test::is_written_file;

// The C library's names; each calls the system unless it must fail.
extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  if (is_written_file(descriptor) && is_due(FailingCall::Write)) return -1;
  return ::syscall(SYS_write, descriptor, bytes, count);
}

int fsync(int descriptor) {
  if (is_written_file(descriptor) && is_due(FailingCall::Flush)) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(const char* from, const char* to) noexcept {
  if (is_due(FailingCall::Rename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int link(const char* from, const char* to) noexcept {
  if (is_due(FailingCall::Link)) return -1;
  return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (is_due(FailingCall::Link)) return -1;
  return static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if ((flags & O_TMPFILE) == O_TMPFILE && seedwave::test::g_no_unnamed) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

}  // extern "C"
