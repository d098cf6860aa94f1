// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/wavefront/gated/kernel.h"

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/wavefront/gated/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::gated {

const PlaneKernel* avx2_plane_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? &kPlaneKernel : nullptr;
}
template <typename Cell>
const GateKernel<Cell>* avx2_gate_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? &GateLoops<Cell>::kKernel : nullptr;
}

#else

namespace seedwave::gated {

const PlaneKernel* avx2_plane_kernel() {
  return nullptr;
}
template <typename Cell>
const GateKernel<Cell>* avx2_gate_kernel() {
  return nullptr;
}

#endif

const PlaneKernel& best_plane_kernel() {
  const PlaneKernel* avx2 = avx2_plane_kernel();
  return avx2 != nullptr ? *avx2 : plain_plane_kernel();
}
template <typename Cell>
const GateKernel<Cell>& best_gate_kernel() {
  const GateKernel<Cell>* avx2 = avx2_gate_kernel<Cell>();
  return avx2 != nullptr ? *avx2 : plain_gate_kernel<Cell>();
}

template const GateKernel<std::uint8_t>* avx2_gate_kernel<std::uint8_t>();
template const GateKernel<std::uint16_t>* avx2_gate_kernel<std::uint16_t>();
template const GateKernel<std::int32_t>* avx2_gate_kernel<std::int32_t>();
template const GateKernel<std::uint8_t>& best_gate_kernel<std::uint8_t>();
template const GateKernel<std::uint16_t>& best_gate_kernel<std::uint16_t>();
template const GateKernel<std::int32_t>& best_gate_kernel<std::int32_t>();

}  // namespace seedwave::gated
