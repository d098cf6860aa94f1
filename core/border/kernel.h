// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Operations on rows of contiguous cells, in plain C++ and with AVX2. Both give the same bits.
namespace seedwave::border {

/// to[i] = min(to[i], from[i] + cost). The rows do not overlap, and no sum overflows.
template <typename Square>
using Lower = void (*)(Square* to, const Square* from, std::int64_t count, Square cost);

/// All kernels of one instruction set.
struct Kernel {
  Lower<std::uint16_t> lower_u16;
  Lower<std::uint32_t> lower_u32;
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const Kernel& best_kernel();
[[nodiscard]] const Kernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2, or this one has none.
[[nodiscard]] const Kernel* avx2_kernel();

}  // namespace seedwave::border
