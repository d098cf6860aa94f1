// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// The sharpness of a page's rows at each of these angles (degrees, counter-clockwise, between -45
/// and 45 and those two): the energy of its projection profile.
///
/// Each pixel's value less `ground` is projected along the angle, p = y + x tan(angle), in steps of
/// 1/16 pixel. The profile is convolved with the second derivative of a Gaussian of sigma 1.5
/// pixels, and squares are added up every half pixel; slices are added up. This is the differential
/// square sum of Bloomberg, Kopec and Dasari (1995), of second order and sampled more finely than
/// pixels, so it changes smoothly with the angle. Infinite values count as ground.
///
/// f64 in a fixed order: the same bits for any number of threads. Throws Cancelled.
[[nodiscard]] std::vector<double> row_sharpness(const Volume& image, double ground,
                                                const std::vector<double>& angles,
                                                Context& context);

struct SkewFit {
  /// Degrees, counter-clockwise, to a thousandth.
  double angle = 0.0;
  /// 0: the rows are no sharper than at other angles; near 1: at no other angle are there rows.
  double confidence = 0.0;
};

/// The angle at which a page's rows are sharpest, near `coarse` or near the sharpest of `angles` on
/// the page reduced to sides of 512 pixels: a coarse angle that comes of lines is wrong on a page
/// without lines.
///
/// row_sharpness() is compared within `reach` degrees of either, in steps by which lines move by a
/// pixel over the page's width, then in quarters of these; the answer is the peak of the parabola
/// through the highest value and its neighbours. Pages wider or higher than 4096 pixels are
/// averaged over squares of pixels first. The confidence is 1 - (highest sharpness at 1, 2 and 4
/// degrees to either side) / (that of the answer). A page without contrast keeps `coarse`, with
/// confidence 0. There must be an angle. Throws Cancelled.
[[nodiscard]] SkewFit fit_skew(const Volume& image, double ground, double coarse,
                               const std::vector<double>& angles, double reach, Context& context);

}  // namespace seedwave
