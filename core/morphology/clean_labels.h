// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/morphology/distance.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Parts of a label that stay. Parts are connected by faces (6 neighbours, 4 in 2-D).
enum class KeptParts {
  All,
  WithSeeds,  // parts with a seed of their label; all parts of a label without seeds
  Largest     // the largest part of each label, the first in raster order if several are equal
};

enum class EnclosedHoles { Keep, Fill };

/// The label of voxels that no label claims, such as removed parts.
enum class Unclaimed {
  Nearest,  // the label of the nearest claimed voxel
  Nothing   // 0
};

struct CleanLabelsProblem {
  LabelMap labels;
  /// Each of these voxels gets the label of its seed, and its part always stays.
  std::vector<Seed> seeds{};  // sorted by offset
  /// Standard deviation of the Gaussian that smooths outlines, in voxels along each axis.
  Vec3 sigma{};
  KeptParts parts = KeptParts::All;
  /// Parts with fewer voxels are removed.
  std::int64_t fewest_voxels = 0;
  EnclosedHoles holes = EnclosedHoles::Keep;
  Unclaimed unclaimed = Unclaimed::Nearest;
  /// Measure of the nearest label, which removed parts get.
  DistanceScale scale{};
};

/// Smooths the outlines of labels, removes parts, and fills holes.
///
/// Each label claims voxels, independently of the other labels' steps:
/// 1. Its voxels, or if sigma is not 0 those where the Gaussian (core/filters) of its voxels, as 1
///    and 0, exceeds 1/2. Its seeds are added, those of other labels removed.
/// 2. Of these, the parts that stay.
/// 3. With EnclosedHoles::Fill, each face-connected part of the complement that does not touch the
///    border of the image, if its voxels had no label or this one and hold no seed of another.
/// Label 0 claims by its outline alone.
///
/// A voxel that one label claims gets it. Of several it keeps the label that it had, or else gets
/// the smallest; 0 counts only if no other label claims. A voxel that none claims gets 0, or with
/// Unclaimed::Nearest the label with the nearest claimed voxel, the smallest of equally near ones
/// (0 among them).
///
/// A label's claims grow with its voxels and seeds and shrink with those of others. With parts
/// other than Largest, more voxels or seeds of a label in place of other labels therefore take no
/// voxel from it in the result, except where its first seed makes WithSeeds apply. With
/// Unclaimed::Nothing this holds also if voxels of other labels become 0.
///
/// Bitwise equal for any number of threads. Memory: the result, 25 bytes per run of a label along
/// rows, with sigma 12 bytes per voxel of the largest label's box; with Unclaimed::Nearest 3 more
/// per voxel, and influence zones if much is removed. Throws Cancelled.
[[nodiscard]] LabelMap clean_labels(const CleanLabelsProblem& problem, Context& context);

// Parts that the CUDA twin shares.

/// Returns how far the Gaussian reaches along each axis, in voxels; zeros if outlines stay.
[[nodiscard]] Index3 outline_reach(const Geometry& geometry, const Vec3& sigma);

/// A step to another voxel, and the square of its length.
struct NearStep {
  Index3 to;
  double square;
};

/// Returns whether so few voxels are unclaimed that each searches around itself.
[[nodiscard]] bool are_few_unclaimed(std::size_t unclaimed, std::size_t voxels);
/// Returns the steps of that search, by their length: up to eight voxels along the axis with the
/// smallest spacing, 2,100 in all.
[[nodiscard]] std::vector<NearStep> near_steps(const Geometry& geometry,
                                               const DistanceScale& scale);
/// Returns for each voxel 1 plus the label of the nearest claimed one, the smallest of equally near
/// ones; 0 if nothing is claimed. Throws Cancelled.
[[nodiscard]] LabelMap zones_of_claims(const LabelMap& smallest,
                                       std::span<const std::uint8_t> is_claimed,
                                       const DistanceScale& scale, Context& context);

}  // namespace seedwave
