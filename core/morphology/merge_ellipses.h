// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

namespace seedwave {

/// Sums over the pixels of a region, from which its ellipse follows. The sums of two regions add
/// up.
struct EllipseSums {
  double pixels = 0.0;
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;

  void add(const EllipseSums& other) noexcept;
  /// Returns the area of the region divided by that of the ellipse with the same second moments: 1
  /// for an ellipse, less for any other shape, since of all shapes of an area an ellipse has the
  /// smallest moments. Two discs that touch have 0.89, half a disc 0.95. Pixels count as unit
  /// squares. Stretching a region along an axis does not change it.
  [[nodiscard]] double ellipticity() const noexcept;
};

/// Merges adjacent parts of objects that together form an ellipse.
struct EllipseMergeProblem {
  /// A 2-D map of parts 1, 2, ...; 0 is background.
  LabelMap parts;
  /// f32 on the same grid, not negative: high inside objects.
  Volume image;
  /// Regions of more pixels are not made.
  double most_pixels = 0.0;
};

/// Merges pairs of face-adjacent regions, the best pair first, until no pair gains. The gain of a
/// pair is E - A - V: E is the ellipticity of both together, A the mean of their own, weighted by
/// their areas, and V the depth of the valley between them. So halves of an ellipse merge, whose
/// own ellipticity is lower, and ellipses that touch do not. V = 1 - b / m, where b is the mean of
/// the image over the pixel pairs at the common boundary, and m the lower of the mean values of the
/// two regions. Of equal gains the pair with the smallest numbers comes first.
///
/// Returns the regions, each with the smallest number of its parts. Two passes over the map in
/// order; memory: the result, and some 200 bytes for each part. One thread. Throws Cancelled.
[[nodiscard]] LabelMap merge_ellipses(const EllipseMergeProblem& problem, Context& context);

}  // namespace seedwave
