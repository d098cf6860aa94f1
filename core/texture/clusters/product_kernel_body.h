// SPDX-License-Identifier: Apache-2.0
// Included once without and once with AVX2. Everything here has internal linkage.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/texture/clusters/product_kernel.h"

namespace seedwave::texture {
namespace {

using Doubles = VectorOf<double>::Type;

/// Numbers of entries whose sums fit into the registers together with their factors.
constexpr int kRows = 4;
#ifdef SEEDWAVE_FOR_AVX2
constexpr int kVectors = 2;
#else
constexpr int kVectors = 1;  // a vector is two registers
#endif
constexpr int kColumns = kVectors * kLanes<double>;

SEEDWAVE_INLINE void add_block(const double* a, const double* b, std::int64_t stride,
                               std::int64_t points, double* sums) {
  Doubles held[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      held[r][v] = load<Doubles>(sums + r * kProductTile + v * kLanes<double>);
  }
  for (std::int64_t i = 0; i < points; ++i) {
    Doubles lanes[kVectors];
    for (int v = 0; v < kVectors; ++v)
      lanes[v] = load<Doubles>(b + v * kLanes<double>);
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v)
        held[r][v] += a[r] * lanes[v];
    }
    a += stride;
    b += stride;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      store(sums + r * kProductTile + v * kLanes<double>, held[r][v]);
  }
}

void add(const double* a, const double* b, std::int64_t stride, std::int64_t points,
         std::int64_t rows, std::int64_t columns, double* sums) {
  for (std::int64_t r = 0; r < rows; r += kRows) {
    for (std::int64_t c = 0; c < columns; c += kColumns)
      add_block(a + r, b + c, stride, points, sums + r * kProductTile + c);
  }
}

constexpr ProductKernel kKernel{.add = add};

}  // namespace
}  // namespace seedwave::texture
