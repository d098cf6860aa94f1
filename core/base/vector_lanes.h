// SPDX-License-Identifier: Apache-2.0
// Vectors of numbers in the compiler's own types, for loops that are compiled once plainly and once
// for AVX2 (avx2_begin.h). Each translation unit includes this header once, inside an instruction
// set. Everything here has internal linkage, so that no code for one processor is taken for
// another's.
#pragma once

#include <cstdint>

// Vectors are passed to functions that are always inlined: no caller has another instruction set.
#pragma GCC diagnostic ignored "-Wpsabi"
#define SEEDWAVE_INLINE [[gnu::always_inline]] inline

namespace seedwave {
namespace {

/// Size of one AVX2 register, or of two on a processor without AVX2.
constexpr int kVectorBytes = 32;

/// A vector of that size, and half of one. Written out for each type, because a vector of a
/// template parameter loses its width as a template argument.
template <typename Cell>
struct VectorOf;
template <>
struct VectorOf<std::uint8_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint8_t;
  using Half [[gnu::vector_size(kVectorBytes / 2)]] = std::uint8_t;
};
template <>
struct VectorOf<std::uint16_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint16_t;
  using Half [[gnu::vector_size(kVectorBytes / 2)]] = std::uint16_t;
};
template <>
struct VectorOf<std::int8_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::int8_t;
};
template <>
struct VectorOf<std::int16_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::int16_t;
};
template <>
struct VectorOf<std::int32_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::int32_t;
  using Half [[gnu::vector_size(kVectorBytes / 2)]] = std::int32_t;
};
template <>
struct VectorOf<std::uint32_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint32_t;
};
template <>
struct VectorOf<std::int64_t> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::int64_t;
};
template <>
struct VectorOf<float> {
  using Type [[gnu::vector_size(kVectorBytes)]] = float;
  using Half [[gnu::vector_size(kVectorBytes / 2)]] = float;
};
template <>
struct VectorOf<double> {
  using Type [[gnu::vector_size(kVectorBytes)]] = double;
};

/// Number of cells in a vector.
template <typename Cell>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(Cell));

// Loads a vector from any address. In g++ a copy by memcpy would go through narrower registers;
// clang 14 ignores the alignment given to a template parameter.
#ifdef __clang__
template <typename Vector, typename Cell>
SEEDWAVE_INLINE Vector load(const Cell* from) {
  Vector lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
template <typename Vector, typename Cell>
SEEDWAVE_INLINE void store(Cell* to, const Vector& lanes) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}
#else
template <typename Vector>
using Unaligned [[gnu::aligned(1), gnu::may_alias]] = Vector;

template <typename Vector, typename Cell>
SEEDWAVE_INLINE Vector load(const Cell* from) {
  return *reinterpret_cast<const Unaligned<Vector>*>(from);
}
template <typename Vector, typename Cell>
SEEDWAVE_INLINE void store(Cell* to, const Vector& lanes) {
  *reinterpret_cast<Unaligned<Vector>*>(to) = lanes;
}
#endif

// Conversions between half a vector of 32 bits and a vector of f64. By itself g++ 12 would use two
// halves of two lanes.
#if defined(SEEDWAVE_FOR_AVX2) && !defined(__clang__)
SEEDWAVE_INLINE VectorOf<double>::Type doubles_of(const VectorOf<std::int32_t>::Half& lanes) {
  return __builtin_ia32_cvtdq2pd256(lanes);
}
SEEDWAVE_INLINE VectorOf<double>::Type doubles_of(const VectorOf<float>::Half& lanes) {
  return __builtin_ia32_cvtps2pd256(lanes);
}
SEEDWAVE_INLINE VectorOf<float>::Half floats_of(const VectorOf<double>::Type& lanes) {
  return __builtin_ia32_cvtpd2ps256(lanes);
}
#else
template <typename Half>
SEEDWAVE_INLINE VectorOf<double>::Type doubles_of(const Half& lanes) {
  return __builtin_convertvector(lanes, VectorOf<double>::Type);
}
SEEDWAVE_INLINE VectorOf<float>::Half floats_of(const VectorOf<double>::Type& lanes) {
  return __builtin_convertvector(lanes, VectorOf<float>::Half);
}
#endif

template <typename Vector>
SEEDWAVE_INLINE Vector lesser(const Vector& a, const Vector& b) {
  return a < b ? a : b;
}
template <typename Vector>
SEEDWAVE_INLINE Vector greater(const Vector& a, const Vector& b) {
  return a > b ? a : b;
}
/// Returns whether any bit is set.
template <typename Vector>
SEEDWAVE_INLINE bool any(const Vector& lanes) {
  using Words [[gnu::vector_size(kVectorBytes)]] = long long;
  const auto words = __builtin_bit_cast(Words, lanes);
#ifdef SEEDWAVE_FOR_AVX2
  return __builtin_ia32_ptestz256(words, words) == 0;  // g++ 12 does not generate this itself
#else
  return ((words[0] | words[1]) | (words[2] | words[3])) != 0;
#endif
}

}  // namespace
}  // namespace seedwave
