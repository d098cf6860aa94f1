// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::test {

/// The graph of Zhuge et al. 2013, Figure 3, as a masked image: s-a, a-b and b-c of affinity 1,
/// a-d, c-e and c-t of one half.
///
///     s a b c t
///     . d . e .
///
/// Cells under a dot lie outside the mask; t, d and e are 10 darker than the others, and sigma_h is
/// such that this makes one half. Seeds: s has label 1, t label 2. 4-connected.
struct Figure3 {
  static constexpr double kM = 100.0;
  static constexpr double kSigmaO = 1e6;
  static constexpr double kSigmaH = 8.49321800288;  // 10 / sqrt(2 ln 2)

  Geometry geometry{.size = {5, 2, 1}, .unit = LengthUnit::Pixel};
  Volume image{geometry, std::vector<std::uint8_t>{100, 100, 100, 100, 90, 0, 90, 0, 90, 0}};
  LabelMap mask{geometry, std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0, 1, 0, 1, 0}};
  SeedVoxels seeds{.seeds = {{0, 1}, {4, 2}}};

  /// Returns the names of the cells that have label 1, in alphabetical order with s first.
  [[nodiscard]] static std::string object(const std::vector<std::uint16_t>& labels) {
    std::string names;
    const std::pair<char, int> cells[] = {{'s', 0}, {'a', 1}, {'b', 2}, {'c', 3},
                                          {'d', 6}, {'e', 8}, {'t', 4}};
    for (const auto& [name, cell] : cells) {
      if (labels[cell] == 1) names += name;
    }
    return names;
  }
};

}  // namespace seedwave::test
