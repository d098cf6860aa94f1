// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/linear_opening.h"
#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_task.cuh"
#include "gpu/morphology/linear/line_tiles.cuh"
#include "gpu/morphology/linear/line_words.cuh"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The host's side of lines on a device: image layouts for the kernels, and tasks from families of
/// lines.
namespace seedwave::gpu::linear {

// Transposition, so that the cells of lines nearer to rows become adjacent.

inline constexpr int kSquareWords = 32;
inline constexpr int kSquareThreads = 256;

/// Planes whose rows begin with words: widths in cells, distances in words.
struct TransposedPlanes {
  int width;
  int height;
  std::int64_t from_row;
  std::int64_t from_plane;
  std::int64_t to_row;
  std::int64_t to_plane;
};

/// Transposes as many words as a word has cells.
template <typename Cell>
__device__ void transpose_words(std::uint32_t (&words)[kCellsOfWord<Cell>]) {
  if constexpr (sizeof(Cell) == 1) {
    const std::uint32_t a = __byte_perm(words[0], words[1], 0x5140U);  // a0 b0 a1 b1
    const std::uint32_t b = __byte_perm(words[2], words[3], 0x5140U);
    const std::uint32_t c = __byte_perm(words[0], words[1], 0x7362U);  // a2 b2 a3 b3
    const std::uint32_t d = __byte_perm(words[2], words[3], 0x7362U);
    words[0] = __byte_perm(a, b, 0x5410U);
    words[1] = __byte_perm(a, b, 0x7632U);
    words[2] = __byte_perm(c, d, 0x5410U);
    words[3] = __byte_perm(c, d, 0x7632U);
  } else if constexpr (sizeof(Cell) == 2) {
    const std::uint32_t a = words[0];
    words[0] = __byte_perm(a, words[1], 0x5410U);
    words[1] = __byte_perm(a, words[1], 0x7632U);
  }
}

/// Transposes a square per block: 32 words by as many rows as 32 words have cells. Shared memory:
/// the square, 4 KB for each cell of a word. The words of a row are rotated, so that writing
/// columns and reading rows have no bank conflicts. No races: a barrier separates the two.
template <typename Cell>
__global__ void __launch_bounds__(kSquareThreads)
    transpose_kernel(const std::uint32_t* __restrict__ from, const TransposedPlanes planes,
                     std::uint32_t* __restrict__ to) {
  constexpr int kCells = kCellsOfWord<Cell>;
  constexpr int kSide = kSquareWords * kCells;
  constexpr int kRowsAtOnce = kSquareThreads / kSquareWords;
  __shared__ std::uint32_t square[kSide][kSquareWords];
  const int lane = static_cast<int>(threadIdx.x) % kSquareWords;
  const int warp = static_cast<int>(threadIdx.x) / kSquareWords;
  const int x = static_cast<int>(blockIdx.x) * kSide;
  // Starts with the last rows: they were written last and are still in the L2 cache.
  const int y = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kSide;
  from += blockIdx.z * planes.from_plane;
  to += blockIdx.z * planes.to_plane;
  const bool in_row = x + lane * kCells < planes.width;
  std::uint32_t words[kSquareWords / kRowsAtOnce][kCells];
#pragma unroll
  for (int i = 0; i < kSquareWords / kRowsAtOnce; ++i) {
#pragma unroll
    for (int k = 0; k < kCells; ++k) {
      const int row = y + (warp + i * kRowsAtOnce) * kCells + k;
      words[i][k] = in_row && row < planes.height
                        ? __ldg(from + row * planes.from_row + x / kCells + lane)
                        : 0U;
    }
  }
#pragma unroll
  for (int i = 0; i < kSquareWords / kRowsAtOnce; ++i) {
    transpose_words<Cell>(words[i]);
#pragma unroll
    for (int k = 0; k < kCells; ++k)
      square[lane * kCells + k][(warp + i * kRowsAtOnce) ^ lane] = words[i][k];
  }
  __syncthreads();
  if (y + lane * kCells >= planes.height) return;
  for (int column = warp; column < kSide && x + column < planes.width; column += kRowsAtOnce)
    to[(x + column) * planes.to_row + y / kCells + lane] = square[column][lane ^ (column / kCells)];
}

template <typename Cell>
void transpose(const std::uint32_t* from, const TransposedPlanes& planes, int count,
               std::uint32_t* to, const Stream& stream) {
  constexpr int kSide = kSquareWords * kCellsOfWord<Cell>;
  const dim3 grid(static_cast<unsigned>((planes.width + kSide - 1) / kSide),
                  static_cast<unsigned>((planes.height + kSide - 1) / kSide),
                  static_cast<unsigned>(count));
  transpose_kernel<Cell><<<grid, kSquareThreads, 0, stream.get()>>>(from, planes, to);
  check_launch(stream.get());
}

/// Layout of an image on the device: rows begin with whole words. Turned: x and y are swapped.
struct ImageLayout {
  enum class Axes { AsIs, Turned };

