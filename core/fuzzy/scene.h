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

/// The intensities that an affinity reads, in full precision, and the mask.
///
/// Estimates are taken from these, not from the greys of a scene, so that one outlier does not
/// coarsen them.
struct AffinityImage {
  Geometry geometry;
  /// Images of 8 and 16 bits: intensity = first + grey; null for others.
  std::shared_ptr<const std::vector<std::uint16_t>> greys;
  double first = 0.0;
  /// Images of type i32 and f32, smoothed where that was asked for; empty for others.
  Volume wide;
  /// Smallest and largest value of `wide`.
  ValueRange range;
  /// 0: takes no part; null: all take part.
  std::shared_ptr<const std::vector<std::uint8_t>> mask;

  /// Calls visitor(std::span<const T>) with T one of u16 (greys), i32, f32 (intensities).
  template <typename Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    if (greys) return visitor(std::span<const std::uint16_t>(*greys));
    if (wide.type() == VoxelType::I32) return visitor(wide.voxels<std::int32_t>());
    return visitor(wide.voxels<float>());
  }
};

/// Reads an image for an affinity.
///
/// `smooth`: sigma in voxels of a Gaussian along each axis of more than one voxel; 0: none. The
/// result is rounded to integers for integer images. The order of its sums is fixed, so any thread
/// count gives the same intensities. An empty mask leaves nothing out.
///
/// Throws InputError: several components, NaN or infinite values (with count and first place).
[[nodiscard]] AffinityImage read_affinity_image(const Volume& image, const LabelMap& mask,
                                                double smooth, Context& context);

/// How a scene's greys lie in image units: value = first + grey * step.
struct GreyScale {
  double first = 0.0;
  double step = 1.0;

  [[nodiscard]] double value_of(double grey) const noexcept { return first + grey * step; }
  friend bool operator==(const GreyScale&, const GreyScale&) = default;
};

/// The scale on which the intensities in `needed` lie on 16 bits as finely as possible.
///
/// Images of 8 and 16 bits keep their values. For others, greys 0..65535 span the part of the
/// image's range that lies in `needed`, in steps of 1 where that is enough for an i32 image.
[[nodiscard]] GreyScale scale_for(const AffinityImage& image, const ValueRange& needed);

/// A scene with its scale, and what to tell the user about the way there.
struct ScaledScene {
  Scene scene;
  GreyScale scale;
  std::vector<std::string> warnings;
};

/// The image on 16 bits by `scale`, with a warning for images of type i32 and f32. Intensities
/// beyond the scale get its first or last grey.
[[nodiscard]] ScaledScene make_scene(const AffinityImage& image, const GreyScale& scale,
                                     Context& context);

}  // namespace seedwave::fuzzy
