// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_sinks.cuh"
#include "gpu/morphology/linear/line_task.cuh"

#include <algorithm>
#include <cstdint>
#include <utility>

/// Openings in device memory for lines of any length: erosion, then dilation. Device memory
/// replaces the shared memory of a tile. The tables of whole blocks, an eighth of the cells, are
/// enlarged until a few of their entries make up a window. The cost per cell is therefore the same
/// for every length.
namespace seedwave::gpu::linear {

inline constexpr int kPassThreads = 256;
/// Blocks of threads per multiprocessor: enough registers for a thread's prefetched words, and
/// enough warps to hide memory latency.
inline constexpr int kPassesTogether = 3;
/// Number of entries of a table that are combined into one entry of the next.
inline constexpr int kGrowth = 8;

/// Lines that are processed together, and their windows.
struct LongLines {
  int places;
  int width;  // of a row, in cells
  int lines;  // adjacent ones, including those that enter or leave the image on their way
  int length;
  bool anchored;  // a window's middle must lie in the image
  int cells;      // per word
  int common;     // words that adjacent tiles share

  [[nodiscard]] static LongLines of(const LineTask& task, int length, int cells, int common) {
    return {task.places, task.width, task.lines, length, task.middle >= 0, cells, common};
  }
  /// Returns the number of lines whose results can depend on the surroundings of a place: those in
  /// the image there, and those that enter or leave within reach. Shifts rise or fall evenly,
  /// except for rounding.
  [[nodiscard]] std::int64_t alive() const {
    const std::int64_t reach = (anchored ? 1 : 2) * std::int64_t{length} + 4 * kBlockRows;
    const std::int64_t shift = (lines - width + 1) * reach / std::max(1, places - 1) + 2;
    return std::min<std::int64_t>(lines, width + shift);
  }
};

/// Rows of eroded cells. Row r has the windows that begin length - 1 places before place r. Words
/// come in groups of kTileWords. If lines are shifted, most groups are outside the image most of
/// the way. A column therefore serves several groups in turn: group g is in column g % `groups`.
struct LongShape {
  int groups = 0;  // side by side
  int all_groups = 0;
  int common = 0;  // words that adjacent groups share
  int blocks = 0;
  int others = 0;  // third-axis lines processed together

  [[nodiscard]] SEEDWAVE_HD int words() const { return groups * kTileWords; }
  /// Stride in words between groups.
  [[nodiscard]] SEEDWAVE_HD int step() const { return kTileWords - common; }
  [[nodiscard]] SEEDWAVE_HD std::int64_t table_words() const {
    return std::int64_t{others} * blocks * words();
  }
  [[nodiscard]] static LongShape of(const LongLines& lines, int others) {
    LongShape shape;
    shape.common = lines.common;
    const auto groups_of = [&](std::int64_t words) {
      return static_cast<int>((words + shape.common + shape.step() - 1) / shape.step());
    };
    shape.all_groups = groups_of((lines.lines + lines.cells - 1) / lines.cells);
    // One extra word and one extra group, since neither begins where the live lines do.
    shape.groups = std::min(shape.all_groups, groups_of(lines.alive() / lines.cells + 2) + 1);
    shape.blocks = (lines.places + 2 * (lines.length - 1) + kBlockRows - 1) / kBlockRows + 1;
    shape.others = others;
    return shape;
  }
};

/// A table of whole blocks. Each entry covers its block and the `step` - 1 blocks after it.
struct BlockTable {
  const std::uint32_t* entries;
  int step;
};

/// A thread's word of a block, counted in words of the shape.
struct LongPlace {
  int word;
  int block;
  int other;
  [[nodiscard]] __device__ int lane() const { return word % kTileWords; }
  [[nodiscard]] static __device__ LongPlace of(std::int64_t item, const LongShape& shape) {
    const int words = shape.words();
    // A 64-bit integer division takes as long as half of a pass.
    const std::int64_t block =
        item >> 32 == 0
            ? std::int64_t{static_cast<std::uint32_t>(item) / static_cast<std::uint32_t>(words)}
            : item / words;
    const auto row = static_cast<int>(block);
    return {static_cast<int>(item - block * words), row % shape.blocks, row / shape.blocks};
  }
};
__device__ inline std::int64_t item_of_thread() {
  return std::int64_t{blockIdx.x} * kPassThreads + threadIdx.x;
}

/// The surroundings of a block in device memory. The rows after the whole blocks have already been
/// read.
template <Extreme extreme, typename Cell>
struct LongAround {
  const Window& window;
  const BlockTable& table;
  std::int64_t item;
  int words;
  const std::uint32_t (&at_rest)[kBlockRows];
  const std::uint32_t (&at_behind)[kBlockRows];

