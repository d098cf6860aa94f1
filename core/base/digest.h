// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace seedwave {

/// Returns XXH64 with seed 0 over `bytes`, as written in results and reports:
/// "xxh64:0123456789abcdef".
[[nodiscard]] std::string xxh64_digest(std::span<const std::byte> bytes);

/// Returns the same of an array that is finished (scratch::finish()), without reading it; computes
/// it of any other bytes.
[[nodiscard]] std::string known_xxh64_digest(std::span<const std::byte> array);

/// The same over the little-endian bytes of a contiguous range of numbers.
template <typename T>
[[nodiscard]] std::string xxh64_digest_of(std::span<const T> values) {
  return xxh64_digest(std::as_bytes(values));
}

/// The same over bytes that come in pieces.
class Digest {
 public:
  Digest();
  ~Digest();
  void add(std::span<const std::byte> bytes);
  [[nodiscard]] std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seedwave
