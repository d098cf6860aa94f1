// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/scene.h"

#include <span>
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

/// A range of intensities outside of which the affinity on 4096 levels is 0 with every neighbour,
/// whatever sigma_h is: floor(4096 exp(-(f - m)^2 / (2 sigma_o^2))) = 0 for each object where
/// |f - m| > sigma_o sqrt(2 ln 4096), about 4.0787 sigma_o. Slightly wider than that. There must be
/// an object.
[[nodiscard]] ValueRange connectable_range(std::span<const ObjectFeature> objects);

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
