// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

namespace seedwave {

/// The same voxels on the same grid, told in no time: by whose they are. For what keeps a result
/// for the next run, and with it a copy of the image that it belongs to.
[[nodiscard]] inline bool shares_voxels(const Volume& a, const Volume& b) noexcept {
  return a.owner() == b.owner() && a.type() == b.type() && a.components() == b.components() &&
         same_grid(a.geometry(), b.geometry());
}

}  // namespace seedwave
