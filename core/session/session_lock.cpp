// SPDX-License-Identifier: Apache-2.0
#include "core/session/session_lock.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace seedwave {
namespace {

namespace fs = std::filesystem;

fs::path lock_path(const fs::path& session) {
  return session.parent_path() / ("." + session.filename().string() + ".lock");
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this computer";
}

/// Reads the holder's "PROCESS HOST".
std::string holder_in(const fs::path& lock) {
  std::ifstream file(lock);
  std::int64_t process = 0;
  std::string host;
  if (!(file >> process >> host)) return "another program";
  return "process " + std::to_string(process) + " on " + host.substr(0, 256);
}

}  // namespace

fs::path real_session_path(const fs::path& session) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(session), failed);
  return failed || real.empty() ? session : real;
}

std::shared_ptr<SessionLock> SessionLock::take(const fs::path& session) {
  std::shared_ptr<SessionLock> lock(new SessionLock(real_session_path(session)));
  const fs::path path = lock_path(lock->session());
  try {
    lock->lock_ = FileLock::take(path, std::to_string(::getpid()) + " " + host_name() + "\n");
  } catch (const OutputError&) {
    return lock;  // locks are not available here
  }
  if (!lock->is_held()) throw SessionInUse(lock->session(), holder_in(path));
  return lock;
}

}  // namespace seedwave
