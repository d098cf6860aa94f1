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

/// A session left behind by a program that did not close it.
struct Recoverable {
  std::filesystem::path file;
  std::string time;  // ISO 8601, UTC: when it was saved
  std::filesystem::path image;
  std::size_t strokes = 0;
  std::size_t runs = 0;
};

/// Returns whether a session holds anything that the user made or chose for its image. An image
/// that was only viewed can simply be opened again.
[[nodiscard]] bool holds_work(const SessionFile& session);

/// Keeps a copy of the session that survives a crash, never over the user's own file.
///
/// Each running program has one file in `folder` and holds its lock until it ends. A file whose
/// lock nobody holds was left by a crash: the next start offers it.
class Autosave {
 public:
  /// Creates the folder if it is missing. Throws OutputError.
  explicit Autosave(std::filesystem::path folder);
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Saves if the session differs from the last save. Returns whether it wrote. Keeps nothing of a
  /// session without work, or whose work is in the user's own file.
  ///
  /// labels: LeftOut writes only the JSON file, which takes milliseconds.
  bool save(const SessionFile& session, NewLabels labels = NewLabels::Written);
  /// Records that the user's own file holds `session`, because it was saved there or has just been
  /// opened. The copy here is removed, because a crash would lose nothing. View settings are not
  /// work.
  void kept_elsewhere(const SessionFile& session);
  /// Removes this program's file after a normal end.
  void discard() noexcept;
  /// The file that this program saves to. Files beside it whose names begin with its stem and "-"
  /// are removed with it.
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// Returns the sessions that crashed programs left, newest first. Files without work are removed
  /// and not returned.
  [[nodiscard]] std::vector<Recoverable> recoverable() const;
  /// Removes such a session with its label files.
  void forget(const Recoverable& left) const;

 private:
  /// The properties of a run that can change or that identify it.
  struct RunMark {
    std::uint64_t id = 0;
    std::string digest;
    Score score;
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
  /// Returns a state without view settings and figures that can be recomputed, which are not work.
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
