// SPDX-License-Identifier: Apache-2.0
// Only what stands below the pragmas is built for AVX2. Everything that others could share is
// included before it, or the linker might keep the AVX2 form for all.
#include "core/wavefront/geodesic/kernel.h"

#include <cstdint>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
// Not __AVX2__: a preprocessor that runs apart does not set it for the pragma.
#define SEEDWAVE_AVX2_KERNEL
#include "core/wavefront/geodesic/kernel_body.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace seedwave::geodesic {

template <typename Cell, int side>
const PlaneKernel<Cell>* avx2_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? &Plane<Cell, side>::kKernel : nullptr;
}

#else

namespace seedwave::geodesic {

template <typename Cell, int side>
const PlaneKernel<Cell>* avx2_kernel() {
  return nullptr;
}

#endif

template <typename Cell, int side>
const PlaneKernel<Cell>& best_kernel() {
  const PlaneKernel<Cell>* avx2 = avx2_kernel<Cell, side>();
  return avx2 != nullptr ? *avx2 : plain_kernel<Cell, side>();
}

template const PlaneKernel<std::uint8_t>* avx2_kernel<std::uint8_t, 64>();
template const PlaneKernel<std::uint8_t>* avx2_kernel<std::uint8_t, 32>();
template const PlaneKernel<std::uint16_t>* avx2_kernel<std::uint16_t, 64>();
template const PlaneKernel<std::uint16_t>* avx2_kernel<std::uint16_t, 32>();
template const PlaneKernel<std::int32_t>* avx2_kernel<std::int32_t, 64>();
template const PlaneKernel<std::int32_t>* avx2_kernel<std::int32_t, 32>();
template const PlaneKernel<std::uint8_t>& best_kernel<std::uint8_t, 64>();
template const PlaneKernel<std::uint8_t>& best_kernel<std::uint8_t, 32>();
template const PlaneKernel<std::uint16_t>& best_kernel<std::uint16_t, 64>();
template const PlaneKernel<std::uint16_t>& best_kernel<std::uint16_t, 32>();
template const PlaneKernel<std::int32_t>& best_kernel<std::int32_t, 64>();
template const PlaneKernel<std::int32_t>& best_kernel<std::int32_t, 32>();

}  // namespace seedwave::geodesic
