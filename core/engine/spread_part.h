// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"

/// What is known of a part of an image, laid on all of it, with nothing beside the part: views look
/// at whole grids.
namespace seedwave {

/// 0 outside the box.
[[nodiscard]] LabelMap spread(const LabelMap& part, const Box& box, const Geometry& grid);

/// What means nothing to the map outside the box: NaN where its values can be, else `none`, else 0.
[[nodiscard]] Volume spread(const ScalarMap& part, const Box& box, const Geometry& grid);

}  // namespace seedwave
