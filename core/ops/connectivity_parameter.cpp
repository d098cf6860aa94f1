// SPDX-License-Identifier: Apache-2.0
#include "core/ops/connectivity_parameter.h"

#include <string>

namespace seedwave {

Parameter connectivity_parameter() {
  return {.id = "connectivity",
          .title = "Neighbours",
          .help = "Number of neighbours of a voxel: 4 or 8 in 2-D; 6, 18 or 26 in 3-D",
          .initial = "4",
          .domain = ChoiceDomain{{"4", "4: edges", Applies::Images},
                                 {"8", "8: edges and corners", Applies::Images},
                                 {"6", "6: faces", Applies::Volumes},
                                 {"18", "18: faces and edges", Applies::Volumes},
                                 {"26", "26: faces, edges and corners", Applies::Volumes}},
          .advanced = true};
}

Connectivity connectivity_of(const Values& values) {
  return static_cast<Connectivity>(std::stoi(values.word("connectivity")));
}

}  // namespace seedwave
