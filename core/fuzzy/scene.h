// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::fuzzy {

/// The mask, and the intensities that an affinity reads, in full precision.
///
/// Estimates are based on these values and not on the 16-bit intensities of a scene, so one outlier
/// does not make them coarser.
struct AffinityImage {
  Geometry geometry;
  /// 16-bit intensities of images of 8 and 16 bits: intensity = first + value. Empty for other
  /// images.
  Volume greys;
  double first = 0.0;
  /// Images of type i32 and f32, after the requested smoothing. Empty for other images.
  Volume wide;
  /// Minimum and maximum of `wide`.
  ValueRange range;
  /// 0 where a cell takes no part. Null if all take part.
  std::shared_ptr<const std::vector<std::uint8_t>> mask;

  /// Calls visitor(std::span<const T>), where T is u16 (16-bit intensities), i32 or f32
  /// (intensities).
  template <typename Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    if (!greys.empty()) return visitor(greys.voxels<std::uint16_t>());
    if (wide.type() == VoxelType::I32) return visitor(wide.voxels<std::int32_t>());
    return visitor(wide.voxels<float>());
  }
};

/// Reads an image for an affinity.
///
/// `smooth` is the sigma, in voxels, of a Gaussian along each axis of more than one voxel; 0 means
/// none along this axis. The result is rounded to integers for integer images. Sums are taken in a
/// fixed order, so the intensities do not depend on the number of threads. An empty mask excludes
/// nothing.
///
/// Throws InputError for several components, and for NaN or infinite values (with their number and
/// first position).
[[nodiscard]] AffinityImage read_affinity_image(const Volume& image, const LabelMap& mask,
                                                const Vec3& smooth, Context& context);

/// Maps the 16-bit intensities of a scene to image units: value = first + intensity * step.
struct GreyScale {
  double first = 0.0;
  double step = 1.0;

  [[nodiscard]] double value_of(double grey) const noexcept { return first + grey * step; }
  friend bool operator==(const GreyScale&, const GreyScale&) = default;
};

/// Returns the finest 16-bit scale for the intensities in `needed`.
///
/// Images of 8 and 16 bits keep their values. For others, the levels 0..65535 span the part of the
/// image's range that lies in `needed`. An i32 image gets a step of 1 if that suffices.
[[nodiscard]] GreyScale scale_for(const AffinityImage& image, const ValueRange& needed);

/// A scene with its scale and the warnings of the conversion.
struct ScaledScene {
  Scene scene;
  GreyScale scale;
  std::vector<std::string> warnings;
};

/// Converts the image to 16 bits by `scale`, with a warning for images of type i32 and f32.
/// Intensities beyond the scale are clamped to its first or last level.
[[nodiscard]] ScaledScene make_scene(const AffinityImage& image, const GreyScale& scale,
                                     Context& context);

}  // namespace seedwave::fuzzy
