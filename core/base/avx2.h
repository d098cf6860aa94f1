// SPDX-License-Identifier: Apache-2.0
// Choice between a kernel that is built plainly and the same built for AVX2 (avx2_begin.h).
#pragma once

#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#define SEEDWAVE_HAS_AVX2
/// Address of a kernel that was built for AVX2; null on a processor without it.
#define SEEDWAVE_IF_AVX2(...) (__builtin_cpu_supports("avx2") != 0 ? &(__VA_ARGS__) : nullptr)
#else
#define SEEDWAVE_IF_AVX2(...) nullptr
#endif

namespace seedwave {

/// Returns the kernel for AVX2, or the plain one if there is none.
template <typename Kernel>
[[nodiscard]] const Kernel& faster_of(std::type_identity_t<const Kernel*> avx2,
                                      const Kernel& plain) noexcept {
  return avx2 != nullptr ? *avx2 : plain;
}

}  // namespace seedwave
