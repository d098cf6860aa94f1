// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>

namespace seedwave {

/// What k-means reads of a colour.
enum class Stains {
  /// The amounts of two stains (core/image/stains.h), of each from none to what 99 of 100 pixels do
  /// not exceed, as stains are normalised by M. Macenko et al., IEEE ISBI 2009:1107-1110: ink and
  /// dust would have a phase of their own else.
  HematoxylinEosin,
  HematoxylinDab,
  /// L*, a*, b* of CIE Lab, each taken to mean 0 and standard deviation 1 over the picture, as
  /// colours are normalised by E. Reinhard, M. Ashikhmin, B. Gooch, P. Shirley, IEEE Comput. Graph.
  /// Appl. 21(5):34-41, 2001: a darker or paler stain then counts for little.
  Colour,
};

struct PhasesProblem {
  /// RGB of u8, or one value a pixel of any type, which stands for itself.
  Volume image;
  /// 1 .. kMostPhases.
  std::int64_t count = 4;
  Stains stains = Stains::Colour;
};

struct Phases {
  /// 1 .. count, from dark to bright: by the mean of 0.299 R + 0.587 G + 0.114 B, or of the value.
  LabelMap labels;
  /// Less than was asked for where there are not so many different colours or values.
  std::int64_t count = 0;
};

/// The colours or values of an image in groups by k-means (clusters/k_means.h): each pixel has the
/// phase of the nearest centre.
///
/// Only the different colours are looked at, each as often as it occurs, so that time beyond two
/// passes does not grow with the image. Centres come from at most 2^16 of them: of more, those are
/// taken together, at their mean, that are alike without the lowest bit of red, green and blue, or
/// the two lowest, and so on. Values of i32 and f32 that span more than 2^16 are cut into 2^16
/// steps. The same labels for every number of threads. Memory beside the image: the labels, and up
/// to 150 MB, of pictures with very many colours (16 million at most) 710 MB. What was read of up
/// to a million colours stays in the context's cache, where there is room for it and the picture:
/// they are not read again for another `count`. Throws UsageError for a count out of its range,
/// InputError for RGB of another type, NaN or infinities, and Cancelled.
[[nodiscard]] Phases phases(const PhasesProblem& problem, Context& context);

}  // namespace seedwave
