// SPDX-License-Identifier: Apache-2.0
#include "core/session/autosave.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace seedwave {
namespace {

namespace fs = std::filesystem;

fs::path lock_of(const fs::path& file) {
  return fs::path(file).replace_extension(".lock");
}

std::string iso_time(std::time_t time) {
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string time_of(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? iso_time(status.st_mtime) : std::string();
}

/// Returns whether the user has changed no label. Opacity and visibility are view settings, and
/// labels that came with the image are not the user's.
bool are_default(const std::vector<LabelEntry>& labels) {
  const auto are = [&labels](const std::vector<LabelEntry>& fresh) {
    return std::ranges::equal(labels, fresh, [](const LabelEntry& a, const LabelEntry& b) {
      return a.id == b.id && a.name == b.name && a.color == b.color;
    });
  };
  return labels.empty() || are(default_labels()) || are(default_labels_of_slide());
}

/// Removes the session, its kept versions and its label files.
void remove_session(const fs::path& file) noexcept {
  std::error_code ignored;
  const std::string stem = file.stem().string();
  std::vector<fs::path> ours;
  for (fs::directory_iterator entry(file.parent_path(), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(stem + ".json") || name.starts_with(stem + "-")) {
      ours.push_back(entry->path());
    }
  }
  for (const fs::path& one : ours)
    fs::remove(one, ignored);
}

/// Removes the lock last: without it the other files would seem to be left by a crash.
void remove_all_of(const fs::path& file) noexcept {
  remove_session(file);
  std::error_code ignored;
  fs::remove(lock_of(file), ignored);
}

/// Returns whether the program that saves there is still running.
bool is_alive(const fs::path& file) {
  try {
    return FileLock::take(lock_of(file)) == nullptr;
  } catch (const OutputError&) {
    return false;  // locks are not available here
  }
}

}  // namespace

bool holds_work(const SessionFile& session) {
  const Document& document = session.document;
  return !session.runs.empty() || !document.seeds.strokes.empty() || !document.edits.empty() ||
         !document.values.empty() || !document.inputs.empty() || !document.requested.empty() ||
         !document.reference.path.empty() || !are_default(document.labels);
}

Autosave::Autosave(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) {
    throw OutputError("cannot create the autosave folder " + folder_.string() + ": " +
                      failed.message());
  }
  // Unique by process, time and count. The lock, not the name, shows which program is running.
  const std::string stem =
      "session" + std::to_string(::getpid()) + "t" + std::to_string(std::time(nullptr));
  for (int count = 0; lock_ == nullptr; ++count) {
    file_ = folder_ / (stem + (count == 0 ? "" : "n" + std::to_string(count)) + ".json");
    lock_ = FileLock::take(lock_of(file_));
  }
}

Autosave::~Autosave() = default;

bool Autosave::save(const SessionFile& session, NewLabels labels) {
  State state = state_of(session);
  const bool lacks_labels = last_lacks_labels_ && labels == NewLabels::Written;
  if (last_ == state && !lacks_labels) return false;
  if (!holds_work(session) || elsewhere_ == work_of(state)) {
    // Work that was undone must not come back.
    if (last_) forget_saved();
    return false;
  }
  save_session(file_, session, {.last = LastVersions::NotKept, .labels = labels},
               on_disk_);  // nobody opens them by hand
  last_ = std::move(state);
  last_lacks_labels_ = labels == NewLabels::LeftOut;
  return true;
}

void Autosave::kept_elsewhere(const SessionFile& session) {
  forget_saved();
  elsewhere_ = work_of(state_of(session));
}

void Autosave::forget_saved() {
  remove_session(file_);
  on_disk_ = {};
  last_.reset();
  last_lacks_labels_ = false;
}

Autosave::State Autosave::state_of(const SessionFile& session) {
  State state{.document = session.document, .runs = {}};
  state.runs.reserve(session.runs.size());
  for (const Run& run : session.runs)
    state.runs.push_back({run.id, run.facts.digest, run.score, run.note, run.pinned});
  return state;
}

Autosave::State Autosave::work_of(State state) {
  state.document.view = {};
  state.document.current_label = 0;
  for (RunMark& run : state.runs)
    run.score = {};
  return state;
}

void Autosave::discard() noexcept {
  remove_all_of(file_);
}

std::vector<Recoverable> Autosave::recoverable() const {
  std::vector<Recoverable> list;
  std::vector<fs::path> idle;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const fs::path& file = entry->path();
    if (file.extension() != ".json" || file == file_) continue;
    if (is_alive(file)) continue;
    try {
      const SessionFile session = load_session(file);
      if (!holds_work(session)) {
        idle.push_back(file);
        continue;
      }
      list.push_back({.file = file,
                      .time = time_of(file),
                      .image = session.document.image.path,
                      .strokes = session.document.seeds.strokes.size(),
                      .runs = session.runs.size()});
    } catch (const Error&) {
      // Written atomically, so this is not ours; leave it alone and do not offer it.
    }
  }
  for (const fs::path& file : idle)
    remove_all_of(file);
  std::sort(list.begin(), list.end(),
            [](const Recoverable& a, const Recoverable& b) { return a.time > b.time; });
  return list;
}

void Autosave::forget(const Recoverable& left) const {
  remove_all_of(left.file);
}

std::filesystem::path default_autosave_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return fs::path(state) / "seedwave" / "autosave";
  }
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : "/tmp") / ".local" / "state" / "seedwave" / "autosave";
}

}  // namespace seedwave
