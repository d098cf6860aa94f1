// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace seedwave {

/// A number of voxels or bytes that a file claims. Its products and sums stay correct or become
/// invalid, and never wrap. The claim is compared with the actual size before it is used.
///
/// Negative numbers are invalid, and so is every result of an invalid number.
class CheckedSize {
 public:
  /// Implicit, so that sizes can be multiplied by plain numbers.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr CheckedSize(std::int64_t value) noexcept : value_(value < 0 ? kInvalid : value) {}

  [[nodiscard]] constexpr bool is_valid() const noexcept { return value_ != kInvalid; }
  /// Returns the number, or nothing if it is invalid.
  [[nodiscard]] constexpr std::optional<std::int64_t> value() const noexcept {
    return is_valid() ? std::optional(value_) : std::nullopt;
  }
  /// Returns true if the number is valid and not above `limit`.
  [[nodiscard]] constexpr bool fits(std::int64_t limit) const noexcept {
    return is_valid() && value_ <= limit;
  }

  friend constexpr CheckedSize operator*(CheckedSize a, CheckedSize b) noexcept {
    std::int64_t product = 0;
    const bool valid =
        a.is_valid() && b.is_valid() && !__builtin_mul_overflow(a.value_, b.value_, &product);
    return valid ? product : kInvalid;
  }
  friend constexpr CheckedSize operator+(CheckedSize a, CheckedSize b) noexcept {
    std::int64_t sum = 0;
    const bool valid =
        a.is_valid() && b.is_valid() && !__builtin_add_overflow(a.value_, b.value_, &sum);
    return valid ? sum : kInvalid;
  }

 private:
  static constexpr std::int64_t kInvalid = -1;
  std::int64_t value_;
};

}  // namespace seedwave
