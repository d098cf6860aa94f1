// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Operations on rows of contiguous cells, in plain C++ and with AVX2. Both give the same bits.
namespace seedwave::border {

/// to[i] = min(rows[0][i], rows[-k][i] + costs[k], rows[k][i] + costs[k]) over all k up to `reach`.
/// `to` is none of the rows, and no sum overflows.
template <typename Square>
using Lower = void (*)(const Square* const* rows, std::int64_t count, const Square* costs,
                       std::int64_t reach, Square* to);

/// A row of intensities, and marks that are 0 for voxels that do not count.
template <typename T>
struct MarkedRow {
  const T* values;
  const std::uint8_t* marks;
};
/// Sum of squared differences, and the number of pairs.
struct SquaredDifferences {
  std::uint64_t sum = 0;
  std::int64_t pairs = 0;
};
/// Adds up the differences between the voxels of two rows that both count, with intensities limited
/// to `least` and `most`.
template <typename T>
using Differences = SquaredDifferences (*)(MarkedRow<T> a, MarkedRow<T> b, std::int64_t count,
                                           std::int32_t least, std::int32_t most);

/// All kernels of one instruction set.
struct Kernel {
  Lower<std::uint16_t> lower_u16;
  Lower<std::uint32_t> lower_u32;
  Differences<std::uint8_t> differences_u8;
  Differences<std::int16_t> differences_i16;
  Differences<std::uint16_t> differences_u16;

  [[nodiscard]] constexpr auto lower(std::uint16_t /*of*/) const { return lower_u16; }
  [[nodiscard]] constexpr auto lower(std::uint32_t /*of*/) const { return lower_u32; }
  [[nodiscard]] constexpr auto differences(std::uint8_t /*of*/) const { return differences_u8; }
  [[nodiscard]] constexpr auto differences(std::int16_t /*of*/) const { return differences_i16; }
  [[nodiscard]] constexpr auto differences(std::uint16_t /*of*/) const { return differences_u16; }
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2, or this one has none.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::border
