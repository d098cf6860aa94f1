// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_files.h"

#include "core/base/large_memory.h"
#include "core/base/unnamed_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace seedwave {
namespace scratch {
namespace {

constexpr std::size_t kMostArrays = 4096;
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kPage = 4096;

struct Mapping {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

// Fixed sizes and constant initialization: they serve the first constructors of the program too.
std::mutex g_mutex;  // guards all of the following but g_count
std::array<Mapping, kMostArrays> g_mappings{};
char g_folder[kLongestPath] = {};
Use g_use;
std::atomic<std::size_t> g_count{0};  // of mappings
std::atomic<std::int64_t> g_most_mapped{0};
std::mutex g_pace_mutex;  // held by the thread that drops pages for all; guards g_in_vain
int g_in_vain = 0;        // how many times after each other it was of no use

/// Returns false for most addresses that are not in g_mappings, without a lock.
bool may_hold(const void* array) {
  return g_count.load(std::memory_order_relaxed) != 0 &&
         reinterpret_cast<std::uintptr_t>(array) % kLargePage == 0;
}

/// Maps a file at an address at which a large page may start. Returns null and sets errno if it
/// fails.
void* map_aligned(int file, std::size_t bytes) {
  const std::size_t room = bytes + kLargePage;
  void* place = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(place);
  std::byte* begin = start + (kLargePage - reinterpret_cast<std::uintptr_t>(place) % kLargePage);
  std::byte* end = begin + (bytes + kPage - 1) / kPage * kPage;
  void* memory = mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  if (memory == MAP_FAILED) {
    const int why = errno;
    munmap(place, room);
    errno = why;
    return nullptr;
  }
  munmap(start, static_cast<std::size_t>(begin - start));
  if (start + room > end) munmap(end, static_cast<std::size_t>(start + room - end));
  return memory;
}

/// Maps that many zeros of a new file. Returns null and sets errno if it fails.
void* map_new_file(const char* folder, std::size_t bytes) {
  const int file = open_unnamed_file(folder);
  if (file < 0) return nullptr;
  void* memory = nullptr;
  errno = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (errno == 0) memory = map_aligned(file, bytes);
  const int why = errno;
  close(file);  // the mapping holds it
  errno = why;
  return memory;
}

}  // namespace

int set_folder(const char* folder) {
  const std::size_t length = std::strlen(folder);
  if (length >= kLongestPath) return ENAMETOOLONG;
  if (length > 0) {
    const int probe = open_unnamed_file(folder);
    if (probe < 0) return errno;
    close(probe);
  }
  const std::lock_guard lock(g_mutex);
  std::memcpy(g_folder, folder, length + 1);
  return 0;
}

void* take(std::size_t bytes) {
  const std::lock_guard lock(g_mutex);
  const auto free = std::ranges::find(g_mappings, nullptr, &Mapping::memory);
  if (free == g_mappings.end()) return nullptr;
  void* memory = map_new_file(g_folder, bytes);
  if (memory == nullptr) throw ScratchFull(bytes, g_folder, errno);
  *free = {memory, bytes};
  ++g_count;
  g_use.now += static_cast<std::int64_t>(bytes);
  g_use.all += static_cast<std::int64_t>(bytes);
  g_use.most = std::max(g_use.most, g_use.now);
  return memory;
}

bool give_back(void* array) noexcept {
  if (!may_hold(array)) return false;
  // The unmapping too: drop_pages() must not meet the address after another has taken it.
  const std::lock_guard lock(g_mutex);
  const auto found = std::ranges::find(g_mappings, array, &Mapping::memory);
  if (found == g_mappings.end()) return false;
  munmap(found->memory, found->bytes);
  g_use.now -= static_cast<std::int64_t>(found->bytes);
  *found = {};
  --g_count;
  return true;
}

bool holds(const void* array) noexcept {
  if (!may_hold(array)) return false;
  const std::lock_guard lock(g_mutex);
  return std::ranges::find(g_mappings, array, &Mapping::memory) != g_mappings.end();
}

void drop_pages() {
  const std::lock_guard lock(g_mutex);
  for (const Mapping& mapping : g_mappings) {
    if (mapping.memory != nullptr) madvise(mapping.memory, mapping.bytes, MADV_DONTNEED);
  }
}

std::int64_t mapped_in_memory() noexcept {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t read_bytes = read(file, text, sizeof(text) - 1);
  close(file);
  long long size = 0;
  long long resident = 0;
  long long shared = 0;
  if (read_bytes <= 0 || std::sscanf(text, "%lld %lld %lld", &size, &resident, &shared) != 3)
    return 0;
  return shared * sysconf(_SC_PAGESIZE);
}

void set_most_mapped(std::int64_t bytes) noexcept {
  g_most_mapped = bytes;
}

void keep_pace() {
  constexpr std::chrono::milliseconds kBetweenLooks{1};
  if (g_most_mapped.load(std::memory_order_relaxed) == 0) return;
  thread_local std::chrono::steady_clock::time_point last{};
  const auto now = std::chrono::steady_clock::now();
  if (now - last < kBetweenLooks) return;
  last = now;
  if (mapped_in_memory() <= g_most_mapped) return;
  const std::lock_guard lock(g_pace_mutex);
  if (mapped_in_memory() <= g_most_mapped) return;
  drop_pages();
  // The rest belongs to files of others, such as an input, if it never goes.
  constexpr int kOften = 100;
  const std::int64_t left = mapped_in_memory();
  g_in_vain = left > g_most_mapped ? g_in_vain + 1 : 0;
  if (g_in_vain < kOften) return;
  g_in_vain = 0;
  g_most_mapped = left;
}

Use use() {
  const std::lock_guard lock(g_mutex);
  return g_use;
}

std::int64_t room() {
  const std::lock_guard lock(g_mutex);
  struct statvfs disk {};
  if (g_folder[0] == '\0' || statvfs(g_folder, &disk) != 0) return 0;
  return static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
}

}  // namespace scratch

ScratchFull::ScratchFull(std::size_t bytes, const char* folder, int why) noexcept {
  constexpr double kGigabyte = 1e9;
  std::snprintf(text_, sizeof(text_),
                "an array of %.2f GB fits neither into memory nor into the folder %.300s (%s): "
                "name another with --scratch",
                static_cast<double>(bytes) / kGigabyte, folder, std::strerror(why));
}

}  // namespace seedwave
