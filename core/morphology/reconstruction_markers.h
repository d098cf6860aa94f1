// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"

#include <string>

/// What operations around reconstruction put before and behind it. Images have one value per voxel;
/// results are of their type. All throw Cancelled.
namespace seedwave {

/// The image moved by h >= 0 away from where reconstruction in that direction takes it: lowered
/// for dilation, raised for erosion. Whole-number types stop at their ends, and take the whole part
/// of h: which maxima rise more than h above what surrounds them stays the same. f32 subtracts in
/// f32.
[[nodiscard]] Volume moved_by(const Volume& image, double h, ReconstructionDirection direction,
                              Context& context);

/// The same by the smallest step of the type: 1, or to the next f32.
[[nodiscard]] Volume moved_by_least(const Volume& image, ReconstructionDirection direction,
                                    Context& context);

/// The image's own values at its border (the sides of a picture, the faces of a volume); inside,
/// for dilation the type's lowest value, for erosion its highest.
[[nodiscard]] Volume border_of(const Volume& image, ReconstructionDirection direction,
                               Context& context);

/// a - b where b <= a, at most the type's highest value; 0 where they are equal, infinities too.
[[nodiscard]] Volume difference(const Volume& a, const Volume& b, Context& context);

/// u8: 1 where a and b differ, else 0.
[[nodiscard]] Volume where_different(const Volume& a, const Volume& b, Context& context);

/// The same values as another type. Throws InputError that names `what` and the first value that
/// the type does not hold.
[[nodiscard]] Volume converted(const Volume& image, VoxelType type, const std::string& what,
                               Context& context);

}  // namespace seedwave
