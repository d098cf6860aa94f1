// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/fuzzy/kappa.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/wavefront/strength_rules.h"

#include <bit>
#include <cstdint>

#ifdef SEEDWAVE_HAS_AVX2
#include <immintrin.h>

// clang-format off
#include "core/base/avx2_begin.h"
// clang-format on
#ifndef __clang__
// Otherwise loading 16 rows into registers would become a copy in memory first.
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/// A row of 16 cells in one AVX2 register. The names are explained in kernel_plain.cpp.
namespace seedwave::fuzzy {
namespace {

struct Row {
  __m256i cells;
};

inline Row load(const std::int16_t* from) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
}
inline void store(std::int16_t* to, Row row) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), row.cells);
}
inline Row zero() {
  return {_mm256_setzero_si256()};
}
inline Row min(Row a, Row b) {
  return {_mm256_min_epi16(a.cells, b.cells)};
}
inline Row max(Row a, Row b) {
  return {_mm256_max_epi16(a.cells, b.cells)};
}
inline Row operator&(Row a, Row b) {
  return {_mm256_and_si256(a.cells, b.cells)};
}
inline Row operator|(Row a, Row b) {
  return {_mm256_or_si256(a.cells, b.cells)};
}
inline Row operator^(Row a, Row b) {
  return {_mm256_xor_si256(a.cells, b.cells)};
}
inline Row without(Row a, Row b) {
  return {_mm256_andnot_si256(b.cells, a.cells)};
}
inline Row plus(Row a, Row b) {
  return {_mm256_add_epi16(a.cells, b.cells)};
}
template <int kBits>
inline Row shifted_left(Row a) {
  return {_mm256_slli_epi16(a.cells, kBits)};
}
template <int kBits>
inline Row shifted_right(Row a) {
  return {_mm256_srli_epi16(a.cells, kBits)};
}
inline Row lanes_up(Row a) {
  const __m256i low = _mm256_permute2x128_si256(a.cells, a.cells, 0x08);  // zero, low half
  return {_mm256_alignr_epi8(a.cells, low, 14)};
}
inline Row lanes_down(Row a) {
  const __m256i high = _mm256_permute2x128_si256(a.cells, a.cells, 0x81);  // high half, zero
  return {_mm256_alignr_epi8(high, a.cells, 2)};
}
inline bool any(Row a) {
  return _mm256_testz_si256(a.cells, a.cells) == 0;
}
inline Row greater(Row a, Row b) {
  return {_mm256_cmpgt_epi16(a.cells, b.cells)};
}
inline std::uint16_t bits_of(Row mask) {
  const __m128i low = _mm256_castsi256_si128(mask.cells);
  const __m128i high = _mm256_extracti128_si256(mask.cells, 1);
  return static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}
inline Row everywhere(std::uint16_t value) {
  return {_mm256_set1_epi16(static_cast<std::int16_t>(value))};
}
inline Row lanes_of(std::uint16_t bits) {
  const __m256i own = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                        8192, 16384, -32768);
  return {_mm256_cmpeq_epi16(_mm256_and_si256(everywhere(bits).cells, own), own)};
}
inline int largest(Row a) {
  // Lanes are not negative here, so the largest is the smallest of the unsigned complements.
  const __m128i both =
      _mm_max_epi16(_mm256_castsi256_si128(a.cells), _mm256_extracti128_si256(a.cells, 1));
  const __m128i least = _mm_minpos_epu16(_mm_xor_si128(both, _mm_set1_epi16(-1)));
  return 0xFFFF ^ (_mm_cvtsi128_si32(least) & 0xFFFF);
}
/// 16 single-precision numbers.
struct Floats {
  __m256 low;
  __m256 high;
};

inline Floats no_floats() {
  return {_mm256_setzero_ps(), _mm256_setzero_ps()};
}
inline Floats load_floats(const float* from) {
  return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}
inline void store_floats(float* to, Floats a) {
  _mm256_storeu_ps(to, a.low);
  _mm256_storeu_ps(to + 8, a.high);
}
inline Floats min(Floats a, Floats b) {
  return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)};
}
inline Floats max(Floats a, Floats b) {
  return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}
inline Floats product(Floats a, Floats b) {
  return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}
inline Row distance(Row a, Row b) {
  return {
      _mm256_or_si256(_mm256_subs_epu16(a.cells, b.cells), _mm256_subs_epu16(b.cells, a.cells))};
}
inline Floats looked_up(const float* table, Row index) {
  const __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(index.cells));
  const __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(index.cells, 1));
  return {_mm256_i32gather_ps(table, low, 4), _mm256_i32gather_ps(table, high, 4)};
}
inline Row truncated(Floats a) {
  // packs works within 128-bit halves, so the middle quarters are swapped back.
  const __m256i packed =
      _mm256_packs_epi32(_mm256_cvttps_epi32(a.low), _mm256_cvttps_epi32(a.high));
  return {_mm256_permute4x64_epi64(packed, 0xD8)};
}
inline void transpose(Row (&rows)[16]) {
  __m256i a[16];
  __m256i b[16];
  for (int i = 0; i < 8; ++i) {
    a[2 * i] = _mm256_unpacklo_epi16(rows[2 * i].cells, rows[2 * i + 1].cells);
    a[2 * i + 1] = _mm256_unpackhi_epi16(rows[2 * i].cells, rows[2 * i + 1].cells);
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 2; ++j) {
      b[4 * i + 2 * j] = _mm256_unpacklo_epi32(a[4 * i + j], a[4 * i + 2 + j]);
      b[4 * i + 2 * j + 1] = _mm256_unpackhi_epi32(a[4 * i + j], a[4 * i + 2 + j]);
    }
  }
  // b[4i + c] holds columns 2c, 2c + 1 (and 8 more) of rows 4i .. 4i + 3.
  for (int i = 0; i < 2; ++i) {
    for (int c = 0; c < 4; ++c) {
      a[8 * i + 2 * c] = _mm256_unpacklo_epi64(b[8 * i + c], b[8 * i + 4 + c]);
      a[8 * i + 2 * c + 1] = _mm256_unpackhi_epi64(b[8 * i + c], b[8 * i + 4 + c]);
    }
  }
  // a[8i + c] holds column c in the low half and c + 8 in the high half, of rows 8i .. 8i + 7.
  for (int c = 0; c < 8; ++c) {
    rows[c].cells = _mm256_permute2x128_si256(a[c], a[8 + c], 0x20);
    rows[c + 8].cells = _mm256_permute2x128_si256(a[c], a[8 + c], 0x31);
  }
}

}  // namespace
}  // namespace seedwave::fuzzy

// The kernel is written in terms of Row, which comes first.
// clang-format off
#include "core/fuzzy/tiles/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::fuzzy {
namespace {

constexpr TileKernel kKernel = make_kernel("avx2");

}  // namespace
}  // namespace seedwave::fuzzy
#endif

namespace seedwave::fuzzy {

const TileKernel* avx2_kernel() {
  return SEEDWAVE_IF_AVX2(kKernel);
}

const TileKernel& best_kernel() {
  return faster_of(avx2_kernel(), plain_kernel());
}

}  // namespace seedwave::fuzzy