  [[nodiscard]] __device__ Parts<Cell> whole() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
    if (window.whole == 0) return all;
    const auto entry = [&](int k) {
      return Parts<Cell>::of(__ldg(table.entries + item + std::int64_t{k} * words));
    };
    for (int k = 1; k + table.step <= window.whole; k += table.step)
      all = extreme_of<extreme>(all, entry(k));
    return extreme_of<extreme>(all, entry(window.whole + 1 - table.step));
  }
  [[nodiscard]] __device__ Parts<Cell> rest() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
#pragma unroll
    for (int j = 0; j < kBlockRows; ++j) {
      if (j < window.rest) all = extreme_of<extreme>(all, Parts<Cell>::of(at_rest[j]));
    }
    return all;
  }
  [[nodiscard]] __device__ std::uint32_t behind(int t) const {
    return at_behind[t];
  }
};

/// The places, relative to those of a block, at which the lines of that block's words are in the
/// image.
struct Reach {
  int first;
  int last;
};

/// The common parameters of all passes of a run.
struct LongRun {
  LineTask task;
  LineRule rule;
  LongShape shape;
  int first_other;  // number of the first third-axis line of those processed together
  Reach reach;

  /// Returns the first line of a word, in a block of places from `first` on.
  [[nodiscard]] __device__ int line_of(const LongPlace& place, int first, int cells) const {
    const int group = group_of(place.word / kTileWords, first, cells);
    return (group * shape.step() + place.lane() - shape.common) * cells;
  }
  /// Returns the one group of a column that is live there.
  [[nodiscard]] __device__ int group_of(int column, int first, int cells) const {
    if (shape.groups == shape.all_groups) return column;
    const int a = task.across[min(max(first + reach.first, 0), task.places - 1)];
    const int b = task.across[min(max(first + kBlockRows - 1 + reach.last, 0), task.places - 1)];
    const int line = -max(a, b) - task.first_base;
    const int group = min(line / (cells * shape.step()), shape.all_groups - shape.groups);
    const int beside = (column - group) % shape.groups;
    return group + (beside < 0 ? beside + shape.groups : beside);
  }
  [[nodiscard]] __device__ int other_of(const LongPlace& place) const {
    return task.first_other + first_other + place.other;
  }
  [[nodiscard]] __device__ int place_of_row(int row) const {
    return row - (rule.window.length - 1);
  }
};

/// Computes the table of the image's own blocks. One thread per word of a block. No races.
template <typename Voxel>
__global__ void __launch_bounds__(kPassThreads)
    tabulate_blocks_kernel(const __grid_constant__ LongRun run,
                           std::uint32_t* __restrict__ blocks) {
  using Cell = CellOf<Voxel>;
  const std::int64_t item = item_of_thread();
  if (item >= run.shape.table_words()) return;
  const LongPlace place = LongPlace::of(item, run.shape);
  std::uint32_t rows[kBlockRows];
  const int first = run.place_of_row(place.block * kBlockRows);
  const int base = run.task.first_base + run.line_of(place, first, kCellsOfWord<Cell>);
  read_block<Voxel>(run.task, run.rule, first, base, run.other_of(place), rows);
  blocks[item] = extreme_of_block<Extreme::Lowest, Cell>(rows);
}

/// Computes the next table. One thread per entry; entries past the last block cover fewer blocks.
/// No races.
template <Extreme extreme, typename Cell>
__global__ void __launch_bounds__(kPassThreads)
    grow_table_kernel(const LongShape shape, const BlockTable table,
                      std::uint32_t* __restrict__ grown) {
  const std::int64_t item = item_of_thread();
  if (item >= shape.table_words()) return;
  const int words = shape.words();
  const LongPlace place = LongPlace::of(item, shape);
  auto all = Parts<Cell>::of(table.entries[item]);
#pragma unroll
  for (int k = 1; k < kGrowth; ++k) {
    const int ahead = min(k * table.step, shape.blocks - 1 - place.block);
    all = extreme_of<extreme>(
        all, Parts<Cell>::of(__ldg(table.entries + item + std::int64_t{ahead} * words)));
  }
  grown[item] = all.word();
}

