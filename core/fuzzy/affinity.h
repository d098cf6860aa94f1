// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/scene.h"

#include <vector>

namespace seedwave::fuzzy {

/// What one object looks like, in image units: phi = exp(-(f - m)^2 / sigma_o^2).
struct ObjectFeature {
  double m = 0.0;
  double sigma_o = 1.0;
  friend bool operator==(const ObjectFeature&, const ObjectFeature&) = default;
};

/// The affinity's numbers, in image units; one ObjectFeature, or one per label (`object` = all).
struct AffinityValues {
  double sigma_h = 1.0;
  std::vector<ObjectFeature> objects;
  friend bool operator==(const AffinityValues&, const AffinityValues&) = default;
};

/// The tables of problem.h over the greys of a scene that `scale` maps to image units.
///
/// Computed in f64 and rounded to f32 once, on the host, for every backend. Sigmas must be
/// positive.
[[nodiscard]] AffinityTables make_affinity_tables(const AffinityValues& values,
                                                  const GreyScale& scale);

/// The tables as kappa() reads them; valid while `tables` lives and is not changed.
class KappaTables {
 public:
  explicit KappaTables(const AffinityTables& tables);
  [[nodiscard]] KappaView view() const noexcept {
    return {homogeneity_, objects_.data(), static_cast<int>(objects_.size())};
  }

 private:
  const float* homogeneity_;
  std::vector<const float*> objects_;
};

}  // namespace seedwave::fuzzy
