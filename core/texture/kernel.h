// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// What `box` does with cells, in plain C++ and with AVX2. Which cells these are is the business of
/// corner_plan.h and box.cpp.
namespace seedwave::texture {

/// Two phases share a byte of a mask: a cell of the one is 1, of the other 16, so that up to 15
/// pairs of each are counted in one byte.
inline constexpr std::uint8_t kFirstPhase = 1;
inline constexpr std::uint8_t kSecondPhase = 16;

/// Windows side by side that are counted at once.
inline constexpr int kChunk = 64;

/// A pair of cells: places in a mask, from a window's first cell on.
struct CellPair {
  std::int32_t first;
  std::int32_t second;
};

/// The same of cells that are bits: places of words, so many one after the other.
struct WordPair {
  std::int32_t first;
  std::int32_t second;
  std::int32_t words;
};

/// Lags that count for the same at every radius. What their pairs change from a window to its
/// neighbours: so many pairs come in, and behind them in the list as many go out.
struct LagGroup {
  std::int32_t pairs;
};

/// Groups are taken by two: what a couple counts for at one radius. A weight is cut into signed
/// halves of words, the lowest first, of both groups side by side.
inline constexpr int kMostLimbs = 3;
struct CoupleWeight {
  std::int32_t couple;
  std::array<std::array<std::int16_t, 2>, kMostLimbs> limbs;
};

/// Counts of so many rows may be weighed at once: then at most 128 a group, times 2^15 and the 300
/// groups that one radius of kLargestWindow / 2 can have, is still below 2^31.
inline constexpr std::int64_t kMostRows = 16;

/// All there is to count, and what it counts for.
struct CornerPlan {
  const LagGroup* groups;  // two a couple
  std::int64_t couples;
  const CellPair* pairs;  // group by group
  const CoupleWeight* weights;
  const std::int32_t* first_weight;  // of radii 0, 1 .. and behind the last
  std::int64_t radii;
  int limbs;  // 2 or 3
};

/// Where sums go: radius by radius.
struct SumRow {
  /// Of all windows before the chunk; then of those before the next one.
  double* carried;
  float* features;
  std::int64_t radius_stride;
};

struct Kernel {
  /// For each couple, window of the chunk and phase: what the four corners of the window change, as
  /// (group, group) side by side.
  void (*count)(const CornerPlan& plan, const std::uint8_t* mask, std::int16_t* first_phase,
                std::int16_t* second_phase);
  /// Slopes are the features' differences from each window to the next one on the right, of one
  /// phase and chunk, radius by radius. Adds to them what counts of a row, or the sums of those of
  /// up to kMostRows, change: then they are those of the row below.
  void (*add)(const CornerPlan& plan, const std::int16_t* counts, double* slopes);
  /// Before that, sums the slopes up from the left: these are the features.
  void (*sum_and_add)(const CornerPlan& plan, const std::int16_t* counts, double* slopes,
                      const SumRow& sums);
  /// For each pair of places the bits that both have.
  void (*count_words)(const WordPair* pairs, std::int64_t count, const std::uint64_t* bits,
                      std::int32_t* sums);
};

/// Values of all couples of a chunk.
[[nodiscard]] inline std::int64_t count_values(const CornerPlan& plan) {
  return plan.couples * kChunk * 2;
}

/// The fastest that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Null where this program was not built for a processor that may have AVX2.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::texture
