// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave::reference {

/// Dilation by a disc or ball straight from its definition, for small inputs: the largest value of
/// all voxels whose centres lie within `radius`; of an erosion the smallest. x fastest.
std::vector<double> ball_extreme(const Volume& image, double radius, bool by_erosion);

}  // namespace seedwave::reference
