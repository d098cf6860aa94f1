// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Operations of `box` on cells, in plain C++ and with AVX2. box.cpp selects the cells.
namespace seedwave::texture {

/// Two phases share a byte of a mask: a cell of the first is 1, of the second 16. Up to 15 pairs of
/// each can then be counted in one byte.
inline constexpr std::uint8_t kFirstPhase = 1;
inline constexpr std::uint8_t kSecondPhase = 16;

/// Number of adjacent windows that are counted at once.
inline constexpr int kChunk = 64;

/// A pair of cells: positions in a mask, relative to a window's first cell.
struct CellPair {
  std::int32_t first;
  std::int32_t second;
};

/// A pair of rows of cells stored as bits: positions of words, and the number of words.
struct WordPair {
  std::int32_t first;
  std::int32_t second;
  std::int32_t words;
};

/// Lags with equal weights at every radius, and the change of their pairs from a window to its
/// neighbours. In the list, `pairs` added pairs are followed by as many removed ones.
struct LagGroup {
  std::int32_t pairs;
};

/// Weight of a couple (two groups) at one radius. A weight is split into signed halves of words,
/// lowest first, of both groups side by side.
inline constexpr int kMostLimbs = 3;
struct CoupleWeight {
  std::int32_t couple;
  std::array<std::array<std::int16_t, 2>, kMostLimbs> limbs;
};

/// Number of rows whose counts may be weighted at once. Then a group has at most 128, and times
/// 2^15 and the at most 300 groups of one radius of kLargestWindow / 2 that is below 2^31.
inline constexpr std::int64_t kMostRows = 16;

/// All pairs to count, with their weights.
struct CornerPlan {
  const LagGroup* groups;  // two per couple
  std::int64_t couples;
  const CellPair* pairs;  // by group
  const CoupleWeight* weights;
  const std::int32_t* first_weight;  // of radii 0, 1 .. and one past the last
  std::int64_t radii;
  int limbs;  // 2 or 3
};

/// Destination of the sums, by radius.
struct SumRow {
  /// Input: the sums of all windows before the chunk. Output: those before the next one.
  double* carried;
  float* features;
  std::int64_t radius_stride;
};

struct Kernel {
  /// Computes for each couple, window of the chunk and phase the change at the four corners of the
  /// window, as (group, group) side by side.
  void (*count)(const CornerPlan& plan, const std::uint8_t* mask, std::int16_t* first_phase,
                std::int16_t* second_phase);
  /// Slopes are the differences of features between each window and the next one to the right, of
  /// one phase and chunk, by radius. Adds the weighted counts of one row, or the sums over up to
  /// kMostRows rows. The slopes are then those of the row below.
  void (*add)(const CornerPlan& plan, const std::int16_t* counts, double* slopes);
  /// First sums the slopes from the left, which gives the features, and then does the same.
  void (*sum_and_add)(const CornerPlan& plan, const std::int16_t* counts, double* slopes,
                      const SumRow& sums);
  /// Counts for each pair of positions the bits that are set in both.
  void (*count_words)(const WordPair* pairs, std::int64_t count, const std::uint64_t* bits,
                      std::int32_t* sums);
};

/// Returns the number of counts of all couples of a chunk.
[[nodiscard]] inline std::int64_t count_values(const CornerPlan& plan) {
  return plan.couples * kChunk * 2;
}

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::texture
