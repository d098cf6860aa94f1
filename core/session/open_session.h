// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/session/session_file.h"
#include "core/session/session_lock.h"

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave {

/// Thrown if another program has changed a session file since it was opened. Nothing was written.
class SessionChanged : public OutputError {
 public:
  explicit SessionChanged(const std::filesystem::path& session)
      : OutputError(session.filename().string() +
                    " was changed by another program since it was opened here: save under another "
                    "name, or overwrite it") {}
};

/// Treatment of a file that has changed since it was last read or written.
enum class ForeignFile { Refused, Overwritten };

/// A session file that is open in a window. It holds the lock, and knows what was last read from or
/// written to the file. For one thread at a time.
class OpenSession {
 public:
  struct Read;

  /// Locks and reads a session. `held`: the lock that this window already has, reused if it belongs
  /// to the same session. Throws SessionInUse, InputError.
  [[nodiscard]] static Read open(const std::filesystem::path& path,
                                 const std::shared_ptr<SessionLock>& held);
  /// Locks a session that is to be written for the first time. An existing file counts as known,
  /// because the user has agreed to replace it. Throws SessionInUse.
  [[nodiscard]] static std::shared_ptr<OpenSession> create(
      const std::filesystem::path& path, const std::shared_ptr<SessionLock>& held);

  /// Writes the session and keeps the last versions, as save_session() does. Throws SessionChanged
  /// if the file has changed and `foreign` is Refused. A missing file is written again.
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
