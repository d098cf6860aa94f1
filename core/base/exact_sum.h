// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace seedwave {

/// A sum whose bits do not depend on the order of its terms, so that threads and devices may divide
/// them freely. Integers: exact for sums below 2^63.
template <typename T>
class ExactSum {
  static_assert(std::is_integral_v<T>);

 public:
  /// `times` may be negative.
  void add(T value, std::int64_t times = 1) noexcept {
    // Modulo 2^64, which does not depend on the order either.
    sum_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) *
            static_cast<std::uint64_t>(times);
  }
  ExactSum& operator+=(const ExactSum& other) noexcept {
    sum_ += other.sum_;
    return *this;
  }
  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(static_cast<std::int64_t>(sum_));
  }

 private:
  std::uint64_t sum_ = 0;
};

/// Adds up the significands of each exponent as integers, exactly below 2^39 terms. The value is
/// the sum of these, in f64 from the smallest exponent on. Infinities are counted.
template <>
class ExactSum<float> {
 public:
  /// `value` must not be NaN. `times` may be negative.
  void add(float value, std::int64_t times = 1) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t exponent = bits >> kFraction & kExponents;
    std::int64_t significand = bits & ((1U << kFraction) - 1);
    if (exponent > 0) significand |= std::int64_t{1} << kFraction;
    if (exponent == kExponents) significand = 1;
    const bool negative = bits >> (kFraction + 8) != 0;
    const std::size_t place = exponent == kExponents && negative ? kExponents + 1 : exponent;
    if (negative && exponent != kExponents) significand = -significand;
    sums_[place] += static_cast<std::uint64_t>(significand) * static_cast<std::uint64_t>(times);
  }
  ExactSum& operator+=(const ExactSum& other) noexcept {
    for (std::size_t i = 0; i < sums_.size(); ++i)
      sums_[i] += other.sums_[i];
    return *this;
  }
  [[nodiscard]] double value() const noexcept {
    const bool up = sums_[kExponents] != 0;
    const bool down = sums_[kExponents + 1] != 0;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (up || down)
      return up && down ? std::numeric_limits<double>::quiet_NaN() : up ? kInfinity : -kInfinity;
    double sum = 0.0;
    for (std::size_t i = 0; i < kExponents; ++i) {
      const auto exponent = static_cast<int>(i == 0 ? 1 : i);  // 0: subnormal, the same unit as 1
      sum += std::ldexp(static_cast<double>(static_cast<std::int64_t>(sums_[i])), exponent - kUnit);
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t kFraction = 23;
  static constexpr std::uint32_t kExponents = 255;  // exponent field of infinities
  static constexpr int kUnit = 150;  // exponent field of the number whose last bit is 1

  /// Indexed by exponent; then infinities, positive and negative.
  std::array<std::uint64_t, kExponents + 2> sums_{};
};

}  // namespace seedwave
