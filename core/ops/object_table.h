// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/connected_parts.h"
#include "core/ops/operation.h"

#include <vector>

namespace seedwave {

/// Returns the columns of a table of objects: number, label, size, centre, box.
[[nodiscard]] std::vector<ColumnSpec> object_columns();

/// Returns that table of objects on a grid, numbered from 1. Sizes are in the unit of
/// grid_size_unit(), centres in world coordinates; the box is in voxels, which count from 0.
[[nodiscard]] Table object_table(const std::vector<ConnectedPart>& objects,
                                 const Geometry& geometry);

}  // namespace seedwave
