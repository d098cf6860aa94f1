// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/linear/line_window.cuh"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Lines of one direction in an image on a device, the major axis not being x: along x their cells
/// lie side by side.
namespace seedwave::gpu::linear {

/// A place of a line that is outside the image: so far left that no line reaches in.
inline constexpr int kNowhere = -(1 << 29);

struct LineTask {
  const std::byte* from;
  int width;           // cells of a row
  int places;          // along the lines
  int others;          // along the third axis; 1 in a picture
  std::int64_t row;    // bytes from one place to the next
  std::int64_t plane;  // and from one to the next of the third axis
  /// How far a line is shifted along x at a place. Both ways beyond the image there is room for
  /// what tiles reach, kNowhere.
  const int* across;
  const int* beside;  // the same along the third axis; null in a picture
  int first_base;     // of the lines, along x
  int lines;
  int first_other;  // and along the third axis
  int other_lines;
  std::int64_t opened;  // where the lines of this task begin in what is written: Sheared
  std::int64_t pitch;   // bytes from one place to the next there
};

/// What one filter needs beside its lines.
struct LineRule {
  LineRule(int cells, int middle_of_window, std::uint32_t outside_word, std::uint32_t turned_word)
      : window(cells), middle(middle_of_window), outside(outside_word), turned(turned_word) {}
  Window window;
  int middle;             // what must lie in the image, from a window's begin; -1: nothing
  std::uint32_t outside;  // cells beyond the image
  std::uint32_t turned;   // all ones: upside down
};

/// Where a word of a row is: its lines' first x, and the row, if that lies inside the image.
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

/// Voxels of a row that lie anywhere in it; beyond its last word may be read, but not used.
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

template <typename Voxel>
__device__ std::uint32_t word_at(const LineTask& task, const LineRule& rule,
                                 const WordPlace& place) {
  using Cell = CellOf<Voxel>;
  constexpr int kCells = kCellsOfWord<Cell>;
  if (place.x <= -kCells || place.x >= task.width) return rule.outside;
  if (place.x >= 0 && place.x + kCells <= task.width) {
    const std::byte* const first = place.row + std::int64_t{place.x} * int{sizeof(Voxel)};
    return cells_of<Voxel>(UnalignedWord<Cell>::at(first).voxels(), rule.turned);
  }
  std::uint32_t voxels = 0;
  for (int k = 0; k < kCells; ++k) {
    const int x = place.x + k;
    if (x < 0 || x >= task.width) continue;
    const auto voxel = reinterpret_cast<const Cell*>(place.row)[x];
    voxels |= static_cast<std::uint32_t>(voxel) << (8 * static_cast<int>(sizeof(Cell)) * k);
  }
  const std::uint32_t inside = inside_mask<Cell>(place.x, task.width);
  return (cells_of<Voxel>(voxels, rule.turned) & inside) | (rule.outside & ~inside);
}

/// Where a block's eight words are in the image.
enum class Whereabouts { Inside, Beside, Anywhere };

/// Of places first .. first + 7, `cells` of each from x on. Shifts never turn back, so that words
/// which are inside, or beside the same end of the rows, at both ends of the block are so between.
template <typename Cell>
__device__ Whereabouts whereabouts(const LineTask& task, int first, int base, int other,
                                   int cells = kCellsOfWord<Cell>) {
  constexpr int kLast = kBlockRows - 1;
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

/// A block's rows from place `first` on. All are asked for before the first is waited for, those
/// that are not wholly inside in vain.
template <typename Voxel>
__device__ void read_block(const LineTask& task, const LineRule& rule, int first, int base,
                           int other, std::uint32_t (&rows)[kBlockRows]) {
  using Cell = CellOf<Voxel>;
  constexpr int kCells = kCellsOfWord<Cell>;
  UnalignedWord<Cell> words[kBlockRows];
  const Whereabouts where = whereabouts<Cell>(task, first, base, other);
  if (where == Whereabouts::Inside) {
    const InsideBlock<Voxel> block(task, first, base, other);
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      words[t] = UnalignedWord<Cell>::at(block.at(task, t));
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
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t) {
    const WordPlace place = place_of(task, first + t, base, other);
    const bool inside = place.x >= 0 && place.x + kCells <= task.width;
    words[t] = UnalignedWord<Cell>::at(
        inside ? place.row + std::int64_t{place.x} * int{sizeof(Voxel)} : task.from);
  }
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t) {
    const WordPlace place = place_of(task, first + t, base, other);
    rows[t] = place.x >= 0 && place.x + kCells <= task.width
                  ? cells_of<Voxel>(words[t].voxels(), rule.turned)
                  : word_at<Voxel>(task, rule, place);
  }
}

/// Takes windows away whose middle is not in the image: those that begin at `first` and behind it.
template <typename Voxel>
__device__ void drop_windows(const LineTask& task, const LineRule& rule, int first, int base,
                             int other, std::uint32_t (&rows)[kBlockRows]) {
  using Cell = CellOf<Voxel>;
  constexpr std::uint32_t kNever = kNeutralWord<Cell, Extreme::Highest>;
  if (whereabouts<Cell>(task, first + rule.middle, base, other) == Whereabouts::Inside) return;
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t) {
    const WordPlace place = place_of(task, first + t + rule.middle, base, other);
    const std::uint32_t inside = inside_mask<Cell>(place.x, task.width);
    rows[t] = (rows[t] & inside) | (kNever & ~inside);
  }
}

}  // namespace seedwave::gpu::linear
