// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>

namespace seedwave {

/// Coordinates of a colour for k-means.
enum class Stains {
  /// The amounts of two stains (core/image/stains.h), each from 0 to its 99th percentile, as stains
  /// are normalised by M. Macenko et al., IEEE ISBI 2009:1107-1110. Otherwise ink and dust would
  /// have a phase of their own.
  HematoxylinEosin,
  HematoxylinDab,
  /// L*, a*, b* of CIE Lab, each normalised to mean 0 and standard deviation 1 over the image, as
  /// by E. Reinhard, M. Ashikhmin, B. Gooch, P. Shirley, IEEE Comput. Graph. Appl. 21(5):34-41,
  /// 2001. A darker or paler stain then has little effect.
  Colour,
};

struct PhasesProblem {
  /// RGB of u8, or one value per pixel of any type, which is used directly.
  Volume image;
  /// 1 .. kMostPhases.
  std::int64_t count = 4;
  Stains stains = Stains::Colour;
};

struct Phases {
  /// 1 .. count, from dark to bright: by the mean of 0.299 R + 0.587 G + 0.114 B, or of the value.
  LabelMap labels;
  /// Smaller than requested if there are fewer distinct colours or values.
  std::int64_t count = 0;
};

/// Groups the colours or values of an image by k-means (clusters/k_means.h). Each pixel gets the
/// phase of the nearest centre.
///
/// Only distinct colours are processed, weighted by their frequency, so time beyond two passes does
/// not grow with the image. Centres are computed from at most 2^16 of them. If there are more,
/// colours that are equal without the lowest bit of red, green and blue are merged at their mean.
/// If necessary the two lowest bits are dropped, and so on. Values of i32 and f32 that span more
/// than 2^16 are divided into 2^16 steps. The labels are the same for any number of threads.
///
/// Memory besides the image: the labels, and up to 150 MB; 710 MB for images with very many colours
/// (at most 16 million). Data of up to a million colours are kept in the context's cache if it has
/// room for them and the image. Then another `count` does not read the image again. Throws
/// UsageError for a count out of range, InputError for RGB of another type, NaN or infinities, and
/// Cancelled.
[[nodiscard]] Phases phases(const PhasesProblem& problem, Context& context);

}  // namespace seedwave
