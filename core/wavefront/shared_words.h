// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace seedwave {

/// Memory that one worker writes while others may read it: words that are each written and read as
/// a whole.
///
/// Relaxed order suffices. Values only rise, so any mixture of old and new words is a valid state.
/// A reader that needs the new words is woken through a lock after they were written.
class SharedWords {
 public:
  static constexpr int kBytes = 8;

  using Word = std::atomic<std::uint64_t>;

  /// Refers to no words.
  SharedWords() = default;
  /// Borrows the words.
  explicit SharedWords(Word* words) : words_(words) {}

  /// Reads words. `at` and `bytes` are multiples of 8.
  void read(std::int64_t at, std::int64_t bytes, void* to) const {
    auto* out = static_cast<char*>(to);
    for (std::int64_t i = 0; i < bytes / kBytes; ++i) {
      const std::uint64_t word = words_[at / kBytes + i].load(std::memory_order_relaxed);
      std::memcpy(out + i * kBytes, &word, kBytes);
    }
  }
  /// Reads a value that lies within one word.
  template <typename T>
  void read_value(std::int64_t at, T& value) const {
    const auto place = static_cast<std::uint64_t>(at);
    const std::uint64_t word = words_[place / kBytes].load(std::memory_order_relaxed);
    std::memcpy(&value, reinterpret_cast<const char*>(&word) + place % kBytes, sizeof(T));
  }
  void write(std::int64_t at, std::int64_t bytes, const void* from) {
    const auto* in = static_cast<const char*>(from);
    for (std::int64_t i = 0; i < bytes / kBytes; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, in + i * kBytes, kBytes);
      words_[at / kBytes + i].store(word, std::memory_order_relaxed);
    }
  }
  /// Writes the words that differ. Returns whether there were any.
  bool update(std::int64_t at, std::int64_t bytes, const void* from) {
    const auto* in = static_cast<const char*>(from);
    bool changed = false;
    for (std::int64_t i = 0; i < bytes / kBytes; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, in + i * kBytes, kBytes);
      Word& kept = words_[at / kBytes + i];
      if (kept.load(std::memory_order_relaxed) == word) continue;
      kept.store(word, std::memory_order_relaxed);
      changed = true;
    }
    return changed;
  }
  void clear(std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes / kBytes; ++i)
      words_[i].store(0, std::memory_order_relaxed);
  }

 private:
  Word* words_ = nullptr;
};

}  // namespace seedwave
