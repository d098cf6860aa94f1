// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/linear/line_words.cuh"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Lines of one direction in an image on a device. The major axis is not x, so cells of adjacent
/// lines are adjacent along x.
namespace seedwave::gpu::linear {

// Extremes of windows along adjacent lines. Row r holds the r-th cells of all lines, and eight rows
// make a block. A thread has one word of each row of a block and computes the eight windows that
// begin there.

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

/// Shift of a place outside the image: so far left that no line reaches the image.
inline constexpr int kNowhere = -(1 << 29);

/// Cells first .. end - 1.
struct OwnCells {
  int first;
  int end;
  [[nodiscard]] __device__ bool has(int i) const { return i >= first && i < end; }
};

struct LineTask {
  const std::byte* from;
  int width;           // cells of a row
  int places;          // along the lines
  int others;          // along the third axis; 1 in 2-D
  std::int64_t row;    // bytes from one place to the next
  std::int64_t plane;  // bytes from one to the next of the third axis
  /// Shift of a line along x at each place. Places beyond both ends of the image, as far as tiles
  /// reach, have kNowhere.
  const int* across;
  const int* beside;  // the same along the third axis; null in 2-D
  int first_base;     // of the lines, along x
  int lines;
  int first_other;  // along the third axis
  int other_lines;
  int middle;      // offset of the cell of a window that must lie in the image; -1: none
  OwnCells own_x;  // cells that sums cover: a part's own cells
  OwnCells own_places;
  OwnCells own_others;
  std::int64_t opened;  // byte offset of the task's lines in the side-by-side output
  std::int64_t pitch;   // bytes from one place to the next in that output
};

/// The parameters of one filter, apart from its lines.
struct LineRule {
  LineRule(int cells, std::uint32_t outside_word, std::uint32_t turned_word)
      : window(cells), outside(outside_word), turned(turned_word) {}
  Window window;
  std::uint32_t outside;  // value of cells beyond the image
  std::uint32_t turned;   // all ones: inverted
};

/// Location of a word: x of its first line, and the row if it lies inside the image.
struct WordPlace {
  int x;
  const std::byte* row;
};
__device__ inline WordPlace place_of(const LineTask& task, int place, int base, int other) {
  int x = base + task.across[place];
  std::int64_t offset = place * task.row;
  if (task.beside != nullptr) {
    const int beside = other + task.beside[place];
    if (beside < 0 || beside >= task.others) x = kNowhere;
    offset += beside * task.plane;
  }
  return {x, task.from + offset};
}

/// Unaligned voxels of a row. May read beyond its last word, but the result does not depend on it.
template <typename Cell>
struct UnalignedWord {
  std::uint32_t low;
  std::uint32_t high;
  unsigned turn;
  [[nodiscard]] static __device__ UnalignedWord at(const std::byte* first) {
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    const auto* const word = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
    if constexpr (sizeof(Cell) == 4) return {__ldg(word), 0U, 0U};
    return {__ldg(word), __ldg(word + 1), static_cast<unsigned>(address & 3U) * 8U};
  }
  [[nodiscard]] __device__ std::uint32_t voxels() const {
    return sizeof(Cell) == 4 ? low : __funnelshift_r(low, high, turn);
  }
};

/// A word that may lie partly outside the image. Its voxels from the first one inside on must be
/// shifted to their places.
template <typename Voxel>
struct BorderWord {
  using Cell = CellOf<Voxel>;
  UnalignedWord<Cell> first_inside;
  int x;

