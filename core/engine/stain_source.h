// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"
#include "core/image/seed_set.h"
#include "core/image/stains.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <array>
#include <string>
#include <variant>

namespace seedwave {

/// All pixels of a picture: both of its stains, or its background, are found at once.
struct WholePicture {
  /// The stain that is wanted, 0 or 1.
  int stain = 0;
};

/// The pixels under the strokes of a label, which show a stain alone, or the background.
struct StainedStrokes {
  SeedSet strokes;
  Label label = 0;
};

/// Pixels that show a stain, or the background: the whole picture, regions, or strokes.
using StainSource = std::variant<WholePicture, Regions, StainedStrokes>;

/// Returns both stains of a picture, as stain_from() returns one.
[[nodiscard]] std::array<Vec3, 2> stains_of_picture(const Volume& rgb, const Rgb& background,
                                                    Context& context);

/// Returns the optical densities of a stain in red, green and blue, with the length 1 (see
/// core/texture/stain_vectors.h). `rgb`: 2-D. Throws InputError if it is not RGB of 8 bits, and if
/// the source shows no stain.
[[nodiscard]] Vec3 stain_from(const Volume& rgb, const StainSource& source, const Rgb& background,
                              Context& context);

/// Returns the background of a picture, from all of it or from pixels that show it alone
/// (background_of_picture(), background_of_region()). Throws InputError if the picture is not RGB
/// of 8 bits, if the source has no pixels, or is black.
[[nodiscard]] Rgb background_from(const Volume& rgb, const StainSource& source, Context& context);
/// Returns what a person should know of a background that was found; "" if it looks like glass.
[[nodiscard]] std::string background_warning(const Rgb& background);

}  // namespace seedwave
