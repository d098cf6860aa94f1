// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/linear/line_words.cuh"

#include <cstdint>

/// Extremes of windows along adjacent lines. Row r holds the r-th cells of all lines, and eight
/// rows make a block. A thread has one word of each row of a block and computes the eight windows
/// that begin there.
namespace seedwave::gpu::linear {

inline constexpr int kBlockRows = 8;
/// Number of rows beyond the last block that the eight windows may read without effect.
inline constexpr int kRowsBehind = kBlockRows;

/// A window that begins anywhere in block k contains the rest of block k and the blocks
/// k + 1 .. k + whole. Of the rows after them it contains `rest` plus its position in block k.
/// Windows shorter than a block: `whole` and `rest` are 0.
struct Window {
  SEEDWAVE_HD explicit Window(int cells)
      : length(cells),
        whole(cells < kBlockRows ? 0 : cells / kBlockRows - 1),
        rest(cells < kBlockRows ? 0 : cells % kBlockRows) {}
  [[nodiscard]] SEEDWAVE_HD bool is_short() const { return length < kBlockRows; }

  int length;
  int whole;
  int rest;
};

/// Replaces `rows`, a block's words, by the extremes of the windows that begin there. `around`
/// provides whole(), the extreme of the whole blocks; rest(), that of the `rest` rows after them;
/// behind(t), the word of the t-th row after these, t up to 6.
template <Extreme extreme, typename Cell, typename Around>
__device__ void find_extremes(std::uint32_t (&rows)[kBlockRows], const Window& window,
                              const Around& around) {
  using Word = Parts<Cell>;
  if (window.is_short()) {
    Word cells[2 * kBlockRows - 1];
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      cells[t] = Word::of(rows[t]);
#pragma unroll
    for (int t = 0; t + 1 < kBlockRows; ++t)
      cells[kBlockRows + t] = Word::of(around.behind(t));
    for (int length = 1; length < window.length; ++length) {
#pragma unroll
      for (int t = 0; t + 1 < 2 * kBlockRows - 1; ++t)
        cells[t] = extreme_of<extreme>(cells[t], cells[t + 1]);
    }
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = cells[t].word();
    return;
  }
  Word before[kBlockRows];  // from a row to the end of the block
  before[kBlockRows - 1] = Word::of(rows[kBlockRows - 1]);
#pragma unroll
  for (int t = kBlockRows - 2; t >= 0; --t)
    before[t] = extreme_of<extreme>(before[t + 1], Word::of(rows[t]));
  Word after = extreme_of<extreme>(around.whole(), around.rest());
  rows[0] = extreme_of<extreme>(before[0], after).word();
#pragma unroll
  for (int t = 1; t < kBlockRows; ++t) {
    after = extreme_of<extreme>(after, Word::of(around.behind(t - 1)));
    rows[t] = extreme_of<extreme>(before[t], after).word();
  }
}

/// Returns the extreme of a block's own rows.
template <Extreme extreme, typename Cell>
__device__ std::uint32_t extreme_of_block(const std::uint32_t (&rows)[kBlockRows]) {
  Parts<Cell> all = Parts<Cell>::of(rows[0]);
#pragma unroll
  for (int t = 1; t < kBlockRows; ++t)
    all = extreme_of<extreme>(all, Parts<Cell>::of(rows[t]));
  return all.word();
}

}  // namespace seedwave::gpu::linear
