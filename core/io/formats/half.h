// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace seedwave::io {

/// A 16-bit floating-point number of a file (IEEE 754 binary16); read only.
struct Half {
  std::uint16_t bits = 0;

  /// Exact: 32-bit floating point holds every 16-bit number.
  // NOLINTNEXTLINE(google-explicit-constructor): a number among numbers
  operator float() const noexcept {
    const std::uint32_t sign = std::uint32_t{bits} >> 15U << 31U;
    const std::uint32_t exponent = std::uint32_t{bits} >> 10U & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    if (exponent == 0) {
      const float small = std::ldexp(static_cast<float>(fraction), -24);
      return sign != 0 ? -small : small;
    }
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 127U - 15U;
    return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
  }
};

}  // namespace seedwave::io