  Index3 size;         // in this order of axes
  std::int64_t row;    // bytes
  std::int64_t plane;  // bytes
  Axes axes;

  [[nodiscard]] static ImageLayout of(const Index3& size, std::int64_t voxel_bytes, Axes axes) {
    constexpr std::int64_t kRowStep = 16;
    ImageLayout layout{size, 0, 0, axes};
    if (axes == Axes::Turned) std::swap(layout.size[0], layout.size[1]);
    layout.row = (layout.size[0] * voxel_bytes + kRowStep - 1) / kRowStep * kRowStep;
    layout.plane = layout.row * layout.size[1];
    return layout;
  }
  /// Unaligned reads may touch the word after the last.
  [[nodiscard]] std::int64_t bytes() const { return plane * size[2] + 16; }
};

/// An image on the device.
struct DeviceImage {
  DeviceImage(const Index3& size, std::int64_t voxel_bytes, ImageLayout::Axes axes,
              const Stream& stream)
      : layout(ImageLayout::of(size, voxel_bytes, axes)), cells(layout.bytes(), stream) {}
  DeviceImage() : layout{} {}
  ImageLayout layout;
  DeviceBuffer<std::byte> cells;
};

/// Swaps x and y of an image.
template <typename Cell>
void turn(const DeviceImage& from, DeviceImage& to, const Stream& stream) {
  const auto words = [](std::int64_t bytes) { return bytes / 4; };
  const TransposedPlanes planes{static_cast<int>(from.layout.size[0]),
                                static_cast<int>(from.layout.size[1]),
                                words(from.layout.row),
                                words(from.layout.plane),
                                words(to.layout.row),
                                words(to.layout.plane)};
  transpose<Cell>(reinterpret_cast<const std::uint32_t*>(from.cells.data()), planes,
                  static_cast<int>(from.layout.size[2]),
                  reinterpret_cast<std::uint32_t*>(to.cells.data()), stream);
}

/// The way in which a device walks along lines. Cells of adjacent lines must be adjacent, so lines
/// do not run along x. Along diagonals either axis works; along y nothing has to be turned.
struct LineWalk {
  ImageLayout::Axes axes;
  int along;   // the axis from place to place
  int across;  // the axis from line to line
  int third;
  bool backwards;  // opposite to the family's order

  [[nodiscard]] static LineWalk of(const LineFamily& lines) {
    const bool diagonal =
        lines.major() == 0 && std::abs(lines.step()[1]) == 1.0 && lines.step()[2] == 0.0;
    if (diagonal) return {ImageLayout::Axes::AsIs, 1, 0, 2, lines.step()[1] < 0.0};
    if (lines.major() == 0) return {ImageLayout::Axes::Turned, 0, 1, 2, false};
    return {ImageLayout::Axes::AsIs, lines.major(), 0, 3 - lines.major(), false};
  }
  [[nodiscard]] int places(const LineFamily& lines) const {
    return static_cast<int>(lines.size()[along]);
  }
};

/// Shifts of lines along an axis at each place of a walk, and the range of lines.
struct LineShifts {
  std::vector<std::int32_t> shifts;
  int first_base;
  int bases;

  [[nodiscard]] static LineShifts of(const LineFamily& lines, const LineWalk& walk, int axis) {
    LineShifts of{lines.shifts(axis), 0, 0};
    if (walk.along != lines.major()) {
      of.shifts.assign(static_cast<std::size_t>(walk.places(lines)), 0);
      for (int i = 0; axis == walk.across && i < walk.places(lines); ++i)
        of.shifts[static_cast<std::size_t>(i)] = walk.backwards ? -i : i;
    }
    const std::int32_t last = of.shifts.back();
    of.first_base = -std::max(0, last);
    of.bases = static_cast<int>(lines.size()[axis]) + std::abs(last);
    return of;
  }
  /// Lines of a 2-D image all stay in it.
  [[nodiscard]] bool is_flat(std::int64_t size) const { return size == 1 && shifts.back() == 0; }
};

/// Returns the window length to use on lines of `places` cells.
[[nodiscard]] inline int length_for(LineBorder border, std::int64_t length, std::int64_t places) {
  return static_cast<int>(seedwave::linear::least_length(border, length, places));
}
[[nodiscard]] inline int length_for(LineBorder border, std::int64_t length,
                                    const LineFamily& lines) {
  return length_for(border, length, LineWalk::of(lines).places(lines));
}

template <typename Voxel>
[[nodiscard]] LineRule rule_for(LineBorder border, LineFilter filter, int length) {
  using Cell = CellOf<Voxel>;
  const std::uint32_t highest = kNeutralWord<Cell, Extreme::Lowest>;
  const std::uint32_t lowest = kNeutralWord<Cell, Extreme::Highest>;
  return {length, border == LineBorder::Inside ? lowest : highest,
          filter == LineFilter::Opening ? 0U : 0xFFFFFFFFU};
}

/// Layers of an image along an axis that sums cover; axis -1: all.
struct OwnLayers {
  int axis = -1;
  std::int64_t first = 0;
  std::int64_t count = 0;

