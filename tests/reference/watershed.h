// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <cstdint>
#include <set>
#include <vector>

namespace seedwave::reference {

/// The quantities that define the watershed from markers, for each cell, x fastest.
struct Watershed {
  std::vector<double> altitudes;   // infinity: not reached
  std::vector<std::int64_t> hops;  // -1: not reached
  std::vector<Label> labels;       // 0: not reached
  /// All labels that the water brings; the smallest wins.
  std::vector<std::set<Label>> arriving;
};

/// Computes the watershed by its definition, for small inputs. The water rises from value to value.
/// Newly flooded cells are numbered step by step from where the water enters, and labels follow
/// these numbers. connectivity: 4, 8, 6, 18 or 26.
Watershed watershed(const Volume& image, const LabelMap& markers, const LabelMap& mask,
                    int connectivity);

}  // namespace seedwave::reference
