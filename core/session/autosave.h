// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// A session that a program left behind without closing it.
struct Recoverable {
  std::filesystem::path file;
  std::string time;  // ISO 8601, UTC: when it was saved
  std::filesystem::path image;
  std::size_t strokes = 0;
  std::size_t runs = 0;
};

/// Whether a session has anything in it that somebody made or chose for its image: an image that
/// was only looked at is opened again as it was.
[[nodiscard]] bool holds_work(const SessionFile& session);

/// Keeps a copy of the session where a crash does not reach it, never over the user's own file.
///
/// Each running program has one file in `folder`, held with a lock as long as it lives. A file
/// whose lock nobody holds was left by a crash: the next start offers it.
class Autosave {
 public:
  /// Creates the folder when it is missing. Throws OutputError.
  explicit Autosave(std::filesystem::path folder);
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Saves when the session differs from what was saved last; true when it wrote. One that holds no
  /// work is only written over one that did.
  bool save(const SessionFile& session);
  /// The user's own file holds `session` now: a crash before the next save() loses nothing, so
  /// what stands here goes.
  void kept_elsewhere(const SessionFile& session);
  /// A clean end: removes this program's file.
  void discard() noexcept;
  /// Where this program saves: what is kept beside it under a name that begins with its stem and
  /// "-" goes with it.
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// What crashed programs left, newest first. Files that hold no work go, and are not told.
  [[nodiscard]] std::vector<Recoverable> recoverable() const;
  /// Removes one of them with its label files.
  void forget(const Recoverable& left) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path file_;
  int lock_ = -1;
  /// What of a run can change, or tells it from another.
  struct RunMark {
    std::uint64_t id = 0;
    std::string digest;
    std::map<std::uint16_t, double> dice;
    std::optional<double> foreground_dice;
    std::string note;
    bool pinned = false;
    friend bool operator==(const RunMark&, const RunMark&) = default;
  };
  static std::vector<RunMark> marks_of(const std::vector<Run>& runs);
  void remember(const SessionFile& session, std::vector<RunMark> marks);

  std::optional<Document> last_;
  std::vector<RunMark> last_runs_;
};

/// $XDG_STATE_HOME/seedwave/autosave, or ~/.local/state/seedwave/autosave.
[[nodiscard]] std::filesystem::path default_autosave_folder();

}  // namespace seedwave
