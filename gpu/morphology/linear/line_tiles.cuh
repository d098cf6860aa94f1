// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_sinks.cuh"
#include "gpu/morphology/linear/line_task.cuh"

#include <algorithm>
#include <cstdint>

/// Openings by tiles of lines in shared memory, with erosion and dilation in one visit. A tile has
/// 64 bytes of each row. At either end it has length - 1 rows in addition to its own, which its
/// neighbours have too. It is suited to lines that are short compared with a tile. For longer
/// lines, a tile has half of each row and twice as many rows.
namespace seedwave::gpu::linear {

/// Each thread has two blocks of rows, which doubles the words in flight. Each multiprocessor has
/// two tiles, so that one computes while the other waits.
inline constexpr int kItems = 2;
inline constexpr int kMostThreads = 512;
/// Number of words of a row of tall tiles.
inline constexpr int kTallTileWords = kTileWords / 2;
[[nodiscard]] SEEDWAVE_HD constexpr int tile_rows(int words) {
  return kMostThreads / words * kItems * kBlockRows;
}
inline constexpr int kMostRows = tile_rows(kTallTileWords);
/// Returns the stride in words between rows. Neighbouring blocks begin in different banks, since a
/// warp has a row of two or four of them.
[[nodiscard]] SEEDWAVE_HD constexpr int row_pitch(int words) {
  return words + words / kBlockRows;
}
[[nodiscard]] SEEDWAVE_HD constexpr int block_pitch(int words) {
  return row_pitch(words) * kBlockRows;
}

struct TileShape {
  int words = 0;       // per row
  int rows = 0;        // per tile
  int answers = 0;     // rows that the tile answers for
  int line_words = 0;  // stride between tiles
  int line_tiles = 0;
  int place_tiles = 0;

  [[nodiscard]] SEEDWAVE_HD int blocks() const { return rows / kBlockRows; }
  [[nodiscard]] unsigned threads() const {
    return static_cast<unsigned>(blocks() / kItems * words);
  }
  /// Bytes of the cells, kRowsBehind more rows, and two tables of whole blocks.
  [[nodiscard]] std::size_t shared_bytes() const {
    return sizeof(std::uint32_t) *
           static_cast<std::size_t>((blocks() + 1) * block_pitch(words) + 2 * blocks() * words);
  }
  /// Amount of work, in words of memory.
  [[nodiscard]] std::int64_t work() const {
    return std::int64_t{line_tiles} * place_tiles * rows * words;
  }
  /// Returns tiles of equal size that share the places. `words`: total of all lines; `common`:
  /// number that each tile shares with the next; `tile`: number per row.
  [[nodiscard]] static TileShape of(int places, int length, int words, int common, int tile) {
    TileShape shape;
    shape.words = tile;
    const int beside = 2 * (length - 1);
    const int most = tile_rows(tile) - beside;
    // Threads come in whole warps.
    const int step = 32 / tile * kItems * kBlockRows;
    shape.place_tiles = std::max(1, (places + most - 1) / most);
    const int answers = (places + shape.place_tiles - 1) / shape.place_tiles;
    shape.rows = (answers + beside + step - 1) / step * step;
    shape.answers = shape.rows - beside;
    shape.line_words = tile - common;
    // If a row's words are stored shifted, its last one spans two of them.
    shape.line_tiles = (words + common + shape.line_words - 1) / shape.line_words;
    return shape;
  }
};
/// Maximum length for tiles. Beyond it most of a tile would belong to its neighbours.
inline constexpr int kLongestInTiles = 300;
static_assert(kMostRows - 2 * (kLongestInTiles - 1) > 0);
/// Relative cost of a cell of a tall tile, measured on an H200: its rows touch more sectors of
/// memory.
inline constexpr double kTallTileDearer = 1.2;
/// The maximum length for wide tiles.
inline constexpr int kLongestInWideTiles = 200;
static_assert(tile_rows(kTileWords) - 2 * (kLongestInWideTiles - 1) > 0);

/// A tile's cells and tables in shared memory, as seen from one thread's word of a block.
template <Extreme extreme, typename Cell, int kWords>
class SharedAround {
 public:
  __device__ SharedAround(const std::uint32_t* cells, const std::uint32_t* blocks,
                          const std::uint32_t* fours, const Window& window)
      : blocks_(blocks),
        fours_(fours),
        rest_(window.rest),
        whole_(window.whole),
        behind_(cells + (window.whole + 1) * block_pitch(kWords)) {}

