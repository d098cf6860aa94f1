// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

namespace seedwave::io {

/// Completes hints that the file omits from the values: an image in a patient without a modality,
/// but with the values of CT, becomes "CT" with the unit "HU". This is the only place that decides
/// whether an image is CT; window presets, units and renderings depend on the modality.
///
/// Values are those of CT in Hounsfield units if air or lung (-1100 to -700) and soft tissue (-150
/// to 150) both stand out from the values between, and hardly anything except padding lies below
/// air. Phase images, differences and field maps reach as far below zero, but have no such gap.
/// Cost: at most about four million voxels.
void complete_hints(DisplayHints& hints, const Volume& volume);

}  // namespace seedwave::io
