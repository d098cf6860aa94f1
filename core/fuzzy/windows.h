// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/vec3.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace seedwave::fuzzy {

struct WindowsProblem {
  Volume image;
  LabelMap mask{};          // empty: every voxel takes part
  std::vector<Seed> seeds;  // sorted by offset, inside the mask
  /// Sigma, in voxels along each axis, of the Gaussian on the intensities that the affinity reads.
  Vec3 smooth{};
  /// Labels that get windows; each has seeds.
  std::set<Label> described;
  /// Those of the seeds that count only at intensities that no other label has more of. Sorted by
  /// offset.
  std::vector<Seed> doubtful{};
};

/// The rules of an estimate.
struct WindowsRules {
  /// Parts of other intensities get windows of their own.
  bool own_windows = true;
  /// Parts that differ from the most uniform one hardly count, and no deviation exceeds its.
  bool strict = false;
  /// A first result, whose regions count as samples too. Empty: none.
  LabelMap first{};
};

struct WindowsEstimate {
  std::map<Label, ObjectWindows> windows;
  /// Mean over the described labels.
  double sigma_h = 1.0;
};

class SeedParts;

/// Estimates the intensities of each label from its seeds and those of the other labels, in image
/// units. docs/algorithms/segment.md has the definition and the experiments behind it.
///
/// Seeds count less where the gradient is high, and connected parts of seeds count less the more
/// their median differs from that of the most uniform part. To either side of the median the window
/// ends where the density of the other labels exceeds that of the label, at 2 to about 4
/// deviations. Parts of seeds with intensities beyond it get a window of their own.
///
/// The result depends on no order of the seeds. Bitwise equal for any number of threads.
/// Several estimates of one problem share what does not depend on the rules: smoothed intensities,
/// noise, and the parts of the seeds.
class WindowsEstimator {
 public:
  /// context: must outlive this object. Throws InputError for images that read_affinity_image()
  /// rejects, and Cancelled.
  WindowsEstimator(WindowsProblem problem, Context& context);
  ~WindowsEstimator();
  WindowsEstimator(const WindowsEstimator&) = delete;
  WindowsEstimator& operator=(const WindowsEstimator&) = delete;

  /// Throws Cancelled.
  [[nodiscard]] WindowsEstimate estimate(const WindowsRules& rules);

 private:
  Context& context_;
  std::unique_ptr<const SeedParts> parts_;
};

}  // namespace seedwave::fuzzy
