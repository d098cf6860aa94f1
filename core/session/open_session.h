// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/session/session_file.h"
#include "core/session/session_lock.h"

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave {

/// Another program has changed a session file since it was opened: nothing was written.
class SessionChanged : public OutputError {
 public:
  explicit SessionChanged(const std::filesystem::path& session)
      : OutputError(session.filename().string() +
                    " was changed by another program since it was opened here: save under another "
                    "name, or overwrite it") {}
};

/// The treatment of a file that is not the one that was read or written last.
enum class ForeignFile { Refused, Overwritten };

/// A session file that a window works on: holds its lock, and knows what was read from it or
/// written to it last. One thread at a time.
class OpenSession {
 public:
  struct Read;

  /// Locks and reads. `held`: the lock that this window has already; used where it is that of the
  /// same session. Throws SessionInUse, InputError.
  [[nodiscard]] static Read open(const std::filesystem::path& path,
                                 const std::shared_ptr<SessionLock>& held);
  /// Locks a session that is to be written for the first time. What stands there counts as known:
  /// the user has agreed to replace it. Throws SessionInUse.
  [[nodiscard]] static std::shared_ptr<OpenSession> create(
      const std::filesystem::path& path, const std::shared_ptr<SessionLock>& held);

  /// Writes with the last versions kept, as save_session(). Throws SessionChanged where the file is
  /// another one and `foreign` is Refused; a file that is gone is written again.
  void save(const SessionFile& session, ForeignFile foreign = ForeignFile::Refused);

  [[nodiscard]] const std::shared_ptr<SessionLock>& lock() const noexcept { return lock_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return lock_->session(); }

 private:
  explicit OpenSession(std::shared_ptr<SessionLock> lock) : lock_(std::move(lock)) {}

  std::shared_ptr<SessionLock> lock_;
  SessionOnDisk on_disk_;
};

struct OpenSession::Read {
  SessionFile session;
  std::shared_ptr<OpenSession> file;
};

}  // namespace seedwave
