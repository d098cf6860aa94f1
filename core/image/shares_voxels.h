// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

namespace seedwave {

/// Returns in constant time whether two volumes share the same voxels on the same grid, by their
/// owner. For caches that keep a result for the next run, with a copy of the image that it belongs
/// to.
[[nodiscard]] inline bool shares_voxels(const Volume& a, const Volume& b) noexcept {
  return a.owner() == b.owner() && a.type() == b.type() && a.components() == b.components() &&
         same_grid(a.geometry(), b.geometry());
}

}  // namespace seedwave
