// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// Returns the sharpness of a page's rows at each of these angles: the energy of its projection
/// profile. Angles are in degrees, counter-clockwise, from -45 to 45.
///
/// Each pixel's value minus `ground` is projected along the angle, p = y + x tan(angle), in steps
/// of 1/16 pixel. The profile is convolved with the second derivative of a Gaussian of sigma 1.5
/// pixels. Its squares are summed every half pixel, over all slices. This is the differential
/// square sum of Bloomberg, Kopec and Dasari (1995), of second order and with sub-pixel sampling,
/// so it changes smoothly with the angle. Infinite values count as ground.
///
/// Computed in f64 in a fixed order: bitwise equal for any number of threads. Throws Cancelled.
[[nodiscard]] std::vector<double> row_sharpness(const Volume& image, double ground,
                                                const std::vector<double>& angles,
                                                Context& context);

struct SkewFit {
  /// In degrees, counter-clockwise, to a thousandth.
  double angle = 0.0;
  /// 0 if the rows are no sharper than at other angles; near 1 if there are rows at no other angle.
  double confidence = 0.0;
};

/// Finds the angle at which a page's rows are sharpest. It lies near `coarse`, or near the sharpest
/// of `angles` on the page reduced to sides of 512 pixels. The latter is needed because a coarse
/// angle derived from lines is wrong on a page without lines.
///
/// row_sharpness() is compared within `reach` degrees of either angle. The steps shift lines by one
/// pixel over the page's width, and then by a quarter of that. The result is the peak of the
/// parabola through the highest value and its neighbours. Pages wider or higher than 4096 pixels
/// are first averaged over squares of pixels. The confidence is 1 - (highest sharpness at 1, 2 and
/// 4 degrees to either side) / (that of the result). A page without contrast keeps `coarse`, with
/// confidence 0. At least one angle is required. Throws Cancelled.
[[nodiscard]] SkewFit fit_skew(const Volume& image, double ground, double coarse,
                               const std::vector<double>& angles, double reach, Context& context);

}  // namespace seedwave
