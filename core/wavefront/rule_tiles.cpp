// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/rule_tiles.h"

namespace seedwave {

TileGrid rule_grid(const Index3& size, Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  return planar ? TileGrid(size, 64, 1) : TileGrid(size, 16, 16);
}

}  // namespace seedwave
