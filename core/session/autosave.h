// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/file_lock.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
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

  /// Saves when the session differs from what was saved last; true when it wrote. Nothing is kept
  /// of a session that holds no work, or whose work the user's own file holds.
  ///
  /// labels: LeftOut writes the JSON file alone, which takes milliseconds.
  bool save(const SessionFile& session, NewLabels labels = NewLabels::Written);
  /// The user's own file holds `session` now, because it was saved there or has just been opened:
  /// a crash loses nothing of it, so the copy here is removed. How a session is looked at is no
  /// work.
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
  struct State {
    Document document;
    std::vector<RunMark> runs;
    friend bool operator==(const State&, const State&) = default;
  };
  static State state_of(const SessionFile& session);
  void forget_saved();
  /// A state without what is no work: how the picture looks, and figures that can be computed.
  static State work_of(State state);

  std::filesystem::path folder_;
  std::filesystem::path file_;
  std::unique_ptr<FileLock> lock_;
  SessionOnDisk on_disk_;
  /// The state that was saved last; nothing if there is no file.
  std::optional<State> last_;
  /// The last save left out labels that are in no file.
  bool last_lacks_labels_ = false;
  /// The work in the user's own file.
  std::optional<State> elsewhere_;
};

/// $XDG_STATE_HOME/seedwave/autosave, or ~/.local/state/seedwave/autosave.
[[nodiscard]] std::filesystem::path default_autosave_folder();

}  // namespace seedwave
