// SPDX-License-Identifier: Apache-2.0
#include "core/session/autosave.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
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

/// An open, locked file descriptor, or -1 when somebody else holds the lock.
int take_lock(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
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

/// Opacity and what is hidden are looks, and the image's own labels are none of the user's.
bool are_default(const std::vector<LabelEntry>& labels) {
  const std::vector<LabelEntry> fresh = default_labels();
  return labels.empty() ||
         std::equal(labels.begin(), labels.end(), fresh.begin(), fresh.end(),
                    [](const LabelEntry& a, const LabelEntry& b) {
                      return a.id == b.id && a.name == b.name && a.color == b.color;
                    });
}

/// The session, the versions that saving kept, and its label files.
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

/// The lock last: without it the others would look like what a crash left.
void remove_all_of(const fs::path& file) noexcept {
  remove_session(file);
  std::error_code ignored;
  fs::remove(lock_of(file), ignored);
}

}  // namespace

bool holds_work(const SessionFile& session) {
  const Document& document = session.document;
  return !session.runs.empty() || !document.seeds.strokes.empty() || !document.values.empty() ||
         !document.inputs.empty() || !document.requested.empty() ||
         !document.reference.path.empty() || !are_default(document.labels);
}

Autosave::Autosave(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) {
    throw OutputError("the folder for automatic saving, " + folder_.string() +
                      ", cannot be made: " + failed.message());
  }
  // Unique by process and time; the lock tells the living from the dead, not the name.
  file_ = folder_ / ("session" + std::to_string(::getpid()) + "t" +
                     std::to_string(std::time(nullptr)) + ".json");
  lock_ = take_lock(lock_of(file_));
  if (lock_ < 0) {
    throw OutputError("the folder for automatic saving, " + folder_.string() +
                      ", cannot be written: " + std::strerror(errno));
  }
}

Autosave::~Autosave() {
  if (lock_ >= 0) ::close(lock_);
}

bool Autosave::save(const SessionFile& session) {
  std::vector<RunMark> marks = marks_of(session.runs);
  if (last_ == session.document && last_runs_ == marks) return false;
  if (!holds_work(session) && !fs::exists(file_)) return false;
  save_session(file_, session, LastVersions::NotKept);  // nobody opens them by hand
  remember(session, std::move(marks));
  return true;
}

void Autosave::kept_elsewhere(const SessionFile& session) {
  remove_session(file_);
  remember(session, marks_of(session.runs));
}

void Autosave::remember(const SessionFile& session, std::vector<RunMark> marks) {
  last_ = session.document;
  last_runs_ = std::move(marks);
}

std::vector<Autosave::RunMark> Autosave::marks_of(const std::vector<Run>& runs) {
  std::vector<RunMark> marks;
  marks.reserve(runs.size());
  for (const Run& run : runs)
    marks.push_back({run.id, run.digest, run.dice, run.foreground_dice, run.note, run.pinned});
  return marks;
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
    const int lock = take_lock(lock_of(file));
    if (lock < 0) continue;  // its program is alive
    ::close(lock);
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
