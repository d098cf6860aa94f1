// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

namespace seedwave::io {

/// Numbers and texts at byte offsets of a binary header, in the file's byte order. The bytes must
/// hold every field that is read.
class HeaderFields {
 public:
  HeaderFields(std::span<const std::byte> bytes, std::endian order)
      : bytes_(bytes), order_(order) {}

  template <typename T>
  [[nodiscard]] T get(std::size_t offset) const {
    std::array<std::byte, sizeof(T)> raw{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), sizeof(T), raw.begin());
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    T value{};
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }

  template <typename T, typename To, std::size_t N>
  void get_all(std::size_t offset, std::array<To, N>& values) const {
    for (std::size_t i = 0; i < N; ++i)
      values[i] = static_cast<To>(get<T>(offset + i * sizeof(T)));
  }

  /// Returns the text up to the first zero byte.
  [[nodiscard]] std::string text(std::size_t offset, std::size_t length) const {
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + offset, length);
    return value.substr(0, value.find('\0'));
  }

 private:
  std::span<const std::byte> bytes_;
  std::endian order_;
};

}  // namespace seedwave::io
