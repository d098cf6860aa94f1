// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/stains.h"
#include "core/texture/colours.h"

#include <array>

/// Optical densities of stains from the colours of a picture, for colour deconvolution
/// (core/image/stains.h). Vectors have the length 1. The same bits on every thread count, since
/// sums run over colours in ascending order.
namespace seedwave {

/// Returns the stain of a region that has one alone: the mean of its pixels' optical densities.
/// Throws InputError for a region without pixels, or as bright as glass (the background).
[[nodiscard]] Vec3 stain_of(const ColourCounts& region, const Rgb& background = kWhiteBackground);

/// Returns the two stains of a picture (M. Macenko et al., ISBI 2009, 1107-1110). Pixels with an
/// optical density below 0.065 (0.15 in natural logarithms) in one of the colours are glass or too
/// pale. The other densities are projected to the plane of their two largest singular vectors, and
/// the stains are the 1st and the 99th percentile of their directions in it. The stain that takes
/// up more of the red light is the first one: haematoxylin beside eosin or DAB.
///
/// Throws InputError for fewer than 1000 stained pixels, and where all have the same hue:
/// directions less than 5 degrees apart.
[[nodiscard]] std::array<Vec3, 2> two_stains_of(const ColourCounts& picture,
                                                const Rgb& background = kWhiteBackground);

/// Returns the background of a picture: of each component the most frequent value at or above its
/// mean, of several the highest. Throws InputError if the picture has no
/// pixels, or is black in a component.
[[nodiscard]] Rgb background_of_picture(const ColourCounts& picture);
/// Returns whether a colour is tinted (its components differ by more than 30), or counts as stained
/// on a white background: as the background of a whole picture it shows that there is hardly any
/// glass in it.
[[nodiscard]] bool is_stained(const Rgb& colour);
/// Returns the background from a region of it: the median of each component, of an even number of
/// pixels the higher one in the middle. Throws InputError as background_of_picture().
[[nodiscard]] Rgb background_of_region(const ColourCounts& region);

}  // namespace seedwave
