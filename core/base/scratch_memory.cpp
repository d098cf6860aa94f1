// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_memory.h"

#include "core/base/available_memory.h"
#include "core/base/error.h"
#include "core/base/mapped_input.h"
#include "core/base/mapped_pages.h"
#include "core/base/scratch_files.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <new>
#include <stop_token>
#include <string>

namespace seedwave {
namespace {

/// Smaller blocks of memory are not counted.
constexpr std::int64_t kCounted = std::int64_t{1} << 20;
/// Time between two looks at the pages in memory. In between a program brings in some tens of
/// megabytes, as a fault maps up to two.
constexpr std::chrono::milliseconds kPause{2};

std::atomic<bool> g_active{false};
std::atomic<std::int64_t> g_smallest{0};   // in a file
std::atomic<std::int64_t> g_limit{0};      // of g_in_memory
std::atomic<std::int64_t> g_in_memory{0};  // bytes of counted blocks

std::int64_t counted(void* memory) {
  const auto bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  return bytes >= kCounted ? bytes : 0;
}

/// Alignment 0 stands for that of malloc. An array in a file lies 4096 bytes behind an address of
/// any larger alignment: who asks for more does so for large pages, which it has too.
void* allocate(std::size_t bytes, std::size_t alignment) {
  const auto size = static_cast<std::int64_t>(bytes);
  if (g_active.load(std::memory_order_relaxed) &&
      size >= g_smallest.load(std::memory_order_relaxed) &&
      g_in_memory.load(std::memory_order_relaxed) + size >
          g_limit.load(std::memory_order_relaxed)) {
    if (void* memory = scratch::take(bytes)) return memory;
  }
  std::size_t whole = std::max<std::size_t>(bytes, 1);
  if (alignment > 0) whole = (whole + alignment - 1) / alignment * alignment;
  for (;;) {
    void* memory = alignment == 0 ? std::malloc(whole) : std::aligned_alloc(alignment, whole);
    if (memory != nullptr) {
      // Smaller ones do not become blocks of that size.
      if (static_cast<std::int64_t>(whole) >= kCounted / 2) g_in_memory += counted(memory);
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  if (scratch::give_back(memory)) return;
  if (const std::int64_t bytes = counted(memory); bytes > 0) g_in_memory -= bytes;
  std::free(memory);
}

/// Drops pages whenever more than that are in memory.
void keep_within(std::int64_t most, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any pause;
  std::unique_lock lock(mutex);
  while (!pause.wait_for(lock, stop, kPause, [&] { return stop.stop_requested(); })) {
    if (mapped::in_memory() > most) mapped::drop_pages();
  }
}

}  // namespace

ScratchMemory::ScratchMemory(const ScratchSettings& settings) {
  require(!g_active.load() && settings.memory > 0);
  const std::string folder = settings.folder.string();
  if (const int why = scratch::set_folder(folder.c_str()); why != 0) {
    throw UnavailableError("cannot make a file for large arrays in " + folder + ": " +
                           std::strerror(why));
  }
  const std::int64_t resident = settings.memory / 4;
  g_smallest = settings.smallest;
  g_limit = settings.memory - resident;
  const std::int64_t before = mapped::in_memory();
  mapped::set_most_in_memory(before + resident);
  // At half of their share: while pages are dropped, others come back.
  trimmer_ = std::jthread(
      [most = before + resident / 2](const std::stop_token& stop) { keep_within(most, stop); });
  mapped::forget_lost();
  mapped::forget_changed_inputs();
  if (settings.maps_inputs) {
    fetcher_ = std::jthread(mapped::fetch_inputs);
    mapped::set_most_cached(available_memory() / 4 * 3);
    mapped::set_least_input(settings.smallest);
  }
  g_active = true;  // not if there can be no thread
}

ScratchMemory::~ScratchMemory() {
  g_active = false;
  mapped::set_least_input(0);
  mapped::set_most_in_memory(0);
  (void)scratch::set_folder("");
}

}  // namespace seedwave

// Those of arrays call these.
void* operator new(std::size_t bytes) {
  return seedwave::allocate(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return seedwave::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return seedwave::allocate(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
  try {
    return seedwave::allocate(bytes, static_cast<std::size_t>(alignment));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  seedwave::release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  seedwave::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  seedwave::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  seedwave::release(memory);
}
