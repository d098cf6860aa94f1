// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_sinks.cuh"
#include "gpu/morphology/linear/line_task.cuh"

#include <algorithm>
#include <cstdint>

/// Openings by tiles of lines in shared memory, erosion and dilation in one visit. A tile has 64
/// bytes of each row and, beside the rows that it answers for, length - 1 at either end, which its
/// neighbours have, too: for lines that are short against a tile.
namespace seedwave::gpu::linear {

/// Two blocks of rows a thread, so that twice as many words are on their way; two tiles a
/// multiprocessor, so that one computes while the other waits.
inline constexpr int kItems = 2;
inline constexpr int kMostThreads = 512;
inline constexpr int kMostRows = kMostThreads / kTileWords * kItems * kBlockRows;
/// Threads come in whole warps.
inline constexpr int kRowStep = 2 * kItems * kBlockRows;
/// Words from one row to the next: odd blocks begin in the other half of the banks, since a warp
/// has a row of two neighbouring blocks.
inline constexpr int kRowPitch = kTileWords + kTileWords / kBlockRows;
inline constexpr int kBlockPitch = kRowPitch * kBlockRows;

struct TileShape {
  int rows = 0;        // of a tile
  int answers = 0;     // of these
  int line_words = 0;  // from one tile to the next
  int line_tiles = 0;
  int place_tiles = 0;

  [[nodiscard]] SEEDWAVE_HD int blocks() const { return rows / kBlockRows; }
  [[nodiscard]] unsigned threads() const {
    return static_cast<unsigned>(blocks() / kItems * kTileWords);
  }
  /// Cells, kRowsBehind more, and two tables of whole blocks.
  [[nodiscard]] std::size_t shared_bytes() const {
    return sizeof(std::uint32_t) *
           static_cast<std::size_t>((blocks() + 1) * kBlockPitch + 2 * blocks() * kTileWords);
  }
  /// Tiles of one size that share the places.
  /// common: words that each tile has in common with the next.
  [[nodiscard]] static TileShape of(int places, int length, int words, int common) {
    TileShape shape;
    const int beside = 2 * (length - 1);
    shape.place_tiles = std::max(1, (places + kMostRows - beside - 1) / (kMostRows - beside));
    const int answers = (places + shape.place_tiles - 1) / shape.place_tiles;
    shape.rows = (answers + beside + kRowStep - 1) / kRowStep * kRowStep;
    shape.answers = shape.rows - beside;
    shape.line_words = kTileWords - common;
    // Where a row's words are stored shifted, its last one lies in two of them.
    shape.line_tiles = (words + common + shape.line_words - 1) / shape.line_words;
    return shape;
  }
};
/// Beyond this most of a tile would be its neighbours'.
inline constexpr int kLongestInTiles = 200;
static_assert(kMostRows - 2 * (kLongestInTiles - 1) > 0);

/// A tile's cells and tables in shared memory, as one thread's word of a block looks at them.
template <Extreme extreme, typename Cell>
class SharedAround {
 public:
  __device__ SharedAround(const std::uint32_t* cells, const std::uint32_t* blocks,
                          const std::uint32_t* fours, const Window& window)
      : blocks_(blocks),
        fours_(fours),
        rest_(window.rest),
        whole_(window.whole),
        behind_(cells + (window.whole + 1) * kBlockPitch) {}

  [[nodiscard]] __device__ Parts<Cell> whole() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
    if (whole_ < kFew) {
      for (int k = 1; k <= whole_; ++k)
        all = extreme_of<extreme>(all, Parts<Cell>::of(blocks_[k * kTileWords]));
      return all;
    }
    for (int k = 1; k + kFew <= whole_; k += kFew)
      all = extreme_of<extreme>(all, Parts<Cell>::of(fours_[k * kTileWords]));
    return extreme_of<extreme>(all, Parts<Cell>::of(fours_[(whole_ + 1 - kFew) * kTileWords]));
  }
  [[nodiscard]] __device__ Parts<Cell> rest() const {
    auto all = Parts<Cell>::of(kNeutralWord<Cell, extreme>);
    for (int j = 0; j < rest_; ++j)
      all = extreme_of<extreme>(all, Parts<Cell>::of(behind_[j * kRowPitch]));
    return all;
  }
  [[nodiscard]] __device__ std::uint32_t behind(int t) const {
    return behind_[(rest_ + t) * kRowPitch];
  }

  /// Blocks of an entry of the second table.
  static constexpr int kFew = 4;

 private:
  const std::uint32_t* blocks_;
  const std::uint32_t* fours_;
  int rest_;
  int whole_;
  const std::uint32_t* behind_;
};

