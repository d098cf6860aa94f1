// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"

#include <string>

/// Preparation and postprocessing for operations based on reconstruction. Images have one value per
/// voxel, and results have their type. All functions throw Cancelled.
namespace seedwave {

/// Returns the image shifted by h >= 0 against the direction of reconstruction: lowered for
/// dilation, raised for erosion. Integer types saturate and use the integer part of h; this does
/// not change which maxima rise more than h above their surroundings. f32 is computed in f32. With
/// ranks, integer values are those of the layers that this rank owns and of one more on each side.
[[nodiscard]] Volume moved_by(const Volume& image, double h, ReconstructionDirection direction,
                              Context& context);

/// The same by the smallest step of the type: 1, or to the next f32.
[[nodiscard]] Volume moved_by_least(const Volume& image, ReconstructionDirection direction,
                                    Context& context);

/// Returns the image's own values at its border (the sides in 2-D, the faces in 3-D). Inside,
/// dilation gets the type's lowest value and erosion its highest.
[[nodiscard]] Volume border_of(const Volume& image, ReconstructionDirection direction,
                               Context& context);

/// Returns a - b for b <= a, limited to the type's highest value. Equal values give 0, also for
/// infinities.
[[nodiscard]] Volume difference(const Volume& a, const Volume& b, Context& context);

/// Returns u8: 1 where a and b differ, else 0.
[[nodiscard]] Volume where_different(const Volume& a, const Volume& b, Context& context);

/// Returns the same values as another type. Throws InputError that names `what` and the first value
/// that the type does not hold.
[[nodiscard]] Volume converted(const Volume& image, VoxelType type, const std::string& what,
                               Context& context);

}  // namespace seedwave
