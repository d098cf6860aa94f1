// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"

/// Extends a result for a part of an image to the whole grid, because views expect whole grids.
namespace seedwave {

/// Labels are 0 outside the box.
[[nodiscard]] LabelMap spread(const LabelMap& part, const Box& box, const Geometry& grid);

/// Values outside the box are undefined: NaN if possible, otherwise `none`, otherwise 0.
[[nodiscard]] Volume spread(const ScalarMap& part, const Box& box, const Geometry& grid);

}  // namespace seedwave
