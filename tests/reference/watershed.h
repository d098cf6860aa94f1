// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <cstdint>
#include <set>
#include <vector>

namespace seedwave::reference {

/// What the watershed from markers is defined by, of each cell, x fastest.
struct Watershed {
  std::vector<double> altitudes;      // infinity: not reached
  std::vector<std::int64_t> hops;     // -1: not reached
  std::vector<std::uint16_t> labels;  // 0: not reached
  /// All labels that the water brings, of which the smallest wins.
  std::vector<std::set<std::uint16_t>> arriving;
};

/// Straight from the definition, for small inputs: the water rises from value to value; what it
/// newly reaches is numbered step by step from where it came in; labels follow the numbers.
/// connectivity: 4, 8, 6, 18 or 26.
Watershed watershed(const Volume& image, const LabelMap& markers, const LabelMap& mask,
                    int connectivity);

}  // namespace seedwave::reference
