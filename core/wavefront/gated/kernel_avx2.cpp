// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/wavefront/gated/kernel.h"

#include <cstdint>

#ifdef SEEDWAVE_HAS_AVX2

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/wavefront/gated/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on
#endif

namespace seedwave::gated {

const PlaneKernel* avx2_plane_kernel() {
  return SEEDWAVE_IF_AVX2(kPlaneKernel);
}
template <typename Cell>
const GateKernel<Cell>* avx2_gate_kernel() {
  return SEEDWAVE_IF_AVX2(GateLoops<Cell>::kKernel);
}
const PlaneKernel& best_plane_kernel() {
  return faster_of(avx2_plane_kernel(), plain_plane_kernel());
}
template <typename Cell>
const GateKernel<Cell>& best_gate_kernel() {
  return faster_of(avx2_gate_kernel<Cell>(), plain_gate_kernel<Cell>());
}

template const GateKernel<std::uint8_t>* avx2_gate_kernel<std::uint8_t>();
template const GateKernel<std::uint16_t>* avx2_gate_kernel<std::uint16_t>();
template const GateKernel<std::int32_t>* avx2_gate_kernel<std::int32_t>();
template const GateKernel<std::uint8_t>& best_gate_kernel<std::uint8_t>();
template const GateKernel<std::uint16_t>& best_gate_kernel<std::uint16_t>();
template const GateKernel<std::int32_t>& best_gate_kernel<std::int32_t>();

}  // namespace seedwave::gated