  [[nodiscard]] OwnCells along(int other_axis, std::int64_t size) const {
    if (other_axis != axis) return {0, static_cast<int>(size)};
    return {static_cast<int>(first), static_cast<int>(first + count)};
  }
};

/// Tasks with their tables of shifts, first on the host, then on the device.
class LineTasks {
 public:
  /// Creates tasks for windows of this length.
  LineTasks(int length, LineBorder border)
      : length_(length),
        border_(border),
        front_(length + 2 * kBlockRows),
        behind_(length + 2 * kMostRows) {}

  /// `image` is laid out as by LineWalk.
  void add(const LineFamily& lines, const std::byte* image, const ImageLayout& layout,
           const OwnLayers& own = {}) {
    const LineWalk walk = LineWalk::of(lines);
    const LineShifts across = LineShifts::of(lines, walk, walk.across);
    const LineShifts beside = LineShifts::of(lines, walk, walk.third);
    // In this layout rows follow each other along its second axis.
    const bool along_rows = walk.along < 2;
    LineTask task{};
    task.from = image;
    task.width = static_cast<int>(lines.size()[walk.across]);
    task.places = walk.places(lines);
    task.others = static_cast<int>(lines.size()[walk.third]);
    task.row = along_rows ? layout.row : layout.plane;
    task.plane = along_rows ? layout.plane : layout.row;
    task.first_base = across.first_base;
    task.lines = across.bases;
    task.first_other = beside.first_base;
    task.other_lines = beside.bases;
    task.middle = middle_of(walk);
    task.own_x = own.along(walk.across, task.width);
    task.own_places = own.along(walk.along, task.places);
    task.own_others = own.along(walk.third, task.others);
    const bool flat = beside.is_flat(lines.size()[walk.third]);
    starts_.push_back(
        {add_table(across.shifts, kNowhere), flat ? -1 : add_table(beside.shifts, 0)});
    tasks_.push_back(task);
  }

  /// Sets the position of a task's lines in the side-by-side output.
  void write_at(std::size_t number, std::int64_t opened, std::int64_t pitch) {
    tasks_[number].opened = opened;
    tasks_[number].pitch = pitch;
  }

  void upload(const Stream& stream) {
    tables_on_device_ = DeviceBuffer<int>(std::ssize(tables_), stream);
    tables_on_device_.copy_from(tables_, stream);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto [across, beside] = starts_[i];
      tasks_[i].across = tables_on_device_.data() + across;
      tasks_[i].beside = beside < 0 ? nullptr : tables_on_device_.data() + beside;
    }
    on_device_ = DeviceBuffer<LineTask>(std::ssize(tasks_), stream);
    on_device_.copy_from(tasks_, stream);
  }

  [[nodiscard]] const DeviceBuffer<LineTask>& on_device() const { return on_device_; }
  [[nodiscard]] const std::vector<LineTask>& tasks() const { return tasks_; }

  /// Returns the number of entries of a table.
  [[nodiscard]] static std::int64_t table_size(std::int64_t places, std::int64_t length) {
    return places + 2 * length + 2 * kBlockRows + 2 * kMostRows;
  }

 private:
  struct Starts {
    std::int64_t across;
    std::int64_t beside;
  };

  [[nodiscard]] int middle_of(const LineWalk& walk) const {
    if (border_ != LineBorder::Anchor) return -1;
    const auto front = static_cast<int>(margins(border_, length_).front);
    return walk.backwards ? length_ - 1 - front : front;
  }
  /// Returns the index of the shift at place 0.
  std::int64_t add_table(const std::vector<std::int32_t>& shifts, int beyond) {
    tables_.insert(tables_.end(), static_cast<std::size_t>(front_), beyond);
    const std::int64_t start = std::ssize(tables_);
    tables_.insert(tables_.end(), shifts.begin(), shifts.end());
    tables_.insert(tables_.end(), static_cast<std::size_t>(behind_), beyond);
    return start;
  }

  int length_;
  LineBorder border_;
  int front_;
  int behind_;
  std::vector<LineTask> tasks_;
  std::vector<Starts> starts_;
  std::vector<int> tables_;
  DeviceBuffer<LineTask> on_device_;
  DeviceBuffer<int> tables_on_device_;
};

}  // namespace seedwave::gpu::linear
