// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::bench {

/// Generates stained tissue, u8, as the benchmark input of reconstruction, distances and
/// watersheds: bright nuclei on textured stroma, with noise of sigma 2.
///
/// A `share` of it is kept, in squares of 256 x 256 that a hash selects; the rest is plain glass. A
/// pixel depends only on its position and the size, so any thread count gives the same image.
[[nodiscard]] Volume tissue(const Index3& size, double share, Context& context);

/// The same, some rows at a time, for slides larger than memory.
class TissueRows {
 public:
  TissueRows(std::int64_t width, std::int64_t height, double share);
  /// Returns rows `first` to `end` as an image of their own: u8, or with `in_colour` RGB like
  /// haematoxylin and eosin on white glass, a colour for each intensity.
  [[nodiscard]] Volume read(std::int64_t first, std::int64_t end, bool in_colour,
                            Context& context) const;

 private:
  std::int64_t width_;
  std::int64_t height_;
  std::vector<bool> kept_;  // by square
};

/// Returns the nuclei of tissue without glass, u8: 1 above 110, else 0.
[[nodiscard]] Volume nuclei_in_tissue(const Index3& size, Context& context);

}  // namespace seedwave::bench