/// What a block of threads shares.
struct TileMemory {
  std::uint32_t* cells;
  std::uint32_t* blocks;  // the extreme of each
  std::uint32_t* fours;   // and of it and the three behind it
};

/// Erosion or dilation of the tile: each thread's rows become the extremes of the windows that
/// begin there, where that is before row `end`; others stay. Barriers: all threads take part.
template <Extreme extreme, typename Cell>
__device__ void filter_tile(const TileMemory& memory, const Window& window, int blocks, int end,
                            std::uint32_t (&rows)[kItems][kBlockRows]) {
  using Around = SharedAround<extreme, Cell>;
  const int threads = static_cast<int>(blockDim.x);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int item = static_cast<int>(threadIdx.x) + i * threads;
    const int lane = item % kTileWords;
    std::uint32_t* const cells = memory.cells + item / kTileWords * kBlockPitch + lane;
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t)
      cells[t * kRowPitch] = rows[i][t];
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
        const int next = min(item + k * kTileWords, blocks * kTileWords - 1);
        four = extreme_word<extreme, Cell>(four, memory.blocks[next]);
      }
      memory.fours[item] = four;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int item = static_cast<int>(threadIdx.x) + i * threads;
    const int block = item / kTileWords;
    if (block * kBlockRows >= end) continue;
    find_extremes<extreme, Cell>(rows[i], window,
                                 Around(memory.cells + block * kBlockPitch + item % kTileWords,
                                        memory.blocks + item, memory.fours + item, window));
  }
}

/// The tasks of a launch, by blockIdx.y. One comes with the launch, as a constant of all threads.
struct OneTask {
  LineTask task;
  [[nodiscard]] __device__ const LineTask& at(unsigned /*number*/) const { return task; }
};
struct ManyTasks {
  const LineTask* tasks;
  [[nodiscard]] __device__ const LineTask& at(unsigned number) const { return tasks[number]; }
};

/// A thread has kItems words of eight rows; a block of threads has a tile. Shared memory:
/// TileShape::shared_bytes(), at most 46 KB. No races: between writing and reading it there are
/// barriers.
template <typename Voxel, typename Tasks, typename Sink>
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
    // Shifts never turn back: where the tile's lines are at its ends they are between.
    const int a = task.across[first];
    const int b = task.across[first + answers - 1];
    if (base + max(a, b) + kTileWords * kCellsOfWord<Cell> <= 0 || base + min(a, b) >= task.width)
      return;
  }
  const TileMemory memory{shared_words, shared_words + (blocks + 1) * kBlockPitch,
                          shared_words + (blocks + 1) * kBlockPitch + blocks * kTileWords};
  const auto threads = static_cast<int>(blockDim.x);
  const int lane = static_cast<int>(threadIdx.x) % kTileWords;
  const int base_of_word = base + lane * kCellsOfWord<Cell>;
  const int first_row = first - (length - 1);
  const auto row_of = [&](int i) {
    return (static_cast<int>(threadIdx.x) + i * threads) / kTileWords * kBlockRows;
  };
  std::uint32_t rows[kItems][kBlockRows];
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    read_block<Voxel>(task, rule, first_row + row_of(i), base_of_word, other, rows[i]);
  filter_tile<Extreme::Lowest, Cell>(memory, rule.window, blocks, shape.rows - length + 1, rows);
  if (task.middle >= 0) {
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      drop_windows<Voxel>(task, first_row + row_of(i), base_of_word, other, rows[i]);
  }
  __syncthreads();
  filter_tile<Extreme::Highest, Cell>(memory, rule.window, blocks, shape.answers, rows);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const OpenedBlock block{first + row_of(i), first + answers, line + lane * kCellsOfWord<Cell>,
                            lane, other};
    sink.put(task, rule, block, rows[i]);
  }
}

/// Enqueues the openings of `count` tasks, whose places, words and lines along the third axis are
/// at most these.
template <typename Voxel, typename Tasks, typename Sink>
void open_in_tiles(const Tasks& tasks, int count, const LineRule& rule, int places, int words,
                   int other_lines, const Sink& sink, const Stream& stream) {
  const TileShape shape = TileShape::of(places, rule.window.length, words, Sink::kCommonWords);
  const dim3 grid(static_cast<unsigned>(shape.line_tiles * shape.place_tiles * other_lines),
                  static_cast<unsigned>(count));
  open_tiles_kernel<Voxel, Tasks, Sink>
      <<<grid, shape.threads(), shape.shared_bytes(), stream.get()>>>(tasks, rule, shape, sink);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu::linear
