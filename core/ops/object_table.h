// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/measure_objects.h"
#include "core/ops/operation.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Tables of objects: a row an object.
namespace seedwave {

/// A column of a table of objects.
struct ObjectColumn {
  ColumnSpec spec;
  /// Returns the number of an object, NaN if it has none.
  std::function<double(const MeasuredObjects& objects, const Geometry& grid, std::size_t object)>
      value;
  Applies applies = Applies::Always;
};

/// Returns the columns of objects of which only the parts are known: number, label, size, centre
/// and box. Sizes are in the unit of grid_size_unit(), centres in world coordinates; the box is in
/// voxels, which count from 0.
[[nodiscard]] std::vector<ObjectColumn> size_columns();
/// Returns the columns of measured objects on a grid: those of size_columns(), shape, neighbours,
/// and the intensity in each channel (MeasuredObjects::channels). Own stains are numbered from 1:
/// "stain_1_mean".
[[nodiscard]] std::vector<ObjectColumn> measured_columns(const Geometry& grid,
                                                         const std::vector<std::string>& channels);
/// Returns all columns that a table of objects may have: of images and volumes, in all channels
/// with names.
[[nodiscard]] std::vector<ColumnSpec> all_object_columns();

/// Returns a table of `count` rows; the number in the first column is that of the row, from 1.
/// `object_in`: the object in each row.
[[nodiscard]] Table object_table(const std::vector<ObjectColumn>& columns,
                                 const MeasuredObjects& objects, const Geometry& grid,
                                 std::size_t count,
                                 const std::function<std::size_t(std::size_t row)>& object_in);
/// Returns the table of all objects in their order.
[[nodiscard]] Table object_table(const std::vector<ObjectColumn>& columns,
                                 const MeasuredObjects& objects, const Geometry& grid);

}  // namespace seedwave