  [[nodiscard]] __device__ Parts<Cell> whole() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
    if (whole_ < kFew) {
      for (int k = 1; k <= whole_; ++k)
        all = extreme_of<extreme>(all, Parts<Cell>::of(blocks_[k * kWords]));
      return all;
    }
    for (int k = 1; k + kFew <= whole_; k += kFew)
      all = extreme_of<extreme>(all, Parts<Cell>::of(fours_[k * kWords]));
    return extreme_of<extreme>(all, Parts<Cell>::of(fours_[(whole_ + 1 - kFew) * kWords]));
  }
  [[nodiscard]] __device__ Parts<Cell> rest() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
    for (int j = 0; j < rest_; ++j)
      all = extreme_of<extreme>(all, Parts<Cell>::of(behind_[j * row_pitch(kWords)]));
    return all;
  }
  [[nodiscard]] __device__ std::uint32_t behind(int t) const {
    return behind_[(rest_ + t) * row_pitch(kWords)];
  }

  /// Number of blocks per entry of the second table.
  static constexpr int kFew = 4;

 private:
  const std::uint32_t* blocks_;
  const std::uint32_t* fours_;
  int rest_;
  int whole_;
  const std::uint32_t* behind_;
};

/// Shared memory of a block of threads.
struct TileMemory {
  std::uint32_t* cells;
  std::uint32_t* blocks;  // the extreme of each block
  std::uint32_t* fours;   // the extreme of each block and the three after it
};

/// Erodes or dilates the tile. Each thread's rows become the extremes of the windows that begin
/// there, if that is before row `end`; other rows are unchanged. Contains barriers: all threads
/// take part.
template <Extreme extreme, typename Cell, int kWords>
__device__ void filter_tile(const TileMemory& memory, const Window& window, int blocks, int end,
                            std::uint32_t (&rows)[kItems][kBlockRows]) {
  using Around = SharedAround<extreme, Cell, kWords>;
  const int threads = static_cast<int>(blockDim.x);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int item = static_cast<int>(threadIdx.x) + i * threads;
    std::uint32_t* const cells = memory.cells + item / kWords * block_pitch(kWords) + item % kWords;
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      cells[t * row_pitch(kWords)] = rows[i][t];
    memory.blocks[item] = extreme_of_block<extreme, Cell>(rows[i]);
  }
  __syncthreads();
  if (window.whole >= Around::kFew) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int item = static_cast<int>(threadIdx.x) + i * threads;
      std::uint32_t four = memory.blocks[item];
#pragma unroll
      for (int k = 1; k < Around::kFew; ++k) {
        const int next = min(item + k * kWords, blocks * kWords - 1);
        four = extreme_word<extreme, Cell>(four, memory.blocks[next]);
      }
      memory.fours[item] = four;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int item = static_cast<int>(threadIdx.x) + i * threads;
    const int block = item / kWords;
    if (block * kBlockRows >= end) continue;
    find_extremes<extreme, Cell>(rows[i], window,
                                 Around(memory.cells + block * block_pitch(kWords) + item % kWords,
                                        memory.blocks + item, memory.fours + item, window));
  }
}

/// The tasks of a launch, indexed by blockIdx.y. A single task is passed with the launch, as a
/// constant of all threads.
struct OneTask {
  LineTask task;
  [[nodiscard]] __device__ const LineTask& at(unsigned /*number*/) const { return task; }
};
struct ManyTasks {
  const LineTask* tasks;
  [[nodiscard]] __device__ const LineTask& at(unsigned number) const { return tasks[number]; }
};

