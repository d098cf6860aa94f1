// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// How a scene's greys lie in image units: value = first + grey * step.
struct GreyScale {
  double first = 0.0;
  double step = 1.0;

  [[nodiscard]] double value_of(double grey) const noexcept { return first + grey * step; }
  friend bool operator==(const GreyScale&, const GreyScale&) = default;
};

/// A scene with its scale, and what to tell the user about the way there.
struct ScaledScene {
  Scene scene;
  GreyScale scale;
  std::vector<std::string> warnings;
};

/// The image on 16 bits, and the mask (empty: none).
///
/// u8, i16 and u16 keep their values exactly. i32 and f32 are mapped linearly from their range onto
/// 0..65535, with a warning; an i32 image that spans at most 65536 values is only shifted.
/// `smooth`: sigma in voxels of a Gaussian along each axis of more than one voxel, put back on 16
/// bits; 0: none. The order of its sums is fixed, so that any thread count gives the same greys.
///
/// Throws InputError: several components, NaN or infinite values (with count and first place).
[[nodiscard]] ScaledScene make_scene(const Volume& image, const LabelMap& mask, double smooth,
                                     Context& context);

}  // namespace seedwave::fuzzy
