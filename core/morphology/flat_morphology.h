// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/flat_element.h"
#include "core/parallel/context.h"

/// Dilation, erosion, opening and closing by a flat structuring element, for images of one value
/// per voxel. The result has the image's type; -0.0 becomes +0.0. The element is clipped at the
/// image border.
///
/// Exact, and bitwise equal for any number of threads. Cost per voxel: one comparison for each of
/// the element's rows (2r + 1 for a disc, about pi r^2 for a ball) and three for each distinct
/// width, all vectorised. Each function throws InputError if a value is NaN, and Cancelled.
namespace seedwave {

/// Returns the largest value under the element.
[[nodiscard]] Volume dilated(const Volume& image, const FlatElement& element, Context& context);
/// Returns the smallest value under the element.
[[nodiscard]] Volume eroded(const Volume& image, const FlatElement& element, Context& context);
/// Returns the dilation of the erosion, which preserves structures that contain the element.
[[nodiscard]] Volume opened(const Volume& image, const FlatElement& element, Context& context);
/// Returns the erosion of the dilation.
[[nodiscard]] Volume closed(const Volume& image, const FlatElement& element, Context& context);

}  // namespace seedwave