/// Computes the windows that begin in a block. One thread per word of eight rows; it also starts
/// the table for the dilation. No races.
template <typename Voxel>
__global__ void __launch_bounds__(kPassThreads, kPassesTogether)
    erode_kernel(const __grid_constant__ LongRun run, const BlockTable table,
                 std::uint32_t* __restrict__ eroded, std::uint32_t* __restrict__ blocks) {
  using Cell = CellOf<Voxel>;
  const std::int64_t item = item_of_thread();
  if (item >= run.shape.table_words()) return;
  const LongPlace place = LongPlace::of(item, run.shape);
  const Window& window = run.rule.window;
  // Skips windows that begin after the image.
  if (run.place_of_row(place.block * kBlockRows) >= run.task.places) return;
  const int first = run.place_of_row(place.block * kBlockRows);
  const int words = run.shape.words();
  const int base = run.task.first_base + run.line_of(place, first, kCellsOfWord<Cell>);
  const int other = run.other_of(place);
  std::uint32_t rows[kBlockRows];
  if (run.task.middle >= 0 &&
      whereabouts<Cell>(run.task, first + run.task.middle, base, other) == Whereabouts::Beside) {
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = kNeutralWord<Cell, Extreme::Highest>;
  } else {
    const int behind = first + kBlockRows * (window.whole + 1);
    std::uint32_t at_rest[kBlockRows]{};
    std::uint32_t at_behind[kBlockRows];
    read_block<Voxel>(run.task, run.rule, first, base, other, rows);
    if (window.rest > 0)
      read_block<Voxel>(run.task, run.rule, behind, base, other, at_rest, window.rest);
    read_block<Voxel>(run.task, run.rule, behind + window.rest, base, other, at_behind);
    find_extremes<Extreme::Lowest, Cell>(
        rows, window,
        LongAround<Extreme::Lowest, Cell>{window, table, item, words, at_rest, at_behind});
    if (run.task.middle >= 0) drop_windows<Voxel>(run.task, first, base, other, rows);
  }
  std::uint32_t* const to = eroded + item + (item - place.word) * (kBlockRows - 1);
#pragma unroll
  for (int t = 0; t < kBlockRows; ++t)
    to[t * words] = rows[t];
  blocks[item] = extreme_of_block<Extreme::Highest, Cell>(rows);
}

/// Computes the maximum of the windows that contain a cell. One thread per word of eight rows; all
/// threads of a warp call the sink. No races.
template <typename Voxel, typename Sink>
__global__ void __launch_bounds__(kPassThreads, kPassesTogether)
    dilate_kernel(const __grid_constant__ LongRun run, const BlockTable table,
                  const std::uint32_t* __restrict__ eroded, const Sink sink) {
  using Cell = CellOf<Voxel>;
  const std::int64_t item = min(item_of_thread(), run.shape.table_words() - 1);
  const bool doubled = item != item_of_thread();
  const LongPlace place = LongPlace::of(item, run.shape);
  const Window& window = run.rule.window;
  const int first = place.block * kBlockRows;
  std::uint32_t rows[kBlockRows]{};
  const int line = run.line_of(place, first, kCellsOfWord<Cell>);
  const int words = run.shape.words();
  if (first < run.task.places && whereabouts<Cell>(run.task, first, run.task.first_base + line,
                                                   run.other_of(place)) != Whereabouts::Beside) {
    const std::uint32_t* const from = eroded + item + (item - place.word) * (kBlockRows - 1);
    const std::uint32_t* const behind =
        from + std::int64_t{kBlockRows} * (window.whole + 1) * words;
    std::uint32_t at_rest[kBlockRows];
    std::uint32_t at_behind[kBlockRows];
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      rows[t] = __ldg(from + t * words);
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      at_rest[t] = t < window.rest ? __ldg(behind + t * words) : 0U;
#pragma unroll
    for (int t = 0; t < kBlockRows - 1; ++t)
      at_behind[t] = __ldg(behind + (t + window.rest) * words);
    find_extremes<Extreme::Highest, Cell>(
        rows, window,
        LongAround<Extreme::Highest, Cell>{window, table, item, words, at_rest, at_behind});
  }
  const OpenedBlock block{first, doubled ? first : min(first + kBlockRows, run.task.places), line,
                          place.lane(), run.other_of(place)};
  sink.template put<kTileWords>(run.task, run.rule, block, rows);
}

