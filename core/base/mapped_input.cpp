// SPDX-License-Identifier: Apache-2.0
#include "core/base/mapped_input.h"

#include "core/base/error.h"
#include "core/base/mapped_pages.h"
#include "core/base/scratch_files.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace seedwave::mapped {
namespace {

/// Bytes of a call that reads ahead: the system reads no more of a larger one on some disks.
constexpr std::int64_t kFetchedAtOnce = 128 << 10;

/// Returns a size below 0 for what is not a regular file.
Version version_of(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return {-1, 0, 0};
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// A range of bytes of a file.
struct FileRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// A file that is open, and a part of it that is mapped.
class OpenInput {
 public:
  OpenInput(const std::filesystem::path& path, std::int64_t offset, std::int64_t bytes);
  ~OpenInput() {
    if (memory_ != nullptr) unmap(memory_);
  }
  OpenInput(const OpenInput&) = delete;
  OpenInput& operator=(const OpenInput&) = delete;

  /// The first byte; null if the file could not be mapped.
  [[nodiscard]] const std::byte* bytes() const {
    return memory_ == nullptr ? nullptr : memory_ + (offset_ - first_);
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_same() const { return version_of(file_->number()) == version_; }
  [[nodiscard]] const Version& version() const { return version_; }
  [[nodiscard]] const std::shared_ptr<const Descriptor>& file() const { return file_; }
  /// The part of a range of memory that lies in this file.
  [[nodiscard]] FileRange place_of(std::span<const std::byte> range) const;
  [[nodiscard]] std::int64_t size() const { return end_ - offset_; }
  void leave(const FileRange& range, bool leave_cache) const;

 private:
  std::string name_;
  std::shared_ptr<const Descriptor> file_;
  std::int64_t offset_;
  std::int64_t first_;  // of what is mapped, in the file
  std::int64_t end_;
  Version version_;
  std::byte* memory_ = nullptr;
};

OpenInput::OpenInput(const std::filesystem::path& path, std::int64_t offset, std::int64_t bytes)
    : name_(path.string()),
      file_(std::make_shared<const Descriptor>(path)),
      offset_(offset),
      first_(offset / kPageBytes * kPageBytes),
      end_(offset + bytes),
      version_(version_of(file_->number())) {
  if (version_.front() < end_) return;
  memory_ =
      static_cast<std::byte*>(map(file_->number(), first_, static_cast<std::size_t>(end_ - first_),
                                  Access::ReadOnly, name_.c_str()));
}

FileRange OpenInput::place_of(std::span<const std::byte> range) const {
  const std::byte* const begin = std::max(range.data(), bytes(), std::less<>());
  const std::byte* const last = memory_ + (end_ - first_);
  const std::byte* const end = std::min(range.data() + range.size(), last, std::less<>());
  if (!std::less<>()(begin, end)) return {};
  return {first_ + (begin - memory_), first_ + (end - memory_)};
}

void OpenInput::leave(const FileRange& range, bool leave_cache) const {
  // Only whole pages: what lies beside may be in use.
  const std::int64_t begin = (range.begin + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::int64_t end = range.end / kPageBytes * kPageBytes;
  if (begin >= end) return;
  madvise(memory_ + (begin - first_), static_cast<std::size_t>(end - begin), MADV_DONTNEED);
  if (leave_cache) posix_fadvise(file_->number(), begin, end - begin, POSIX_FADV_DONTNEED);
}

struct Expected {
  std::shared_ptr<const Descriptor> file;
  FileRange range;
};

std::atomic<std::int64_t> g_least_input{0};
std::atomic<std::int64_t> g_most_cached{0};
std::mutex g_inputs_mutex;  // guards the following
std::vector<const OpenInput*> g_inputs;
std::string g_changed;  // the name of an input that has changed, and is gone
std::deque<Expected> g_expected;
std::condition_variable_any g_more_expected;

/// Calls body(input, range) for the parts of inputs that lie in these bytes.
template <typename Body>
void for_each_part_of_input(std::span<const std::byte> bytes, Body&& body) {
  const std::lock_guard lock(g_inputs_mutex);
  for (const OpenInput* input : g_inputs) {
    const FileRange range = input->place_of(bytes);
    if (range.begin < range.end) body(*input, range);
  }
}

void end_input(const OpenInput* input) {
  const std::unique_ptr<const OpenInput> owner(input);
  const std::lock_guard lock(g_inputs_mutex);
  if (!input->is_same()) g_changed = input->name();
  std::erase(g_inputs, input);
}

/// Returns the bytes of an input, or null if it could not be mapped.
std::shared_ptr<const std::byte> begin_input(std::unique_ptr<const OpenInput> made) {
  if (made->bytes() == nullptr) return nullptr;
  {
    const std::lock_guard lock(g_inputs_mutex);
    g_inputs.push_back(made.get());
  }
  const std::shared_ptr<const OpenInput> input(made.release(), end_input);
  return {input, input->bytes()};
}

}  // namespace

void set_least_input(std::int64_t bytes) noexcept {
  g_least_input = bytes;
}

std::shared_ptr<const std::byte> map_input(const std::filesystem::path& file, std::int64_t offset,
                                           std::int64_t bytes) {
  const std::int64_t least = g_least_input;
  if (least == 0 || bytes < least) return nullptr;
  return begin_input(std::make_unique<const OpenInput>(file, offset, bytes));
}

std::optional<Place> place_of(std::span<const std::byte> bytes) {
  std::optional<Place> place;
  for_each_part_of_input(bytes, [&](const OpenInput& input, const FileRange& range) {
    if (range.end - range.begin != std::ssize(bytes)) return;
    place = {.file = std::filesystem::absolute(input.name()).string(),
             .offset = range.begin,
             .bytes = std::ssize(bytes),
             .version = input.version()};
  });
  return place;
}

std::shared_ptr<const std::byte> map_same(const Place& place) {
  if (g_least_input == 0) return nullptr;
  auto made = std::make_unique<const OpenInput>(place.file, place.offset, place.bytes);
  if (made->version() != place.version) return nullptr;
  return begin_input(std::move(made));
}

void refuse_changed_inputs() {
  refuse_lost();
  const std::lock_guard lock(g_inputs_mutex);
  std::string changed = g_changed;
  for (const OpenInput* input : g_inputs)
    if (!input->is_same()) changed = input->name();
  if (!changed.empty()) throw InputError(changed + " was changed while it was in use");
}

void forget_changed_inputs() noexcept {
  const std::lock_guard lock(g_inputs_mutex);
  g_changed.clear();
}

void expect(std::span<const std::byte> bytes) {
  for_each_part_of_input(bytes, [](const OpenInput& input, const FileRange& range) {
    g_expected.push_back({input.file(), range});
  });
  g_more_expected.notify_all();
}

void leave(std::span<const std::byte> bytes) {
  std::int64_t all = scratch::use().now;
  {
    const std::lock_guard lock(g_inputs_mutex);
    for (const OpenInput* input : g_inputs)
      all += input->size();
  }
  for_each_part_of_input(bytes, [&](const OpenInput& input, const FileRange& range) {
    input.leave(range, all > g_most_cached);
  });
}

void set_most_cached(std::int64_t bytes) noexcept {
  g_most_cached = bytes;
}

void fetch_inputs(const std::stop_token& stop) {
  std::unique_lock lock(g_inputs_mutex);
  while (g_more_expected.wait(lock, stop, [] { return !g_expected.empty(); })) {
    const Expected next = std::move(g_expected.front());
    g_expected.pop_front();
    lock.unlock();
    for (std::int64_t at = next.range.begin; at < next.range.end && !stop.stop_requested();
         at += kFetchedAtOnce) {
      const std::int64_t end = std::min(next.range.end, at + kFetchedAtOnce);
      readahead(next.file->number(), at, static_cast<std::size_t>(end - at));
    }
    lock.lock();
  }
  g_expected.clear();
}

}  // namespace seedwave::mapped
