// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/nearest_class.h"

#include <cstdint>

/// The loop of nearest_class(), in plain C++ and with AVX2.
namespace seedwave::texture {

/// Number of adjacent windows that are mapped at once: a cache line of features.
inline constexpr std::int64_t kWindowsAtOnce = 16;

/// FeatureClasses in the form that the loop reads.
struct ClassMap {
  const double* axes;     // by plane: `dimensions` numbers
  const double* offsets;  // one per dimension
  const double* centres;  // by class: `dimensions` numbers
  std::int64_t planes;
  std::int64_t dimensions;
  std::int64_t classes;
};

struct ClassKernel {
  /// Finds the class and the distance of kWindowsAtOnce windows. Reads features[plane * stride +
  /// window]. `mapped` has room for kWindowsAtOnce numbers per dimension.
  void (*nearest)(const ClassMap& map, const float* features, std::int64_t stride, double* mapped,
                  std::uint16_t* classes, float* distances);
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const ClassKernel& best_class_kernel();
[[nodiscard]] const ClassKernel& plain_class_kernel();

/// Runs nearest_class() with the loop of one instruction set.
[[nodiscard]] NearestClasses nearest_class_by(const ClassKernel& kernel, const TpcfProblem& windows,
                                              const FeatureClasses& classes, Context& context);

}  // namespace seedwave::texture
