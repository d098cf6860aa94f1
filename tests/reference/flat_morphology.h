// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave::reference {

/// Dilation by a disc or ball by its definition, for small inputs: the maximum of all voxels whose
/// centres lie within `radius`; for an erosion the minimum. x fastest.
std::vector<double> ball_extreme(const Volume& image, double radius, bool by_erosion);

}  // namespace seedwave::reference