/// The working memory of a run: eroded cells, and two tables that are enlarged alternately.
struct LongMemory {
  LongMemory(const LongShape& shape, const Stream& stream)
      : eroded(shape.table_words() * kBlockRows, stream),
        a(shape.table_words(), stream),
        b(shape.table_words(), stream) {}
  DeviceBuffer<std::uint32_t> eroded;
  DeviceBuffer<std::uint32_t> a;
  DeviceBuffer<std::uint32_t> b;

  /// Number of its words per word of the table.
  static constexpr int kWords = kBlockRows + 2;
};

inline unsigned pass_blocks(const LongShape& shape) {
  return static_cast<unsigned>((shape.table_words() + kPassThreads - 1) / kPassThreads);
}

/// Enlarges the table in `from`, alternating with `other`, until eight entries are enough.
template <Extreme extreme, typename Cell>
BlockTable grow_table(const LongShape& shape, const Window& window,
                      DeviceBuffer<std::uint32_t>& from, DeviceBuffer<std::uint32_t>& other,
                      const Stream& stream) {
  BlockTable table{from.data(), 1};
  std::uint32_t* grown = other.data();
  std::uint32_t* spare = from.data();
  while (window.whole > kGrowth * table.step) {
    grow_table_kernel<extreme, Cell>
        <<<pass_blocks(shape), kPassThreads, 0, stream.get()>>>(shape, table, grown);
    check_launch(stream.get());
    table = {grown, table.step * kGrowth};
    std::swap(grown, spare);
  }
  return table;
}

/// Returns the number of third-axis lines to process together, so that a launch is large enough.
[[nodiscard]] inline int others_together(const LongLines& lines, int other_lines) {
  constexpr std::int64_t kEnough = std::int64_t{1} << 24;  // words
  const std::int64_t each = LongShape::of(lines, 1).table_words() * LongMemory::kWords;
  return static_cast<int>(std::clamp<std::int64_t>(kEnough / each, 1, other_lines));
}

/// Enqueues the opening of one task. Each pass needs certain lines at a place. The dilation needs
/// those in the image there. The erosion needs those that are in the image at any cell of the
/// windows. The first table needs those of all windows that contain a cell there. If a window's
/// middle must lie in the image, it needs only those that are in the image at the middle of such a
/// window.
template <typename Voxel, typename Sink>
void open_long(const LineTask& task, const LineRule& rule, const Sink& sink, const Stream& stream) {
  using Cell = CellOf<Voxel>;
  const int length = rule.window.length;
  const auto lines = LongLines::of(task, length, kCellsOfWord<Cell>, Sink::kCommonWords);
  const int together = others_together(lines, task.other_lines);
  // Windows extend up to a block beyond their length, and begin anywhere in one.
  const int around = length + kBlockRows;
  const Reach for_table = task.middle >= 0 ? Reach{task.middle - around, task.middle + kBlockRows}
                                           : Reach{-around, around};
  const Reach for_erosion{-kBlockRows, around};
  const Reach for_dilation{0, 0};
  LongMemory memory(LongShape::of(lines, together), stream);
  for (int first = 0; first < task.other_lines; first += together) {
    const int others = std::min(together, task.other_lines - first);
    LongRun run{task, rule, LongShape::of(lines, others), first, for_table};
    const unsigned blocks = pass_blocks(run.shape);
    BlockTable table{nullptr, 1};
    if (rule.window.whole > 0) {
      tabulate_blocks_kernel<Voxel>
          <<<blocks, kPassThreads, 0, stream.get()>>>(run, memory.a.data());
      check_launch(stream.get());
      table = grow_table<Extreme::Lowest, Cell>(run.shape, rule.window, memory.a, memory.b, stream);
    }
    // The table in use stays; the dilation's begins in the other buffer.
    const bool in_a = table.entries == memory.a.data();
    DeviceBuffer<std::uint32_t>& next = in_a ? memory.b : memory.a;
    DeviceBuffer<std::uint32_t>& spare = in_a ? memory.a : memory.b;
    run.reach = for_erosion;
    erode_kernel<Voxel>
        <<<blocks, kPassThreads, 0, stream.get()>>>(run, table, memory.eroded.data(), next.data());
    check_launch(stream.get());
    table = grow_table<Extreme::Highest, Cell>(run.shape, rule.window, next, spare, stream);
    run.reach = for_dilation;
    dilate_kernel<Voxel, Sink>
        <<<blocks, kPassThreads, 0, stream.get()>>>(run, table, memory.eroded.data(), sink);
    check_launch(stream.get());
  }
}

}  // namespace seedwave::gpu::linear
