// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <cstdint>
#include <vector>

namespace seedwave::reference {

/// Two-point correlation features of one phase in the window whose first cell is (x, y), by their
/// definition (Cooper et al. 2012, equations 1 to 3): the share of pairs, bilinear in between,
/// averaged over `directions` in half a turn. One value per radius.
std::vector<double> tpcf(const LabelMap& phases, std::int64_t phase, std::int64_t window,
                         std::int64_t directions, std::int64_t x, std::int64_t y);

}  // namespace seedwave::reference
