// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kept_scene.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/vec3.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::fuzzy {

/// Smoothed intensities of an image, with the noise and the gradients of the raw ones around seeds.
class SeededIntensities {
 public:
  /// seeds: at least one.
  SeededIntensities(const Volume& image, const LabelMap& mask, const Vec3& smooth,
                    std::span<const Seed> seeds, Context& context);

  /// Returns the smoothed intensity of a cell.
  [[nodiscard]] double at(std::int64_t cell) const;
  [[nodiscard]] const AffinityImage& read() const { return kept_.image(); }
  /// Returns the seeds' bounding box, enlarged by 10 voxels.
  [[nodiscard]] const Box& box() const { return box_; }
  /// Returns the deviation of the noise of the smoothed intensities, and of the raw ones; at least
  /// half a step of the intensities.
  [[nodiscard]] double noise() const { return noise_; }
  [[nodiscard]] double raw_noise() const { return raw_noise_; }
  /// Returns the gradient magnitude of the raw intensities per voxel, by a Gaussian of one voxel.
  [[nodiscard]] double gradient(std::int64_t cell) const;

 private:
  [[nodiscard]] double half_a_step() const;
  template <typename ValueAt>
  [[nodiscard]] double noise_of(ValueAt&& value_at) const;

  Volume image_;
  KeptScene kept_;
  Geometry geometry_;
  Box box_;
  double noise_ = 0.0;
  double raw_noise_ = 0.0;
};

/// Connected seeds of fewer voxels describe nothing by themselves.
inline constexpr std::size_t kFewestOfPart = 12;

/// A connected part of the seeds of one label, or all of them.
struct StrokePart {
  std::vector<std::int64_t> cells;
  std::vector<double> values;
  std::vector<double> gradients;
  double middle = 0.0;     // median of the values
  double deviation = 0.0;  // kMadToSigma times the median absolute deviation
  double gradient = 0.0;   // median
};

/// Returns the groups of cells that are connected by faces, edges or corners, in the order of their
/// first cells. cells: sorted. Throws Cancelled.
[[nodiscard]] std::vector<std::vector<std::int64_t>> connected_groups(
    const Geometry& geometry, std::span<const std::int64_t> cells, Context& context);

/// Returns the sorted cells of the seeds of a label.
[[nodiscard]] std::vector<std::int64_t> cells_of(std::span<const Seed> seeds, Label label);

/// Splits the seeds of a label into parts that are connected by faces, edges or corners, in the
/// order of their first seeds. If most seeds lie in parts of fewer than kFewestOfPart, such as
/// clicks or the voxels of a threshold, all are one part. Throws Cancelled.
[[nodiscard]] std::vector<StrokePart> parts_of(const Geometry& geometry,
                                               std::span<const Seed> seeds, Label label,
                                               const SeededIntensities& intensities,
                                               Context& context);

}  // namespace seedwave::fuzzy
