// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The loop of mean_product(), in plain C++ and with AVX2.
namespace seedwave::texture {

/// Side of the squares of entries that are summed together.
inline constexpr std::int64_t kProductTile = 32;

struct ProductKernel {
  /// Adds a[i * stride + r] b[i * stride + c] to sums[r * kProductTile + c] for points i = 0, 1 ..
  /// in this order. Each product and sum is rounded separately. Covers the entries r < rows and c <
  /// columns, and perhaps some beyond, below kProductTile.
  void (*add)(const double* a, const double* b, std::int64_t stride, std::int64_t points,
              std::int64_t rows, std::int64_t columns, double* sums);
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const ProductKernel& best_product_kernel();
[[nodiscard]] const ProductKernel& plain_product_kernel();

}  // namespace seedwave::texture
