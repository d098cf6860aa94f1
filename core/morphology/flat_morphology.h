// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/flat_element.h"
#include "core/parallel/context.h"

/// Dilation, erosion, opening and closing by a flat structuring element, of images of one value a
/// voxel; of the image's type, -0.0 has become +0.0. Outside the image there is nothing: the
/// element is cut at its border.
///
/// Exact, the same bits for any number of threads. Cost a voxel: a comparison for each of the
/// element's rows (2r + 1 for a disc, about pi r^2 for a ball) and three for each distinct width,
/// all on vectors. Each throws InputError where a value is NaN, and Cancelled.
namespace seedwave {

/// The largest value under the element.
[[nodiscard]] Volume dilated(const Volume& image, const FlatElement& element, Context& context);
/// The smallest.
[[nodiscard]] Volume eroded(const Volume& image, const FlatElement& element, Context& context);
/// Dilation of the erosion: what the element fits under stays.
[[nodiscard]] Volume opened(const Volume& image, const FlatElement& element, Context& context);
/// Erosion of the dilation.
[[nodiscard]] Volume closed(const Volume& image, const FlatElement& element, Context& context);

}  // namespace seedwave
