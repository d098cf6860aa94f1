// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <array>
#include <variant>

namespace seedwave {

/// All pixels of a picture: both of its stains are found at once.
struct WholePicture {
  /// The stain that is wanted, 0 or 1.
  int stain = 0;
};

/// The pixels under the strokes of a label, which show a stain alone.
struct StainedStrokes {
  SeedSet strokes;
  Label label = 0;
};

/// Pixels that show a stain: the whole picture, regions, or strokes.
using StainSource = std::variant<WholePicture, Regions, StainedStrokes>;

/// Returns both stains of a picture, as stain_from() returns one.
[[nodiscard]] std::array<Vec3, 2> stains_of_picture(const Volume& rgb, Context& context);

/// Returns the optical densities of a stain in red, green and blue, with the length 1 (see
/// core/texture/stain_vectors.h). `rgb`: 2-D. Throws InputError if it is not RGB of 8 bits, and if
/// the source shows no stain.
[[nodiscard]] Vec3 stain_from(const Volume& rgb, const StainSource& source, Context& context);

}  // namespace seedwave
