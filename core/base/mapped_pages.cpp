// SPDX-License-Identifier: Apache-2.0
#include "core/base/mapped_pages.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace seedwave::mapped {
namespace {

constexpr std::size_t kMostMappings = 8192;
constexpr std::size_t kLongestName = 4096;

/// The signal handler reads what is atomic, at any moment; `bytes` is set before `begin`.
struct Mapping {
  std::atomic<void*> begin{nullptr};  // null: none
  std::atomic<std::size_t> bytes{0};
  std::atomic<bool> lost{false};
  const char* name = nullptr;
};

// Fixed sizes and constant initialization: they serve the first constructors of the program too.
std::mutex g_table_mutex;  // guards the names, and which mappings there are
std::array<Mapping, kMostMappings> g_table{};
std::atomic<std::size_t> g_used{0};  // no mapping lies beyond in the table
std::atomic<bool> g_lost{false};
char g_lost_name[kLongestName] = {};  // "" for an array
bool g_knows_lost_name = false;
struct sigaction g_before {};

std::atomic<std::int64_t> g_most{0};
std::mutex g_pace_mutex;  // held by the thread that drops pages for all; guards g_in_vain
int g_in_vain = 0;        // how many times after each other it was of no use

std::array<Mapping, kMostMappings>::iterator end_of_used() {
  return g_table.begin() + static_cast<std::ptrdiff_t>(g_used.load());
}

void remember_lost(const Mapping& mapping) {
  if (g_knows_lost_name || !mapping.lost) return;
  const char* name = mapping.name == nullptr ? "" : mapping.name;
  std::snprintf(g_lost_name, sizeof(g_lost_name), "%s", name);
  g_knows_lost_name = true;
}

/// Puts zeros over the mapping that holds the address, and notes that it is lost. The flags come
/// first: nobody may read the zeros and find no flag.
void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  // Others come from a call of kill(), or tell of broken memory that nobody waits for.
  const bool is_access = info->si_code > 0 && info->si_code != BUS_MCEERR_AO;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (auto mapping = g_table.begin(); is_access && mapping != end_of_used(); ++mapping) {
    void* const begin = mapping->begin;
    const std::size_t bytes = mapping->bytes;
    // Another mapping may have taken the place in the table meanwhile.
    if (begin == nullptr || begin != mapping->begin) continue;
    // An address before it is far behind it, as the difference has no sign.
    if (at - reinterpret_cast<std::uintptr_t>(begin) >= bytes) continue;
    mapping->lost = true;
    g_lost = true;
    void* const zeros = mmap(begin, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    errno = error;
    if (zeros != MAP_FAILED) return;
    break;
  }
  // Whoever was responsible before meets the access again, or the signal that is raised here.
  sigaction(SIGBUS, &g_before, nullptr);
  if (!is_access) raise(signal);
}

void catch_bus_errors() {
  static bool done = false;  // guarded by the table's mutex
  if (done) return;
  done = true;
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &g_before);
}

/// Maps at an address as far from the start of a large page as the offset in the file, so that
/// large pages of the system's cache are mapped whole. With others a slanted opening of a file took
/// 18 times as many page faults. Returns null and sets errno if it fails.
void* map_aligned(int file, std::int64_t offset, std::size_t bytes, Access access) {
  const std::size_t room = bytes + 2 * kLargePage;
  void* place = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(place);
  std::byte* begin = start + (kLargePage - reinterpret_cast<std::uintptr_t>(place) % kLargePage) +
                     static_cast<std::size_t>(offset) % kLargePage;
  constexpr auto kPage = static_cast<std::size_t>(kPageBytes);
  std::byte* end = begin + (bytes + kPage - 1) / kPage * kPage;
  const int protection = access == Access::ReadOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  void* memory = mmap(begin, bytes, protection, MAP_SHARED | MAP_FIXED, file, offset);
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

}  // namespace

void* map(int file, std::int64_t offset, std::size_t bytes, Access access, const char* name) {
  const std::lock_guard lock(g_table_mutex);
  const auto free =
      std::ranges::find_if(g_table, [](const Mapping& m) { return m.begin == nullptr; });
  if (free == g_table.end()) {
    errno = ENOMEM;
    return nullptr;
  }
  catch_bus_errors();
  void* const memory = map_aligned(file, offset, bytes, access);
  if (memory == nullptr) return nullptr;
  free->name = name;
  free->lost = false;
  free->bytes = bytes;
  free->begin = memory;
  g_used = std::max(g_used.load(), static_cast<std::size_t>(free - g_table.begin()) + 1);
  return memory;
}

void unmap(void* memory) noexcept {
  // The unmapping too: drop_pages() must not meet the address after another has taken it.
  const std::lock_guard lock(g_table_mutex);
  const auto found = std::find_if(g_table.begin(), end_of_used(),
                                  [&](const Mapping& m) { return m.begin == memory; });
  if (found == end_of_used()) return;
  remember_lost(*found);
  found->begin = nullptr;
  munmap(memory, found->bytes);
}

void drop_pages() {
  const std::lock_guard lock(g_table_mutex);
  for (auto mapping = g_table.begin(); mapping != end_of_used(); ++mapping) {
    if (mapping->begin != nullptr) madvise(mapping->begin, mapping->bytes, MADV_DONTNEED);
  }
}

std::int64_t in_memory() noexcept {
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

void set_most_in_memory(std::int64_t bytes) noexcept {
  g_most = bytes;
}

void keep_pace() {
  constexpr std::chrono::milliseconds kBetweenLooks{1};
  refuse_lost();
  if (g_most.load(std::memory_order_relaxed) == 0) return;
  thread_local std::chrono::steady_clock::time_point last{};
  const auto now = std::chrono::steady_clock::now();
  if (now - last < kBetweenLooks) return;
  last = now;
  if (in_memory() <= g_most) return;
  const std::lock_guard lock(g_pace_mutex);
  if (in_memory() <= g_most) return;
  drop_pages();
  // The rest belongs to files of others, such as a slide, if it never goes.
  constexpr int kOften = 100;
  const std::int64_t left = in_memory();
  g_in_vain = left > g_most ? g_in_vain + 1 : 0;
  if (g_in_vain < kOften) return;
  g_in_vain = 0;
  g_most = left;
}

void refuse_lost() {
  if (!g_lost.load(std::memory_order_relaxed)) return;
  char name[kLongestName] = {};
  {
    const std::lock_guard lock(g_table_mutex);
    std::for_each(g_table.begin(), end_of_used(), [](const Mapping& m) {
      if (m.begin != nullptr) remember_lost(m);
    });
    std::memcpy(name, g_lost_name, sizeof(name));
  }
  if (name[0] == '\0') {
    throw UnavailableError(
        "a file for large arrays can no longer be read: name another folder with --scratch");
  }
  throw InputError(std::string(name) +
                   " was cut short, or can no longer be read, while it was in use");
}

void forget_lost() noexcept {
  const std::lock_guard lock(g_table_mutex);
  for (Mapping& mapping : g_table)
    mapping.lost = false;
  g_lost = false;
  g_knows_lost_name = false;
  g_lost_name[0] = '\0';
}

}  // namespace seedwave::mapped
