// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/wavefront/geodesic/kernel.h"

#include <cstdint>
#include <utility>

#ifdef SEEDWAVE_HAS_AVX2

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/wavefront/geodesic/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on
#endif

namespace seedwave::geodesic {

template <typename Cell, int side>
const PlaneKernel<Cell>* avx2_kernel() {
  return SEEDWAVE_IF_AVX2(Plane<Cell, side>::kKernel);
}
template <typename Cell, int side>
const PlaneKernel<Cell>& best_kernel() {
  return faster_of(avx2_kernel<Cell, side>(), plain_kernel<Cell, side>());
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
