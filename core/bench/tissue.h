// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

namespace seedwave::bench {

/// Stained tissue by formula, u8, nuclei bright on textured stroma, with noise of sigma 2: what
/// reconstruction, distances and watersheds are measured on.
///
/// `share` of it is kept, in squares of 256 x 256 that a hash picks: the rest is plain glass.
/// A pixel depends on its place and on the size alone, so any thread count gives the same image.
[[nodiscard]] Volume tissue(const Index3& size, double share, Context& context);

/// The nuclei of tissue without glass, u8: 1 above 110, else 0.
[[nodiscard]] Volume nuclei_in_tissue(const Index3& size, Context& context);

}  // namespace seedwave::bench
