// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/line_family.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Returns the index of the angle of an image's lines, from the sums of its openings (closings) at
/// these angles: the largest (smallest) sum. Ties go to the angle nearest to 0, then to the first.
[[nodiscard]] std::size_t strongest_angle(const std::vector<double>& angles,
                                          const std::vector<double>& sums, LineFilter filter);

/// Returns the contrast between rows of print and the gaps between them along each of these
/// families of lines. It also finds rows of text without ruled lines (Bloomberg, Kopec, Dasari
/// 1995, Measuring document image skew and orientation, Proc. SPIE 2422: the profile's differential
/// square sum).
///
/// The sum of a line is that of value - ground over its cells, or 0 without cells. The result is
/// the sum over adjacent lines of the squared difference, over all slices. Infinite cells count as
/// ground. Computed in f64 in a fixed order, so the result does not depend on the number of
/// threads. The families run along x in the slices and have the image's size. Throws Cancelled.
[[nodiscard]] std::vector<double> row_contrast(const Volume& image, double ground,
                                               const std::vector<LineFamily>& directions,
                                               Context& context);

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

/// Rotates the image clockwise about its centre by so many degrees, slice by slice. Lines that rose
/// at that angle are then horizontal. Grid and type are the same. Interpolation between the four
/// nearest pixels is bilinear. Integers are rounded, halves away from zero. Pixels outside have the
/// value `around`. All computations are in f64 and do not depend on the number of threads. Throws
/// Cancelled.
[[nodiscard]] Volume turned_clockwise(const Volume& image, double degrees, double around,
                                      Context& context);

/// Returns the median value, which is the background value of a page.
[[nodiscard]] double middle_value(const Volume& image);

}  // namespace seedwave
