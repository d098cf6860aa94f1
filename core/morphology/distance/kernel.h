// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Operations along one line of a distance transform, in plain C++ and with AVX2. They count steps
/// down a row of columns at once, and compute min-plus: the minimum of `value + squared distance`
/// over all cells of a line. distance_min_plus selects the lines.
namespace seedwave::distance {

/// Cells are processed in blocks of one cache line. Lines begin at a block boundary and are padded
/// to whole blocks.
constexpr int kBlockBytes = 64;
template <typename Cell>
constexpr int kBlock = kBlockBytes / static_cast<int>(sizeof(Cell));

/// Initial number of steps for columns without background so far. As many more, less one, are added
/// without a check. Steps are counted in 16 bits, or in 32 for f64 cells, the only ones that hold
/// the squares of more than 32767 steps.
template <typename Step>
constexpr Step kNoneYet = Step{1} << (8 * sizeof(Step) - 1);

/// Largest distance, in cells to each side, that near() examines. Lines are padded with as many
/// cells of kUnknown (rounded up to blocks).
constexpr int kReach = 63;

/// Value for a square that does not fit or has no source. Squares up to (kReach + 1)^2 can be added
/// without a check.
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

/// The cells of a line with known squares, and their positions on the line, in order. After the
/// last there is room for a block, of kUnknown and any position.
template <typename Value>
struct Candidates {
  const Value* places;
  const Value* values;
  std::int64_t count;
};

/// Operations on rows of voxels and steps. `columns` is arbitrary; arrays of steps are padded to
/// whole blocks.
struct StepKernel {
  /// Records the first and last row with background in each column. Where the row has background,
  /// sets last = number, and first = number unless it is set already (255: unset).
  void (*mark)(const std::uint8_t* row, std::int64_t columns, std::uint8_t number,
               std::uint8_t* first, std::uint8_t* last);
  /// Sets after = 0 at background, else before + 1. Both may be the same array.
  void (*count)(const std::uint8_t* row, std::int64_t columns, const std::uint16_t* before,
                std::uint16_t* after);
  void (*count_wide)(const std::uint8_t* row, std::int64_t columns, const std::uint32_t* before,
                     std::uint32_t* after);
  /// Computes the square of the smaller of two counts, kUnknown if it does not fit. Returns whether
  /// any is nonzero.
  bool (*square)(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
                 std::uint16_t* squares);
  /// Computes the same if no count is kNoneYet. All squares fit.
  void (*square_wide)(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
                      std::int32_t* squares);
};

/// Min-plus along lines of one cell type: u16 and i32 for squares of integer steps, i64 for those
/// with a name in the lower 32 bits, f64 for weighted ones. Positions, values and the weight of
/// far() have the same type; i64 assumes a weight of 1.
template <typename Cell>
struct NearKernel {
  /// For each block computes the minimum of cells[i] + squares[k] over the cells k steps of
  /// `stride` away to either side. k increases until no cell can decrease; squares[k] is the square
  /// of k steps. Sets far[b] = 1 if that was not reached, and then the values of that block may be
  /// too large. This happens at kReach, or after a few steps if a cell is so large that kReach
  /// would not suffice. Returns whether any block is far.
  bool (*near)(const Cell* cells, std::int64_t blocks, std::ptrdiff_t stride, const Cell* squares,
               Cell* least, std::uint8_t* far);
};

/// Computes the same at any distance, on cells that can hold any square.
template <typename Value>
struct FarKernel {
  /// For positions first..last - 1 computes the minimum of value + weight * (position - candidate's
  /// position)^2, or kUnknown if there are no candidates. `least` begins at `first` and is padded
  /// to a block. squares[k] is weight * k^2 for k from -n to n + a block, with n the line's length.
  /// `best` has room for last - first.
  void (*far)(const Candidates<Value>& candidates, std::int64_t first, std::int64_t last,
              Value weight, const Value* squares, std::int32_t* best, Value* least);
};

/// Computes f32(unit * root), the final lengths, with the root in f64. kUnknown gives infinity, but
/// u16 squares never are kUnknown.
struct RootKernel {
  void (*of_u16)(const std::uint16_t* squares, std::int64_t count, double unit, float* lengths);
  void (*of_i32)(const std::int32_t* squares, std::int64_t count, double unit, float* lengths);
  /// Handles `rows` whole blocks stored consecutively. `stride` is the distance between the lengths
  /// of successive rows.
  void (*of_u16_strip)(const std::uint16_t* squares, std::int64_t rows, double unit, float* lengths,
                       std::ptrdiff_t stride);
  void (*of_f64)(const double* squares, std::int64_t count, double unit, float* lengths);
};

/// All kernels of one instruction set.
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

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::distance