/// Opens the lines of a tile. Each thread has kItems words of eight rows; each block of threads has
/// one tile. Shared memory: TileShape::shared_bytes(), at most 46 KB. No races: barriers separate
/// its writes and reads.
template <typename Voxel, int kWords, typename Tasks, typename Sink>
__global__ void __launch_bounds__(kMostThreads, 2)
    open_tiles_kernel(const __grid_constant__ Tasks tasks, const __grid_constant__ LineRule rule,
                      const __grid_constant__ TileShape shape, const __grid_constant__ Sink sink) {
  using Cell = CellOf<Voxel>;
  extern __shared__ std::uint32_t shared_words[];
  const LineTask& task = tasks.at(blockIdx.y);
  const int blocks = shape.blocks();
  const int length = rule.window.length;
  const auto tile = static_cast<int>(blockIdx.x);
  const int line =
      (tile % shape.line_tiles * shape.line_words - Sink::kCommonWords) * kCellsOfWord<Cell>;
  const int first = tile / shape.line_tiles % shape.place_tiles * shape.answers;
  const int other_line = tile / (shape.line_tiles * shape.place_tiles);
  if (line >= task.lines || first >= task.places || other_line >= task.other_lines) return;
  const int base = task.first_base + line;
  const int other = task.first_other + other_line;
  const int answers = min(shape.answers, task.places - first);
  {
    // Shifts are monotonic: the tile's lines lie between their positions at its ends.
    const int a = task.across[first];
    const int b = task.across[first + answers - 1];
    if (base + max(a, b) + kWords * kCellsOfWord<Cell> <= 0 || base + min(a, b) >= task.width)
      return;
  }
  std::uint32_t* const tables = shared_words + (blocks + 1) * block_pitch(kWords);
  const TileMemory memory{shared_words, tables, tables + blocks * kWords};
  const auto threads = static_cast<int>(blockDim.x);
  const int lane = static_cast<int>(threadIdx.x) % kWords;
  const int base_of_word = base + lane * kCellsOfWord<Cell>;
  const int first_row = first - (length - 1);
  const auto row_of = [&](int i) {
    return (static_cast<int>(threadIdx.x) + i * threads) / kWords * kBlockRows;
  };
  std::uint32_t rows[kItems][kBlockRows];
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    read_block<Voxel>(task, rule, first_row + row_of(i), base_of_word, other, rows[i]);
  const int windows = shape.rows - length + 1;
  filter_tile<Extreme::Lowest, Cell, kWords>(memory, rule.window, blocks, windows, rows);
  if (task.middle >= 0) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (row_of(i) < windows)
        drop_windows<Voxel>(task, first_row + row_of(i), base_of_word, other, rows[i]);
    }
  }
  __syncthreads();
  filter_tile<Extreme::Highest, Cell, kWords>(memory, rule.window, blocks, shape.answers, rows);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const OpenedBlock block{first + row_of(i), first + answers, line + lane * kCellsOfWord<Cell>,
                            lane, other};
    sink.template put<kWords>(task, rule, block, rows[i]);
  }
}

/// Maximum numbers of places, words and lines along the third axis of a launch's tasks.
struct TileExtent {
  int places = 1;
  int words = 1;
  int other_lines = 1;
};

/// Enqueues the openings of `count` tasks.
template <typename Voxel, typename Tasks, typename Sink>
void open_in_tiles(const Tasks& tasks, int count, const LineRule& rule, const TileExtent& extent,
                   const Sink& sink, const Stream& stream) {
  const int length = rule.window.length;
  const auto shape_of = [&](int tile) {
    return TileShape::of(extent.places, length, extent.words, Sink::kCommonWords, tile);
  };
  const auto launch = [&](auto* kernel, const TileShape& shape) {
    const dim3 grid(
        static_cast<unsigned>(shape.line_tiles * shape.place_tiles * extent.other_lines),
        static_cast<unsigned>(count));
    kernel<<<grid, shape.threads(), shape.shared_bytes(), stream.get()>>>(tasks, rule, shape, sink);
    check_launch(stream.get());
  };
  const TileShape tall = shape_of(kTallTileWords);
  if (length > kLongestInWideTiles || static_cast<double>(tall.work()) * kTallTileDearer <
                                          static_cast<double>(shape_of(kTileWords).work())) {
    launch(open_tiles_kernel<Voxel, kTallTileWords, Tasks, Sink>, tall);
  } else {
    launch(open_tiles_kernel<Voxel, kTileWords, Tasks, Sink>, shape_of(kTileWords));
  }
}

}  // namespace seedwave::gpu::linear
