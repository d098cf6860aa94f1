// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/geodesic/kernel_body.h"

#include <cstdint>

namespace seedwave::geodesic {

template <typename Cell, int side>
const PlaneKernel<Cell>& plain_kernel() {
  return Plane<Cell, side>::kKernel;
}

template const PlaneKernel<std::uint8_t>& plain_kernel<std::uint8_t, 64>();
template const PlaneKernel<std::uint8_t>& plain_kernel<std::uint8_t, 32>();
template const PlaneKernel<std::uint16_t>& plain_kernel<std::uint16_t, 64>();
template const PlaneKernel<std::uint16_t>& plain_kernel<std::uint16_t, 32>();
template const PlaneKernel<std::int32_t>& plain_kernel<std::int32_t, 64>();
template const PlaneKernel<std::int32_t>& plain_kernel<std::int32_t, 32>();

}  // namespace seedwave::geodesic
