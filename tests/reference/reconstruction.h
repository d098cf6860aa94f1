// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave::reference {

/// Reconstruction by dilation straight from its definition, for small inputs: the marker, cut to
/// the mask, is dilated by one step and cut again, until nothing changes; by erosion upside down.
/// connectivity: 4, 8, 6, 18 or 26. x fastest.
std::vector<double> reconstruction(const Volume& marker, const Volume& mask, int connectivity,
                                   bool by_erosion);

}  // namespace seedwave::reference
