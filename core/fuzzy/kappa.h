// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <cstdint>

namespace seedwave::fuzzy {

/// The tables of an affinity as raw pointers, for both CPU and CUDA (see AffinityTables in
/// problem.h).
struct KappaView {
  const float* homogeneity = nullptr;
  const float* const* objects = nullptr;
  int object_count = 0;
};

/// Returns the affinity on the levels 0..4096 from its two factors by one f32 multiplication,
/// rounded down. p = 4096 sqrt(psi), and phi is the square root of the object component.
SEEDWAVE_HD inline std::uint16_t quantised_affinity(float p, float phi) {
  return static_cast<std::uint16_t>(p * phi);  // both >= 0: truncation is floor
}

/// Returns the affinity of two adjacent cells with intensities f and g. It is symmetric.
///
/// The larger distance from m has the smaller table value, so the minimum over the two ends is the
/// maximum in Zhuge et al. 2013, Eq. 3. Over several objects the largest of the minima counts. The
/// smallest of the maxima would bridge two classes.
SEEDWAVE_HD inline std::uint16_t kappa(const KappaView& tables, std::uint16_t f, std::uint16_t g) {
  float phi = 0.0F;
  for (int k = 0; k < tables.object_count; ++k) {
    const float a = tables.objects[k][f];
    const float b = tables.objects[k][g];
    const float both = a < b ? a : b;
    phi = phi < both ? both : phi;
  }
  return quantised_affinity(tables.homogeneity[f < g ? g - f : f - g], phi);
}

}  // namespace seedwave::fuzzy
