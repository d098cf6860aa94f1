// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/wavefront/geodesic/kernel.h"

#include <cstdint>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/wavefront/geodesic/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

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
