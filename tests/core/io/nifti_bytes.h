// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace seedwave::test {

/// A NIfTI-1 file composed byte by byte from the standard's table of offsets. It shares nothing
/// with the reader under test.
class NiftiBytes {
 public:
  explicit NiftiBytes(std::endian order = std::endian::little) : order_(order) {
    put<std::int32_t>(0, 348);
    dims({2, 2, 2});
    type(4, 16);
    spacing(1, 1, 1, 1);
    put<float>(108, 352);
    put<float>(112, 1);
    std::memcpy(header_.data() + 344, "n+1", 4);
  }

  /// Sets dim[0] and the sizes after it.
  NiftiBytes& dims(const std::vector<int>& sizes) {
    put<std::int16_t>(40, static_cast<std::int16_t>(sizes.size()));
    for (std::size_t i = 0; i < 7; ++i)
      put<std::int16_t>(42 + 2 * i, static_cast<std::int16_t>(i < sizes.size() ? sizes[i] : 1));
    return *this;
  }
  NiftiBytes& type(int code, int bits) {
    put<std::int16_t>(70, static_cast<std::int16_t>(code));
    put<std::int16_t>(72, static_cast<std::int16_t>(bits));
    return *this;
  }
  NiftiBytes& spacing(float qfac, float x, float y, float z) {
    put<float>(76, qfac);
    put<float>(80, x);
    put<float>(84, y);
    put<float>(88, z);
    return *this;
  }
  NiftiBytes& slope(float factor, float intercept) {
    put<float>(112, factor);
    put<float>(116, intercept);
    return *this;
  }
  NiftiBytes& units(int code) {
    put<std::uint8_t>(123, static_cast<std::uint8_t>(code));
    return *this;
  }
  /// Sets b, c, d, then the offsets.
  NiftiBytes& qform(int code, const std::array<float, 6>& numbers) {
    put<std::int16_t>(252, static_cast<std::int16_t>(code));
    for (std::size_t i = 0; i < 6; ++i)
      put<float>(256 + 4 * i, numbers[i]);
    return *this;
  }
  NiftiBytes& sform(int code, const std::array<float, 12>& rows) {
    put<std::int16_t>(254, static_cast<std::int16_t>(code));
    for (std::size_t i = 0; i < 12; ++i)
      put<float>(280 + 4 * i, rows[i]);
    return *this;
  }
  NiftiBytes& magic(const char* text) {
    std::memcpy(header_.data() + 344, text, 4);
    return *this;
  }
  template <typename T>
  NiftiBytes& voxels(const std::vector<T>& values) {
    for (const T value : values)
      append(value);
    return *this;
  }

  [[nodiscard]] std::string header() const { return {header_.begin(), header_.end()}; }
  [[nodiscard]] std::string body() const { return body_; }
  [[nodiscard]] std::string file() const { return header() + body(); }

 private:
  template <typename T>
  std::array<char, sizeof(T)> bytes_of(T value) const {
    std::array<char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (order_ != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  template <typename T>
  void put(std::size_t offset, T value) {
    const auto bytes = bytes_of(value);
    std::copy(bytes.begin(), bytes.end(), header_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  template <typename T>
  void append(T value) {
    const auto bytes = bytes_of(value);
    body_.append(bytes.begin(), bytes.end());
  }

  std::endian order_;
  std::array<char, 352> header_{};
  std::string body_;
};

}  // namespace seedwave::test
