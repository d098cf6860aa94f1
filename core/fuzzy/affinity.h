// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/scene.h"

#include <span>
#include <vector>

namespace seedwave::fuzzy {

/// Appearance of one object, in image units: phi = exp(-(f - m)^2 / sigma_o^2).
struct ObjectFeature {
  double m = 0.0;
  double sigma_o = 1.0;
  friend bool operator==(const ObjectFeature&, const ObjectFeature&) = default;
};

/// Intensities around m, with a deviation of its own to either side, in image units: phi =
/// exp(-(f - m)^2 / (2 sigma^2)), where sigma is `below` for f < m and `above` else.
struct IntensityWindow {
  double m = 0.0;
  double below = 1.0;
  double above = 1.0;
  friend bool operator==(const IntensityWindow&, const IntensityWindow&) = default;
};

/// Number of sigmas at which a window ends, beyond which 4096 times the root of the Gaussian is
/// below 1: sqrt(2 ln 4096) = 4.0787, with a margin for rounding the tables to f32. 4096
/// exp(-4.08^2 / 2) = 0.9946.
inline constexpr double kWindowReach = 4.08;

/// The appearance of one object; the largest phi of its windows counts. At least one.
using ObjectWindows = std::vector<IntensityWindow>;

[[nodiscard]] inline ObjectWindows windows_of(const ObjectFeature& feature) {
  return {{feature.m, feature.sigma_o, feature.sigma_o}};
}

/// Parameters of the affinity, in image units. Holds the windows of one object, or of each label
/// (`object` = all).
struct AffinityValues {
  double sigma_h = 1.0;
  std::vector<ObjectWindows> objects;
  friend bool operator==(const AffinityValues&, const AffinityValues&) = default;
};

/// Returns a range of intensities outside of which the affinity, on 4096 levels, to every neighbour
/// is 0 for any sigma_h. For each window
///
///   floor(4096 exp(-(f - m)^2 / (2 sigma^2))) = 0 if |f - m| > sigma sqrt(2 ln 4096),
///
/// about 4.0787 sigma. The returned range is slightly wider. At least one object is required.
[[nodiscard]] ValueRange connectable_range(std::span<const ObjectWindows> objects);

/// Computes the tables of problem.h over the intensities of a scene, which `scale` maps to image
/// units.
///
/// The tables are computed in f64 and rounded to f32 once, on the host, for every backend. Sigmas
/// must be positive.
[[nodiscard]] AffinityTables make_affinity_tables(const AffinityValues& values,
                                                  const GreyScale& scale);

/// The tables in the form that kappa() reads. Valid while `tables` exists unchanged.
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
