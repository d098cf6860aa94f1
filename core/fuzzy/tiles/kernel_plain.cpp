// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

/// A row of 16 cells in plain C++, for every machine. kernel_avx2.cpp has the same names.
namespace seedwave::fuzzy {
namespace {

struct Row {
  alignas(32) std::int16_t cells[16];
};

template <typename Operation>
inline Row row_of(Operation&& operation) {
  Row result;
  for (int i = 0; i < 16; ++i)
    result.cells[i] = static_cast<std::int16_t>(operation(i));
  return result;
}

inline Row load(const std::int16_t* from) {
  Row row;
  std::memcpy(row.cells, from, sizeof row.cells);
  return row;
}
inline void store(std::int16_t* to, const Row& row) {
  std::memcpy(to, row.cells, sizeof row.cells);
}
inline Row zero() {
  return row_of([](int) { return 0; });
}
inline Row min(const Row& a, const Row& b) {
  return row_of([&](int i) { return std::min(a.cells[i], b.cells[i]); });
}
inline Row max(const Row& a, const Row& b) {
  return row_of([&](int i) { return std::max(a.cells[i], b.cells[i]); });
}
inline Row operator&(const Row& a, const Row& b) {
  return row_of([&](int i) { return a.cells[i] & b.cells[i]; });
}
inline Row operator|(const Row& a, const Row& b) {
  return row_of([&](int i) { return a.cells[i] | b.cells[i]; });
}
inline Row operator^(const Row& a, const Row& b) {
  return row_of([&](int i) { return a.cells[i] ^ b.cells[i]; });
}
/// Returns a & ~b.
inline Row without(const Row& a, const Row& b) {
  return row_of([&](int i) { return a.cells[i] & ~b.cells[i]; });
}
/// Adds lane by lane, with wraparound.
inline Row plus(const Row& a, const Row& b) {
  return row_of([&](int i) { return static_cast<std::uint16_t>(a.cells[i]) + b.cells[i]; });
}
template <int kBits>
inline Row shifted_left(const Row& a) {
  return row_of([&](int i) { return static_cast<std::uint16_t>(a.cells[i]) << kBits; });
}
template <int kBits>
inline Row shifted_right(const Row& a) {
  return row_of([&](int i) { return static_cast<std::uint16_t>(a.cells[i]) >> kBits; });
}
/// Lane i takes lane i - 1; lane 0 becomes zero.
inline Row lanes_up(const Row& a) {
  return row_of([&](int i) { return i == 0 ? 0 : a.cells[i - 1]; });
}
/// Lane i takes lane i + 1; lane 15 becomes zero.
inline Row lanes_down(const Row& a) {
  return row_of([&](int i) { return i == 15 ? 0 : a.cells[i + 1]; });
}
inline bool any(const Row& a) {
  std::int16_t all = 0;
  for (const std::int16_t cell : a.cells)
    all = static_cast<std::int16_t>(all | cell);
  return all != 0;
}
/// Sets all bits of a lane if a > b, else none.
inline Row greater(const Row& a, const Row& b) {
  return row_of([&](int i) { return a.cells[i] > b.cells[i] ? -1 : 0; });
}
/// Returns bit i if lane i is nonzero. Lanes must be 0 or -1.
inline std::uint16_t bits_of(const Row& mask) {
  unsigned bits = 0;
  for (int i = 0; i < 16; ++i)
    bits |= (mask.cells[i] & 1U) << i;
  return static_cast<std::uint16_t>(bits);
}
inline Row everywhere(std::uint16_t value) {
  return row_of([&](int) { return value; });
}
/// The inverse of bits_of().
inline Row lanes_of(std::uint16_t bits) {
  return row_of([&](int i) { return (bits >> i & 1) != 0 ? -1 : 0; });
}
/// Returns the largest lane.
inline int largest(const Row& a) {
  return *std::max_element(a.cells, a.cells + 16);
}
/// 16 single-precision numbers.
struct Floats {
  alignas(32) float cells[16];
};

template <typename Operation>
inline Floats floats_of(Operation&& operation) {
  Floats result;
  for (int i = 0; i < 16; ++i)
    result.cells[i] = operation(i);
  return result;
}

inline Floats no_floats() {
  return floats_of([](int) { return 0.0F; });
}
inline Floats load_floats(const float* from) {
  return floats_of([&](int i) { return from[i]; });
}
inline void store_floats(float* to, const Floats& a) {
  std::memcpy(to, a.cells, sizeof a.cells);
}
inline Floats min(const Floats& a, const Floats& b) {
  return floats_of([&](int i) { return a.cells[i] < b.cells[i] ? a.cells[i] : b.cells[i]; });
}
inline Floats max(const Floats& a, const Floats& b) {
  return floats_of([&](int i) { return a.cells[i] > b.cells[i] ? a.cells[i] : b.cells[i]; });
}
inline Floats product(const Floats& a, const Floats& b) {
  return floats_of([&](int i) { return a.cells[i] * b.cells[i]; });
}
/// Returns |a - b| of unsigned lanes.
inline Row distance(const Row& a, const Row& b) {
  return row_of([&](int i) {
    const int difference =
        static_cast<std::uint16_t>(a.cells[i]) - static_cast<std::uint16_t>(b.cells[i]);
    return difference < 0 ? -difference : difference;
  });
}
/// Returns table[index] for unsigned lanes.
inline Floats looked_up(const float* table, const Row& index) {
  return floats_of([&](int i) { return table[static_cast<std::uint16_t>(index.cells[i])]; });
}
/// Rounds towards zero. Values must be in 0..32767.
inline Row truncated(const Floats& a) {
  return row_of([&](int i) { return static_cast<int>(a.cells[i]); });
}
/// Transposes a square of 16 rows of 16 lanes.
inline void transpose(Row (&rows)[16]) {
  for (int i = 0; i < 16; ++i) {
    for (int j = i + 1; j < 16; ++j)
      std::swap(rows[i].cells[j], rows[j].cells[i]);
  }
}

}  // namespace
}  // namespace seedwave::fuzzy

// The kernel is written in terms of Row, which comes first.
#include "core/fuzzy/tiles/kernel_body.h"

namespace seedwave::fuzzy {

const TileKernel& plain_kernel() {
  static constexpr TileKernel kKernel = make_kernel("plain");
  return kKernel;
}

}  // namespace seedwave::fuzzy
