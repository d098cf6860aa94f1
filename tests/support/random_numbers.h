// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace seedwave::test {

/// Integers by a fixed rule, the same on every machine. The library's distributions differ by
/// vendor.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t number) : engine_(number * 0x9E3779B97F4A7C15U + 1) {}

  /// Returns a number in 0 .. count - 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(count));
  }
  template <typename T, std::size_t n>
  const T& of(const std::array<T, n>& choices) {
    return choices[static_cast<std::size_t>(below(n))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace seedwave::test