  /// Starts the load. If all voxels are outside, it loads an arbitrary valid word, which is not
  /// used.
  [[nodiscard]] static __device__ BorderWord at(const LineTask& task, const WordPlace& place) {
    const bool beside = place.x <= -kCellsOfWord<Cell> || place.x >= task.width;
    const std::byte* const first = place.row + std::int64_t{max(place.x, 0)} * int{sizeof(Voxel)};
    return {UnalignedWord<Cell>::at(beside ? task.from : first), place.x};
  }
  [[nodiscard]] __device__ std::uint32_t cells(const LineTask& task, const LineRule& rule) const {
    const std::uint32_t voxels = __funnelshift_lc(0U, first_inside.voxels(), bits_of<Cell>(-x));
    const std::uint32_t inside = inside_mask<Cell>(x, task.width);
    return (cells_of<Voxel>(voxels, rule.turned) & inside) | (rule.outside & ~inside);
  }
};

/// Position of a block's eight words relative to the image.
enum class Whereabouts { Inside, Beside, Anywhere };

/// Locates `cells` cells from x on, at places first .. first + 7. Shifts are monotonic. If the
/// words at both ends of the block are inside, or beside the same end of the rows, so are those
/// between.
template <typename Cell>
__device__ Whereabouts whereabouts(const LineTask& task, int first, int base, int other,
                                   int cells = kCellsOfWord<Cell>) {
  constexpr int kLast = kBlockRows - 1;
  if (first < -kLast || first >= task.places) return Whereabouts::Beside;
  if (first < 0 || first + kLast >= task.places) return Whereabouts::Anywhere;
  const int a = base + task.across[first];
  const int b = base + task.across[first + kLast];
  if (task.beside != nullptr) {
    const int c = other + task.beside[first];
    const int d = other + task.beside[first + kLast];
    if (min(c, d) < 0 || max(c, d) >= task.others) return Whereabouts::Anywhere;
  }
  if (min(a, b) >= 0 && max(a, b) + cells <= task.width) return Whereabouts::Inside;
  return max(a, b) + cells <= 0 || min(a, b) >= task.width ? Whereabouts::Beside
                                                           : Whereabouts::Anywhere;
}

/// Voxels of a word at each of eight places, all inside.
template <typename Voxel>
struct InsideBlock {
  const std::byte* row;
  const int* across;
  const int* beside;

  __device__ InsideBlock(const LineTask& task, int first, int base, int other)
      : row(task.from + first * task.row + other * task.plane + base * int{sizeof(Voxel)}),
        across(task.across + first),
        beside(task.beside == nullptr ? nullptr : task.beside + first) {}
  [[nodiscard]] __device__ const std::byte* at(const LineTask& task, int t) const {
    const std::byte* voxels = row + t * task.row + across[t] * int{sizeof(Voxel)};
    return beside == nullptr ? voxels : voxels + beside[t] * task.plane;
  }
};

/// Reads a block's rows from place `first` on, at least `count` of them. All loads are issued
/// before the first is waited for.
template <typename Voxel>
__device__ void read_block(const LineTask& task, const LineRule& rule, int first, int base,
                           int other, std::uint32_t (&rows)[kBlockRows], int count = kBlockRows) {
  using Cell = CellOf<Voxel>;
  const Whereabouts where = whereabouts<Cell>(task, first, base, other);
  if (where == Whereabouts::Inside) {
    UnalignedWord<Cell> words[kBlockRows]{};
    const InsideBlock<Voxel> block(task, first, base, other);
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t) {
      if (t < count) words[t] = UnalignedWord<Cell>::at(block.at(task, t));
    }
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = cells_of<Voxel>(words[t].voxels(), rule.turned);
    return;
  }
  if (where == Whereabouts::Beside) {
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = rule.outside;
    return;
  }
  BorderWord<Voxel> words[kBlockRows];
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t)
    words[t] = BorderWord<Voxel>::at(task, place_of(task, first + t, base, other));
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t)
    rows[t] = words[t].cells(task, rule);
}

/// Removes windows whose middle is not in the image, for the eight windows that begin at `first`
/// and after it.
template <typename Voxel>
__device__ void drop_windows(const LineTask& task, int first, int base, int other,
                             std::uint32_t (&rows)[kBlockRows]) {
  using Cell = CellOf<Voxel>;
  constexpr std::uint32_t kNever = kNeutralWord<Cell, Extreme::Highest>;
  const Whereabouts where = whereabouts<Cell>(task, first + task.middle, base, other);
  if (where == Whereabouts::Inside) return;
  if (where == Whereabouts::Beside) {
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = kNever;
    return;
  }
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t) {
    const WordPlace place = place_of(task, first + t + task.middle, base, other);
    const std::uint32_t inside = inside_mask<Cell>(place.x, task.width);
    rows[t] = (rows[t] & inside) | (kNever & ~inside);
  }
}

}  // namespace seedwave::gpu::linear
