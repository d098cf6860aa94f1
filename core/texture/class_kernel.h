// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/nearest_class.h"

#include <cstdint>

/// The loop of nearest_class(), in plain C++ and with AVX2.
namespace seedwave::texture {

/// Windows side by side that are mapped at once: a cache line of features.
inline constexpr std::int64_t kWindowsAtOnce = 16;

/// FeatureClasses as the loop reads them.
struct ClassMap {
  const double* axes;     // plane by plane: `dimensions` numbers
  const double* offsets;  // one a dimension
  const double* centres;  // class by class: `dimensions` numbers
  std::int64_t planes;
  std::int64_t dimensions;
  std::int64_t classes;
};

struct ClassKernel {
  /// Of kWindowsAtOnce windows the class and the distance; features[plane * stride + window].
  /// mapped: room for kWindowsAtOnce numbers a dimension.
  void (*nearest)(const ClassMap& map, const float* features, std::int64_t stride, double* mapped,
                  std::uint16_t* classes, float* distances);
};

/// The fastest that this processor can run.
[[nodiscard]] const ClassKernel& best_class_kernel();
[[nodiscard]] const ClassKernel& plain_class_kernel();

/// nearest_class() with the loop of one instruction set.
[[nodiscard]] NearestClasses nearest_class_by(const ClassKernel& kernel, const TpcfProblem& windows,
                                              const FeatureClasses& classes, Context& context);

}  // namespace seedwave::texture
