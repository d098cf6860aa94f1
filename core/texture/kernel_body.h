// SPDX-License-Identifier: Apache-2.0
// Included once without and once with AVX2. Everything here has internal linkage.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/texture/kernel.h"

namespace seedwave::texture {
namespace {

using Bytes = VectorOf<std::uint8_t>::Type;
using Words = VectorOf<std::int32_t>::Type;
using Doubles = VectorOf<double>::Type;
using SignedBytes [[gnu::vector_size(kVectorBytes)]] = std::int8_t;
using HalfBytes [[gnu::vector_size(kVectorBytes / 2)]] = std::int8_t;
using Shorts [[gnu::vector_size(kVectorBytes)]] = std::int16_t;
using HalfShorts [[gnu::vector_size(kVectorBytes / 2)]] = std::int16_t;
using HalfWords = VectorOf<std::int32_t>::Half;

constexpr int kByteLanes = kLanes<std::uint8_t>;
constexpr int kWordLanes = kLanes<std::int32_t>;
constexpr int kDoubleLanes = kLanes<double>;
constexpr int kByteVectors = kChunk / kByteLanes;

/// Returns the sum of the products of the two shorts in each lane.
SEEDWAVE_INLINE Words sum_of_products(const Shorts& a, const Shorts& b) {
#ifdef SEEDWAVE_FOR_AVX2
  return __builtin_bit_cast(Words, __builtin_ia32_pmaddwd256(a, b));
#elif defined(__SSE2__)
  HalfShorts a_half[2];
  HalfShorts b_half[2];
  HalfWords sums[2];
  __builtin_memcpy(a_half, &a, sizeof a);
  __builtin_memcpy(b_half, &b, sizeof b);
  for (int i = 0; i < 2; ++i)
    sums[i] = __builtin_bit_cast(HalfWords, __builtin_ia32_pmaddwd128(a_half[i], b_half[i]));
  Words result;
  __builtin_memcpy(&result, sums, sizeof result);
  return result;
#else
  Words result{};
  for (int i = 0; i < kWordLanes; ++i)
    result[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  return result;
#endif
}

/// Added minus removed pairs of one phase.
struct Changes {
  SignedBytes lanes[kByteVectors];
};
struct ChangesOfTwo {
  Changes first;
  Changes second;
};

SEEDWAVE_INLINE void count_pairs(const std::uint8_t* mask, const CellPair* pairs, int count,
                                 Bytes* sums) {
  for (int v = 0; v < kByteVectors; ++v)
    sums[v] = Bytes{};
  for (int i = 0; i < count; ++i) {
    for (int v = 0; v < kByteVectors; ++v) {
      sums[v] += load<Bytes>(mask + pairs[i].first + v * kByteLanes) &
                 load<Bytes>(mask + pairs[i].second + v * kByteLanes);
    }
  }
}

SEEDWAVE_INLINE ChangesOfTwo count_group(const std::uint8_t* mask, const CellPair* pairs,
                                         int count) {
  Bytes in[kByteVectors];
  Bytes out[kByteVectors];
  count_pairs(mask, pairs, count, in);
  count_pairs(mask, pairs + count, count, out);
  ChangesOfTwo changes;
  const Bytes low = Bytes{} + std::uint8_t{kSecondPhase - 1};
  const auto high = [&](const Bytes& lanes) {
    // Shifts words, because there is no shift of bytes.
    return __builtin_bit_cast(Bytes, __builtin_bit_cast(Shorts, lanes) >> 4) & low;
  };
  for (int v = 0; v < kByteVectors; ++v) {
    changes.first.lanes[v] = __builtin_bit_cast(SignedBytes, (in[v] & low) - (out[v] & low));
    changes.second.lanes[v] = __builtin_bit_cast(SignedBytes, high(in[v]) - high(out[v]));
  }
  return changes;
}

/// Stores two groups side by side, as shorts.
SEEDWAVE_INLINE void put_couple(const Changes& a, const Changes& b, std::int16_t* counts) {
  for (int v = 0; v < kByteVectors; ++v) {
    // Interleaves within each half of a vector, like the processor's instruction.
    const SignedBytes low = __builtin_shufflevector(a.lanes[v], b.lanes[v], 0, 32, 1, 33, 2, 34, 3,
                                                    35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49,
                                                    18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
    const SignedBytes high = __builtin_shufflevector(
        a.lanes[v], b.lanes[v], 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24,
        56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
    HalfBytes quarters[4];
    __builtin_memcpy(quarters, &low, sizeof low);
    __builtin_memcpy(quarters + 2, &high, sizeof high);
    constexpr int kOrder[4] = {0, 2, 1, 3};
    for (int q = 0; q < 4; ++q)
      store(counts + (v * 4 + q) * 2 * kWordLanes,
            __builtin_convertvector(quarters[kOrder[q]], Shorts));
  }
}

void count(const CornerPlan& plan, const std::uint8_t* mask, std::int16_t* first_phase,
           std::int16_t* second_phase) {
  const LagGroup* group = plan.groups;
  const CellPair* pairs = plan.pairs;
  for (std::int64_t couple = 0; couple < plan.couples; ++couple) {
    const ChangesOfTwo a = count_group(mask, pairs, group[0].pairs);
    pairs += 2 * group[0].pairs;
    const ChangesOfTwo b = count_group(mask, pairs, group[1].pairs);
    pairs += 2 * group[1].pairs;
    group += 2;
    put_couple(a.first, b.first, first_phase + couple * kChunk * 2);
    put_couple(a.second, b.second, second_phase + couple * kChunk * 2);
  }
}

/// Number of windows whose sums fit into the registers together.
constexpr int kBlock = 32;
constexpr int kBlockVectors = kBlock / kWordLanes;

template <int limbs>
struct Changed {
  Words lanes[limbs][kBlockVectors];

  /// Returns the changes of a block's windows at one radius.
  SEEDWAVE_INLINE static Changed at_radius(const CornerPlan& plan, std::int64_t radius,
                                           const std::int16_t* counts) {
    Changed changed{};
    const CoupleWeight* end = plan.weights + plan.first_weight[radius + 1];
    for (const CoupleWeight* weight = plan.weights + plan.first_weight[radius]; weight != end;
         ++weight) {
      const std::int16_t* from = counts + std::int64_t{weight->couple} * (kChunk * 2);
      Shorts factors[limbs];
      for (int limb = 0; limb < limbs; ++limb) {
        const auto both = __builtin_bit_cast(std::int32_t, weight->limbs[limb]);
        factors[limb] = __builtin_bit_cast(Shorts, Words{} + both);
      }
      for (int v = 0; v < kBlockVectors; ++v) {
        const auto lanes = load<Shorts>(from + v * 2 * kWordLanes);
        for (int limb = 0; limb < limbs; ++limb)
          changed.lanes[limb][v] += sum_of_products(lanes, factors[limb]);
      }
    }
    return changed;
  }

  /// Returns the four values from lane `part` * 4 of vector v on, with limbs combined. Exact,
  /// because they are integers below 2^53.
  [[nodiscard]] SEEDWAVE_INLINE Doubles at(int v, int part) const {
    const Doubles sum = limb_at(0, v, part) * 0x1p-40 + limb_at(1, v, part) * 0x1p-24;
    if constexpr (limbs == 2) return sum;
    return sum + limb_at(limbs - 1, v, part) * 0x1p-8;
  }
  [[nodiscard]] SEEDWAVE_INLINE Doubles limb_at(int limb, int v, int part) const {
    HalfWords halves[2];
    __builtin_memcpy(halves, &lanes[limb][v], sizeof halves);
    return doubles_of(halves[part]);
  }
};

/// Moves lanes up by `lanes` and fills with zeros.
template <int lanes>
SEEDWAVE_INLINE Doubles moved_up(const Doubles& from) {
  return __builtin_shufflevector(from, Doubles{}, lanes == 1 ? 4 : 4, lanes == 1 ? 0 : 5,
                                 lanes == 1 ? 1 : 0, lanes == 1 ? 2 : 1);
}

enum class Sums { Made, Left };

template <int limbs, Sums sums>
SEEDWAVE_INLINE void add_block(const CornerPlan& plan, const std::int16_t* counts, double* slopes,
                               const SumRow& row) {
  for (std::int64_t radius = 0; radius < plan.radii; ++radius) {
    const auto changed = Changed<limbs>::at_radius(plan, radius, counts);
    double* slope = slopes + radius * kChunk;
    Doubles carried{};
    if constexpr (sums == Sums::Made) carried += row.carried[radius];
    for (int i = 0; i < kBlock / kDoubleLanes; ++i) {
      const auto before = load<Doubles>(slope + i * kDoubleLanes);
      if constexpr (sums == Sums::Made) {
        Doubles upto = before + moved_up<1>(before);
        upto += moved_up<2>(upto);
        const Doubles features = carried + (upto - before);
        store(row.features + radius * row.radius_stride + i * kDoubleLanes, floats_of(features));
        carried += __builtin_shufflevector(upto, upto, 3, 3, 3, 3);
      }
      store(slope + i * kDoubleLanes, before + changed.at(i / 2, i % 2));
    }
    if constexpr (sums == Sums::Made) row.carried[radius] = carried[0];
  }
}

template <int limbs, Sums sums>
SEEDWAVE_INLINE void add_chunk(const CornerPlan& plan, const std::int16_t* counts, double* slopes,
                               const SumRow& row) {
  for (int first = 0; first < kChunk; first += kBlock) {
    add_block<limbs, sums>(plan, counts + first * 2, slopes + first,
                           {row.carried, row.features + first, row.radius_stride});
  }
}

void add(const CornerPlan& plan, const std::int16_t* counts, double* slopes) {
  if (plan.limbs == 2) {
    add_chunk<2, Sums::Left>(plan, counts, slopes, {});
  } else {
    add_chunk<3, Sums::Left>(plan, counts, slopes, {});
  }
}

void sum_and_add(const CornerPlan& plan, const std::int16_t* counts, double* slopes,
                 const SumRow& sums) {
  if (plan.limbs == 2) {
    add_chunk<2, Sums::Made>(plan, counts, slopes, sums);
  } else {
    add_chunk<3, Sums::Made>(plan, counts, slopes, sums);
  }
}

void count_words(const WordPair* pairs, std::int64_t count, const std::uint64_t* bits,
                 std::int32_t* sums) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t* a = bits + pairs[i].first;
    const std::uint64_t* b = bits + pairs[i].second;
    std::int32_t sum = 0;
    for (std::int32_t word = 0; word < pairs[i].words; ++word)
      sum += __builtin_popcountll(a[word] & b[word]);
    sums[i] = sum;
  }
}

constexpr Kernel kKernel{
    .count = count, .add = add, .sum_and_add = sum_and_add, .count_words = count_words};

}  // namespace
}  // namespace seedwave::texture
