// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/session/file_lock.h"

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave {

/// Thrown if another window has the session open.
class SessionInUse : public InputError {
 public:
  SessionInUse(const std::filesystem::path& session, const std::string& holder)
      : InputError(session.filename().string() + " is open in another window (" + holder +
                   "): close it there, or use another name"),
        holder_(holder) {}
  /// "process 1234 on WORKSTATION", or "another program".
  [[nodiscard]] const std::string& holder() const noexcept { return holder_; }

 private:
  std::string holder_;
};

/// Reserves a session for one window with a lock on ".NAME.json.lock" beside it, which states
/// process and host of its holder. Links are followed, so that two names of a session share a lock.
///
/// In a folder that cannot be written, or on a file system without locks, the object locks nothing;
/// OpenSession still notices when the file has changed.
class SessionLock {
 public:
  /// Throws SessionInUse.
  [[nodiscard]] static std::shared_ptr<SessionLock> take(const std::filesystem::path& session);

  /// The session, with all links followed.
  [[nodiscard]] const std::filesystem::path& session() const noexcept { return session_; }
  [[nodiscard]] bool is_held() const noexcept { return lock_ != nullptr; }

 private:
  explicit SessionLock(std::filesystem::path session) : session_(std::move(session)) {}

  std::filesystem::path session_;
  std::unique_ptr<FileLock> lock_;
};

/// The absolute path with all links followed: the name that locks and label files belong to.
[[nodiscard]] std::filesystem::path real_session_path(const std::filesystem::path& session);

}  // namespace seedwave
