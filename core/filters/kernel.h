// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Operations on rows of contiguous cells, in plain C++ and with AVX2. Both give the same bits.
namespace seedwave::filters {

/// Weighted sums in f64, from the centre outwards, of values stored as `Cell` (f32 or f64).
template <typename Cell>
struct SmoothKernel {
  /// to[i] = w[0] from[i] + w[1] (from[i - 1] + from[i + 1]) + ..., up to w[reach]. `from` has
  /// `reach` cells on either side of the row.
  void (*along)(const double* from, std::int64_t count, const double* weights, std::int64_t reach,
                Cell* to);
  /// to[i] = w[0] rows[0][i] + w[1] (rows[-1][i] + rows[1][i]) + ..., up to w[reach].
  void (*across)(const Cell* const* rows, std::int64_t count, const double* weights,
                 std::int64_t reach, Cell* to);
};

/// Rounds smoothed values half up, and limits them to the range of Cell.
template <typename Cell>
struct RoundKernel {
  void (*row)(const float* from, std::int64_t count, Cell* to);
};

/// Lengths of central differences.
template <typename Cell>
struct GradientKernel {
  /// to[i] = sqrt(sum over the axes of ((ends[2 a + 1][i] - ends[2 a][i]) * factors[a])^2), in f64.
  void (*lengths)(const Cell* const* ends, const double* factors, std::int64_t count, float* to);
};

/// Values of a rank, found bit by bit.
template <typename Key>
struct SelectKernel {
  /// Computes to[i], the middle one of the `number` values from[i + offsets[k]]; `number` is odd,
  /// and fits an unsigned integer of the width of Key.
  /// The values differ from `first` only in the lowest `bits` bits; those of `first` are such that
  /// no value is smaller. Rows are read and written up to a whole vector.
  void (*middle)(const Key* from, std::int64_t count, const std::ptrdiff_t* offsets,
                 std::int64_t number, Key first, int bits, Key* to);
};
/// Cells in a vector of any type, at most.
constexpr std::int64_t kMostLanes = 32;

/// All kernels of one instruction set.
struct Kernel {
  SmoothKernel<float> smooth_f32;
  SmoothKernel<double> smooth_f64;
  RoundKernel<std::uint8_t> round_u8;
  RoundKernel<std::int16_t> round_i16;
  RoundKernel<std::uint16_t> round_u16;
  GradientKernel<float> gradient_f32;
  GradientKernel<double> gradient_f64;
  SelectKernel<std::int8_t> select_i8;
  SelectKernel<std::int16_t> select_i16;
  SelectKernel<std::int32_t> select_i32;
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2, or this one has none.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::filters
