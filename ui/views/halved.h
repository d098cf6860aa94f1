// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

namespace seedwave::ui {

/// The volume on half as many voxels along each axis: the means of 2 x 2 x 2, in the same type and
/// the same place in the world. A last odd voxel of an axis is left out; an axis of one voxel is
/// kept. For volume rendering: an eighth of the samples, and less than half the noise. One
/// component.
[[nodiscard]] Volume halved(const Volume& volume);

}  // namespace seedwave::ui
