// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/gated/kernel_body.h"

#include <cstdint>

namespace seedwave::gated {

const PlaneKernel& plain_plane_kernel() {
  return kPlaneKernel;
}
template <typename Cell>
const GateKernel<Cell>& plain_gate_kernel() {
  return GateLoops<Cell>::kKernel;
}

template const GateKernel<std::uint8_t>& plain_gate_kernel<std::uint8_t>();
template const GateKernel<std::uint16_t>& plain_gate_kernel<std::uint16_t>();
template const GateKernel<std::int32_t>& plain_gate_kernel<std::int32_t>();

}  // namespace seedwave::gated
