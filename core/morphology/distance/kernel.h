// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What is done along one line of a distance transform, in plain C++ and with AVX2: counting steps
/// down a column for a row of columns at once, and min-plus, the least of `value + squared
/// distance` over all cells of a line. Which lines there are is the business of distance_min_plus.
namespace seedwave::distance {

/// Cells are worked on in blocks of one cache line. Lines begin at a block and are filled up to
/// one.
constexpr int kBlockBytes = 64;
template <typename Cell>
constexpr int kBlock = kBlockBytes / static_cast<int>(sizeof(Cell));

/// Steps since a background voxel, for columns that have met none: more are added to it without a
/// check, up to 32767.
constexpr std::uint16_t kNoneYet = 32768;

/// near() looks no farther than this many cells to each side, so lines have as many cells (rounded
/// up to blocks) around them, of kUnknown.
constexpr int kReach = 63;

/// What stands for a square that does not fit, or that has no source: squares up to (kReach + 1)^2
/// can be added without a check.
template <typename Cell>
constexpr Cell kUnknown{};
template <>
inline constexpr std::uint16_t kUnknown<std::uint16_t> = 65535 - (kReach + 1) * (kReach + 1);
template <>
inline constexpr std::int32_t kUnknown<std::int32_t> = 1 << 30;
template <>
inline constexpr std::int64_t kUnknown<std::int64_t> = std::int64_t{1} << 62;
template <>
inline constexpr double kUnknown<double> = __builtin_huge_val();

/// Cells of a line that know a square, and where on the line they are, in order. Behind the last
/// there is room for a block, of kUnknown and any place.
template <typename Value>
struct Candidates {
  const Value* places;
  const Value* values;
  std::int64_t count;
};

/// Rows of voxels and steps; `columns` any number, arrays of steps filled up to whole blocks.
struct StepKernel {
  /// Notes in which rows columns meet their first and last background: where the row has it,
  /// last = number, and first = number unless it is set (255: not yet).
  void (*mark)(const std::uint8_t* row, std::int64_t columns, std::uint8_t number,
               std::uint8_t* first, std::uint8_t* last);
  /// after = 0 at background, else before + 1; they may be the same array.
  void (*count)(const std::uint8_t* row, std::int64_t columns, const std::uint16_t* before,
                std::uint16_t* after);
  /// The square of the lesser of two counts, kUnknown where it does not fit. True: not all are 0.
  bool (*square)(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
                 std::uint16_t* squares);
  /// The same where none is kNoneYet, and all fit.
  void (*square_wide)(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
                      std::int32_t* squares);
};

/// Min-plus along lines of one cell type: u16 and i32 for squares of whole steps, i64 for those
/// with a name in the lower 32 bits, f64 for weighted ones. Places, values and the weight of far()
/// are of the same type; i64 takes a weight of 1 for granted.
template <typename Cell>
struct NearKernel {
  /// For each block the least of cells[i] + squares[k] over the cells k steps of `stride` away to
  /// either side, k outward until no cell can become less; squares[k] is the square of k steps.
  /// far[b] = 1 where that was not reached, and what is written for that block may be too large: at
  /// kReach, or after a few steps where a cell is so much that kReach would not do. True: any is.
  bool (*near)(const Cell* cells, std::int64_t blocks, std::ptrdiff_t stride, const Cell* squares,
               Cell* least, std::uint8_t* far);
};

/// The same however far, on cells that can hold any square.
template <typename Value>
struct FarKernel {
  /// For places first..last - 1 the least of value + weight * (place - candidate's)^2; kUnknown
  /// where there are no candidates. `least` begins at `first` and is filled up to a block;
  /// squares[k] is weight * k^2 for k from -n to n + a block, n the line's length; best: room for
  /// last - first.
  void (*far)(const Candidates<Value>& candidates, std::int64_t first, std::int64_t last,
              Value weight, const Value* squares, std::int32_t* best, Value* least);
};

/// f32(unit * root), the root in f64: what is written in the end. Of kUnknown: infinity, but a u16
/// is never that.
struct RootKernel {
  void (*of_u16)(const std::uint16_t* squares, std::int64_t count, double unit, float* lengths);
  void (*of_i32)(const std::int32_t* squares, std::int64_t count, double unit, float* lengths);
  /// Of `rows` whole blocks that lie one behind the other; `stride` from one row's lengths to the
  /// next's.
  void (*of_u16_strip)(const std::uint16_t* squares, std::int64_t rows, double unit, float* lengths,
                       std::ptrdiff_t stride);
  void (*of_f64)(const double* squares, std::int64_t count, double unit, float* lengths);
};

/// All of one instruction set.
struct Kernel {
  StepKernel steps;
  NearKernel<std::uint16_t> near_u16;
  NearKernel<std::int32_t> near_i32;
  NearKernel<std::int64_t> near_i64;
  NearKernel<double> near_f64;
  FarKernel<std::int32_t> far_i32;
  FarKernel<std::int64_t> far_i64;
  FarKernel<double> far_f64;
  RootKernel roots;
};

/// The fastest that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Null where this program was not built for a processor that may have AVX2.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::distance
