// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The keys that the passes of the distance transform minimise: a square, alone or with a name in
/// the lower bits, so that of equally near cells the smallest name wins. Names are offsets, or
/// labels.
///
///   kPaired                      whether near squares may be processed two per word
///   Square                       type of a step's or distance's square, in the scale's integers
///   of(square, name), none()     none: no such cell on the line, or plane, yet
///   square(key), name(key)
///   take(best, key, step)        the lesser of best and key a squared step away
///   cannot_win(square, worst)    no key of that square, or a higher one, is less than any whose
///                                square is at most `worst`
namespace seedwave::gpu {

/// Equal spacings and squares below 2^31. On a line's padding the sum of none and a squared step
/// still fits.
struct NearKey {
  using Square = std::uint32_t;
  static constexpr bool kNamed = false;
  static constexpr bool kPaired = true;
  static constexpr Square kNone = 0x7FFFFFFF;
  std::uint32_t key;

  static __device__ NearKey of(Square square, std::uint32_t) { return {square}; }
  static __device__ NearKey none() { return {kNone}; }
  [[nodiscard]] __device__ Square square() const { return key; }
  [[nodiscard]] __device__ bool is_none() const { return key >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return 0; }
  static __device__ void take(NearKey& best, NearKey other, Square step) {
    best.key = __viaddmin_u32(other.key, step, best.key);
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square >= worst; }
};

/// The same with a name, in one word.
struct NamedKey {
  using Square = std::uint32_t;
  static constexpr bool kNamed = true;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = 0x7FFFFFFF;
  std::uint64_t key;  // square << 32 | name

  static __device__ NamedKey of(Square square, std::uint32_t name) {
    return {static_cast<std::uint64_t>(square) << 32 | name};
  }
  static __device__ NamedKey none() { return of(kNone, 0); }
  [[nodiscard]] __device__ Square square() const { return static_cast<Square>(key >> 32); }
  [[nodiscard]] __device__ bool is_none() const { return square() >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return static_cast<std::uint32_t>(key); }
  static __device__ void take(NamedKey& best, NamedKey other, Square step) {
    best.key = min(best.key, other.key + (static_cast<std::uint64_t>(step) << 32));
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square > worst; }
};

/// Any spacings: squares below 2^53.
struct WideKey {
  using Square = std::uint64_t;
  static constexpr bool kNamed = false;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = Square{1} << 62;
  std::uint64_t key;

  static __device__ WideKey of(Square square, std::uint32_t) { return {square}; }
  static __device__ WideKey none() { return {kNone}; }
  [[nodiscard]] __device__ Square square() const { return key; }
  [[nodiscard]] __device__ bool is_none() const { return key >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return 0; }
  static __device__ void take(WideKey& best, WideKey other, Square step) {
    best.key = min(best.key, other.key + step);
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square >= worst; }
};

struct WideNamedKey {
  using Square = std::uint64_t;
  static constexpr bool kNamed = true;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = Square{1} << 62;
  std::uint64_t whole;
  std::uint64_t called;

  static __device__ WideNamedKey of(Square square, std::uint32_t name) { return {square, name}; }
  static __device__ WideNamedKey none() { return {kNone, 0}; }
  [[nodiscard]] __device__ Square square() const { return whole; }
  [[nodiscard]] __device__ bool is_none() const { return whole >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return static_cast<std::uint32_t>(called); }
  static __device__ void take(WideNamedKey& best, WideNamedKey other, Square step) {
    const Square square = other.whole + step;
    if (square < best.whole || (square == best.whole && other.called < best.called))
      best = {square, other.called};
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square > worst; }
};

}  // namespace seedwave::gpu
