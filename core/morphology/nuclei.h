// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <optional>

namespace seedwave {

/// Cell nuclei in a 2-D image. Lengths are in the unit of the grid (micrometres on slides, else
/// pixels), areas in its square. Values that are not given follow from the image.
struct NucleiProblem {
  /// f32: high in nuclei, such as the optical density of their stain. Finite.
  Volume density;
  /// Radius r of a typical nucleus, from which all that is not given follows.
  std::optional<double> radius{};
  /// Smallest height of nuclei above the local background, in the unit of the density.
  std::optional<double> threshold{};
  /// Radius of the opening that finds the background; 0: none is removed.
  std::optional<double> background_radius{};
  /// Standard deviation of the Gaussian that smooths the density.
  std::optional<double> smoothing{};
  /// Smallest and largest area of a nucleus.
  std::optional<double> smallest{};
  std::optional<double> largest{};
  /// Smallest height of a peak above the saddle to a higher peak, for it to be a marker.
  std::optional<double> h{};
  /// Standard deviation of the Gaussian that smooths outlines; 0: they stay as flooded.
  std::optional<double> outline_smoothing{};
};

/// The values that were used.
struct NucleiValues {
  double radius = 0.0;
  double threshold = 0.0;
  double background_radius = 0.0;
  double smoothing = 0.0;
  double smallest = 0.0;
  double largest = 0.0;
  double h = 0.0;
  double outline_smoothing = 0.0;
};

struct Nuclei {
  /// 1, 2, ... in raster order of first pixels, each face-connected; 0 is background.
  LabelMap labels;
  NucleiValues values;
};

/// Finds nuclei, in one round with a given radius r, else in two: the first with a radius from the
/// mean distance of foreground pixels to the background, which is a third of the radius in a disc,
/// the second with that of the nuclei that the first found (area-weighted median of areas). With
/// all values of a result given, the result is the same. In each round:
/// 1. Gaussian smoothing. The background, an opening by reconstruction (L. Vincent, IEEE Trans.
///    Image Process. 2(2), 1993), is subtracted.
/// 2. Foreground: pixels above the threshold (by default a share of Otsu's, IEEE Trans. Syst. Man
///    Cybern. 9(1), 1979) and above the Gaussian mean of their surroundings. Small holes are
///    filled.
/// 3. Heights: the smoothed distance to the background plus r g / c, with the density g and its
///    mean c in the foreground. Peaks that rise by more than h are the markers of a watershed: see
///    split_by_heights(). Shape and intensity both split.
/// 4. Parts that together form an ellipse are merged: see merge_ellipses().
///
/// At last outlines are smoothed and holes filled: see clean_labels(). Nuclei never overlap: a
/// pixel that two claim stays with the one that had it, or else gets the smaller number. A nucleus
/// in several pieces keeps the largest; one without a pixel above one half is removed, as are
/// nuclei of other areas.
///
/// Bitwise equal for any number of threads. Throws InputError (not finite, not 2-D), Cancelled.
[[nodiscard]] Nuclei find_nuclei(const NucleiProblem& problem, Context& context);

}  // namespace seedwave
