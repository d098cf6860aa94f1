// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave::reference {

/// Reconstruction by dilation by its definition, for small inputs: the marker, clipped to the mask,
/// is dilated by one step and clipped again, until nothing changes. By erosion it is the inverse.
/// connectivity: 4, 8, 6, 18 or 26. x fastest.
std::vector<double> reconstruction(const Volume& marker, const Volume& mask, int connectivity,
                                   bool by_erosion);

}  // namespace seedwave::reference
