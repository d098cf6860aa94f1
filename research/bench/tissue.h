// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

namespace seedwave::bench {

/// Generates stained tissue, u8, as the benchmark input of reconstruction, distances and
/// watersheds: bright nuclei on textured stroma, with noise of sigma 2.
///
/// A `share` of it is kept, in squares of 256 x 256 that a hash selects; the rest is plain glass. A
/// pixel depends only on its position and the size, so any thread count gives the same image.
[[nodiscard]] Volume tissue(const Index3& size, double share, Context& context);

/// Returns the nuclei of tissue without glass, u8: 1 above 110, else 0.
[[nodiscard]] Volume nuclei_in_tissue(const Index3& size, Context& context);

}  // namespace seedwave::bench
