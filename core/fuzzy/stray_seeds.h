// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/vec3.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

/// Seeds that do not look like their label. Those of a threshold in a noisy image lie scattered,
/// and many are wrong.
namespace seedwave::fuzzy {

/// Returns kFewestOfPart if the seeds are scattered: at least 100 groups of fewer connected seeds,
/// with more than half of all. Otherwise 0: strokes and clicks of a person mean what they say.
/// seeds: sorted by offset. Throws Cancelled.
[[nodiscard]] std::size_t smallest_stroke_among(const Geometry& geometry,
                                                std::span<const Seed> seeds, Context& context);

/// Returns the seeds in groups of fewer connected seeds of their label. Both sorted by offset.
/// Throws Cancelled.
[[nodiscard]] std::vector<Seed> seeds_in_small_groups(const Geometry& geometry,
                                                      std::span<const Seed> seeds,
                                                      std::size_t smallest_stroke,
                                                      Context& context);

struct StraySeedsProblem {
  Volume image;
  LabelMap mask{};
  /// Sigma, in voxels along each axis, of the Gaussian on the intensities.
  Vec3 smooth{};
  /// Seeds in small groups: others are never stray. Sorted by offset.
  std::span<const Seed> doubtful;
  /// The windows of all labels that are described.
  const std::map<Label, ObjectWindows>& windows;
};

/// Returns the stray seeds, sorted by offset: those of an intensity outside the windows of their
/// label, or if it has none, inside those of another label.
///
/// A further seed of a label makes no other seed stray: no seed of another label changes, and
/// groups of its own only grow. Throws as read_affinity_image() does, and Cancelled.
[[nodiscard]] std::vector<Seed> stray_seeds(const StraySeedsProblem& problem, Context& context);

/// Returns the seeds that are not among others, by their places. All sorted by offset.
[[nodiscard]] std::vector<Seed> without(std::span<const Seed> seeds, std::span<const Seed> others);

}  // namespace seedwave::fuzzy
