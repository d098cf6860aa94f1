// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

namespace seedwave::ui {

/// Returns the volume at half the resolution along each axis: means of 2 x 2 x 2 voxels, in the
/// same type and the same position in the world. A last odd voxel of an axis is left out; an axis
/// of one voxel is kept. For volume rendering: an eighth of the samples, and less than half the
/// noise. One component.
[[nodiscard]] Volume halved(const Volume& volume);

}  // namespace seedwave::ui
