// SPDX-License-Identifier: Apache-2.0
#include "core/session/open_session.h"

namespace seedwave {
namespace {

std::shared_ptr<SessionLock> lock_of(const std::filesystem::path& path,
                                     const std::shared_ptr<SessionLock>& held) {
  if (held != nullptr && held->session() == real_session_path(path)) return held;
  return SessionLock::take(path);
}

/// Returns whether the file exists with another digest. An unreadable file counts as different.
bool is_foreign(const std::filesystem::path& path, const std::string& digest) {
  try {
    const std::string now = session_digest(path);
    return !now.empty() && now != digest;
  } catch (const InputError&) {
    return true;
  }
}

}  // namespace

OpenSession::Read OpenSession::open(const std::filesystem::path& path,
                                    const std::shared_ptr<SessionLock>& held) {
  const std::shared_ptr<OpenSession> file(new OpenSession(lock_of(path, held)));
  return {.session = load_session(file->path(), &file->on_disk_), .file = file};
}

std::shared_ptr<OpenSession> OpenSession::create(const std::filesystem::path& path,
                                                 const std::shared_ptr<SessionLock>& held) {
  std::shared_ptr<OpenSession> file(new OpenSession(lock_of(path, held)));
  try {
    file->on_disk_.digest = session_digest(file->path());
  } catch (const InputError&) {
    // Saving then reports a changed file.
  }
  return file;
}

void OpenSession::save(const SessionFile& session, ForeignFile foreign) {
  if (foreign == ForeignFile::Refused && is_foreign(path(), on_disk_.digest)) {
    throw SessionChanged(path());
  }
  save_session(path(), session, {}, on_disk_);
}

}  // namespace seedwave
