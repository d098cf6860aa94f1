// SPDX-License-Identifier: Apache-2.0
#include "core/ops/object_table.h"

#include "core/image/length_scale.h"
#include "core/ops/grid_size.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace seedwave {
namespace {

std::string unit_of_lengths(const Values&, const Geometry& geometry) {
  return grid_unit(geometry);
}

}  // namespace

std::vector<ColumnSpec> object_columns() {
  const auto length = [](const char* id, const char* title) {
    return ColumnSpec{.id = id, .title = title, .unit_for = unit_of_lengths};
  };
  return {{.id = "number", .title = "Number"},
          {.id = "label", .title = "Label"},
          {.id = "voxels", .title = "Voxels"},
          {.id = "size",
           .title = "Size",
           .unit_for = [](const Values&, const Geometry& grid) { return grid_size_unit(grid); }},
          length("x", "Centre x"),
          length("y", "Centre y"),
          length("z", "Centre z"),
          {.id = "left", .title = "First column"},
          {.id = "top", .title = "First row"},
          {.id = "front", .title = "First slice"},
          {.id = "columns", .title = "Columns"},
          {.id = "rows", .title = "Rows"},
          {.id = "slices", .title = "Slices"}};
}

Table object_table(const std::vector<ConnectedPart>& objects, const Geometry& geometry) {
  Table table;
  for (const ColumnSpec& column : object_columns())
    table.columns.push_back(column.id);
  table.rows.reserve(objects.size());
  for (const ConnectedPart& object : objects) {
    const auto voxels = static_cast<double>(object.voxels);
    const Vec3 centre = geometry.to_world(object.centre());
    std::vector<double> row{static_cast<double>(table.rows.size() + 1),
                            static_cast<double>(object.label),
                            voxels,
                            voxels * voxel_size(geometry),
                            centre[0],
                            centre[1],
                            centre[2]};
    for (const std::int64_t first : object.box.lo)
      row.push_back(static_cast<double>(first));
    for (std::size_t axis = 0; axis < 3; ++axis)
      row.push_back(static_cast<double>(object.box.hi[axis] - object.box.lo[axis]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace seedwave
