// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_files.h"

#include "core/base/large_memory.h"
#include "core/base/mapped_pages.h"
#include "core/base/unnamed_file.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <span>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace seedwave {
namespace scratch {
namespace {

constexpr std::size_t kMostArrays = 4096;
constexpr std::size_t kLongestPath = 4096;
/// Files that are kept open, so that they can be written and handed over. A process may have 1024.
constexpr std::size_t kMostOpen = 256;

struct Array {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
  int file = -1;  // -1: it is not kept open
  std::size_t finished = 0;
  XXH64_state_t digest{};  // of the bytes that are finished
};

// Fixed sizes and constant initialization: they serve the first constructors of the program too.
std::mutex g_mutex;  // guards all of the following but g_count
std::array<Array, kMostArrays> g_arrays{};
std::size_t g_used = 0;  // no array lies beyond in the table
std::size_t g_open = 0;  // files that are kept open
char g_folder[kLongestPath] = {};
Use g_use;
std::atomic<std::size_t> g_count{0};  // of arrays

/// Returns false for most addresses that are not in g_arrays, without a lock.
bool may_hold(const void* array) {
  return g_count.load(std::memory_order_relaxed) != 0 &&
         reinterpret_cast<std::uintptr_t>(array) % kLargePage == kRoomBefore;
}

/// Makes an array of that many zeros in a new file; `memory` is null, with errno set, if it fails.
Array new_array(std::size_t bytes) {
  Array array{.bytes = bytes, .file = open_unnamed_file(g_folder)};
  if (array.file < 0) return array;
  errno = posix_fallocate(array.file, 0, kRoomBefore + static_cast<off_t>(bytes));
  if (errno == 0) {
    array.memory = static_cast<std::byte*>(
        mapped::map(array.file, kRoomBefore, bytes, mapped::Access::ReadWrite, nullptr));
  }
  if (array.memory != nullptr && g_open < kMostOpen) {
    ++g_open;
    return array;
  }
  const int why = errno;
  close(std::exchange(array.file, -1));  // a mapping holds it
  errno = why;
  return array;
}

std::span<Array> arrays() {
  return std::span(g_arrays).first(g_used);
}

/// Returns null if there is none.
Array* find(const void* array) {
  const auto found = std::ranges::find(arrays(), array, &Array::memory);
  return found == arrays().end() ? nullptr : &*found;
}

/// Ends keeping the array's file open. Returns the file, which is then the caller's.
int let_go(Array& array) {
  if (array.file >= 0) --g_open;
  return std::exchange(array.file, -1);
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
  const auto free = std::ranges::find(g_arrays, nullptr, &Array::memory);
  if (free == g_arrays.end()) return nullptr;
  const Array made = new_array(bytes);
  if (made.memory == nullptr) throw ScratchFull(bytes, g_folder, errno);
  *free = made;
  g_used = std::max(g_used, static_cast<std::size_t>(free - g_arrays.begin()) + 1);
  ++g_count;
  g_use.now += static_cast<std::int64_t>(bytes);
  g_use.all += static_cast<std::int64_t>(bytes);
  g_use.most = std::max(g_use.most, g_use.now);
  return made.memory;
}

bool give_back(void* array) noexcept {
  if (!may_hold(array)) return false;
  const std::lock_guard lock(g_mutex);
  Array* const found = find(array);
  if (found == nullptr) return false;
  mapped::unmap(found->memory);
  if (const int file = let_go(*found); file >= 0) close(file);
  g_use.now -= static_cast<std::int64_t>(found->bytes);
  *found = {};
  --g_count;
  return true;
}

bool holds(const void* array) noexcept {
  if (!may_hold(array)) return false;
  const std::lock_guard lock(g_mutex);
  return find(array) != nullptr;
}

bool write(void* to, const void* from, std::size_t bytes) {
  if (g_count.load(std::memory_order_relaxed) == 0) return false;
  int file = -1;
  off_t at = kRoomBefore;
  {
    const std::lock_guard lock(g_mutex);
    const auto* const begin = static_cast<const std::byte*>(to);
    const auto found = std::ranges::find_if(arrays(), [&](const Array& array) {
      return array.file >= 0 && std::less_equal<>()(array.memory, begin) &&
             std::less<>()(begin, array.memory + array.bytes);
    });
    if (found == arrays().end()) return false;
    file = found->file;
    at += begin - found->memory;
  }
  for (const auto* left = static_cast<const std::byte*>(from); bytes > 0;) {
    const ssize_t written = pwrite(file, left, bytes, at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw ScratchFull(bytes, g_folder, errno);
    left += written;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

int file_of(const void* array) noexcept {
  if (!may_hold(array)) return -1;
  const std::lock_guard lock(g_mutex);
  Array* const found = find(array);
  return found == nullptr ? -1 : found->file;
}

int hand_over(const void* array) noexcept {
  if (!may_hold(array)) return -1;
  const std::lock_guard lock(g_mutex);
  Array* const found = find(array);
  return found == nullptr ? -1 : let_go(*found);
}

void finish(const void* array, std::size_t begin, std::size_t end) {
  if (!may_hold(array)) return;
  XXH64_state_t digest;
  {
    const std::lock_guard lock(g_mutex);
    Array* const found = find(array);
    if (found == nullptr || found->finished != begin) return;
    if (begin == 0) XXH64_reset(&found->digest, 0);
    digest = found->digest;
  }
  XXH64_update(&digest, static_cast<const std::byte*>(array) + begin, end - begin);
  const std::lock_guard lock(g_mutex);
  Array* const found = find(array);
  found->digest = digest;
  found->finished = end;
}

std::optional<std::uint64_t> digest_of(const void* array, std::size_t bytes) noexcept {
  if (!may_hold(array)) return {};
  const std::lock_guard lock(g_mutex);
  const Array* const found = find(array);
  if (found == nullptr || bytes == 0 || found->bytes != bytes || found->finished != bytes)
    return {};
  return XXH64_digest(&found->digest);
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
