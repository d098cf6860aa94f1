// SPDX-License-Identifier: Apache-2.0
#include "core/ops/object_table.h"

#include "core/image/channel.h"
#include "core/image/length_scale.h"
#include "core/ops/grid_size.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace seedwave {
namespace {

std::string unit_of_lengths(const Values&, const Geometry& geometry) {
  return grid_unit(geometry);
}

std::string unit_of_sizes(const Values&, const Geometry& geometry) {
  return grid_size_unit(geometry);
}

std::string unit_of_areas(const Values&, const Geometry& geometry) {
  return grid_unit(geometry) + "\u00b2";
}

ColumnSpec length(const char* id, const char* title) {
  return {.id = id, .title = title, .unit_for = unit_of_lengths};
}

/// Returns a column of one number of the parts, such as their label.
template <typename Number>
ObjectColumn part_column(const ColumnSpec& spec, Number&& number) {
  return {.spec = spec,
          .value = [number](const MeasuredObjects& objects, const Geometry&, std::size_t object) {
            return static_cast<double>(number(objects.objects[object]));
          }};
}

ObjectColumn centre_column(std::size_t axis, const char* id, const char* title) {
  return {
      .spec = length(id, title),
      .value = [axis](const MeasuredObjects& objects, const Geometry& grid, std::size_t object) {
        return grid.to_world(objects.objects[object].centre())[axis];
      }};
}

ObjectColumn first_column(std::size_t axis, const char* id, const char* title) {
  return part_column({.id = id, .title = title},
                     [axis](const ConnectedPart& part) { return part.box.lo[axis]; });
}

ObjectColumn extent_column(std::size_t axis, const char* id, const char* title) {
  return part_column({.id = id, .title = title}, [axis](const ConnectedPart& part) {
    return part.box.hi[axis] - part.box.lo[axis];
  });
}

template <typename Number>
ObjectColumn shape_column(const ColumnSpec& spec, Applies applies, Number&& number) {
  return {.spec = spec,
          .value = [number](const MeasuredObjects& objects, const Geometry&,
                            std::size_t object) { return number(objects.shapes[object]); },
          .applies = applies};
}

std::vector<ObjectColumn> shape_columns() {
  const auto axis = [](std::size_t at) {
    return [at](const ObjectShape& shape) { return shape.axes[at]; };
  };
  constexpr Applies kPlane = Applies::Images;
  return {
      shape_column(length("perimeter", "Perimeter"), kPlane,
                   [](const ObjectShape& shape) { return shape.perimeter; }),
      shape_column({.id = "circularity", .title = "Circularity"}, kPlane,
                   [](const ObjectShape& shape) { return shape.circularity; }),
      shape_column({.id = "surface_area", .title = "Surface area", .unit_for = unit_of_areas},
                   Applies::Volumes, [](const ObjectShape& shape) { return shape.surface_area; }),
      shape_column({.id = "sphericity", .title = "Sphericity"}, Applies::Volumes,
                   [](const ObjectShape& shape) { return shape.sphericity; }),
      shape_column({.id = "solidity", .title = "Solidity"}, kPlane,
                   [](const ObjectShape& shape) { return shape.hull.solidity; }),
      shape_column(length("max_diameter", "Max diameter"), kPlane,
                   [](const ObjectShape& shape) { return shape.hull.largest_diameter; }),
      shape_column(length("min_diameter", "Min diameter"), kPlane,
                   [](const ObjectShape& shape) { return shape.hull.smallest_diameter; }),
      shape_column(length("major_axis", "Major axis"), Applies::Always, axis(0)),
      shape_column(length("middle_axis", "Middle axis"), Applies::Volumes, axis(1)),
      shape_column(length("minor_axis", "Minor axis"), Applies::Always, axis(2)),
      shape_column({.id = "eccentricity", .title = "Eccentricity"}, Applies::Always,
                   [](const ObjectShape& shape) { return shape.eccentricity; }),
      shape_column({.id = "orientation", .title = "Orientation", .unit = "\u00b0", .period = 180.0},
                   kPlane, [](const ObjectShape& shape) { return shape.orientation; })};
}

std::vector<ObjectColumn> neighbour_columns() {
  return {
      {.spec = {.id = "neighbours", .title = "Neighbours"},
       .value = [](const MeasuredObjects& objects, const Geometry&,
                   std::size_t object) { return static_cast<double>(objects.neighbours[object]); }},
      {.spec = length("nearest", "Nearest centre"),
       .value = [](const MeasuredObjects& objects, const Geometry&, std::size_t object) {
         return objects.nearest[object];
       }}};
}

/// The beginning of the ids and titles of a channel's columns; empty for the channel of a scalar
/// image.
struct ColumnPrefix {
  std::string id;
  std::string title;
};

/// Returns the prefix of each of MeasuredObjects::channels. The ids of own stains are numbers,
/// which are the same in the next image, and can be typed.
std::vector<ColumnPrefix> prefixes_of(const std::vector<std::string>& measured) {
  std::vector<ColumnPrefix> prefixes;
  int own_stains = 0;
  for (const std::string& id : measured) {
    const auto named = std::ranges::find(channels(), id, &Channel::id);
    if (named != channels().end()) {
      prefixes.push_back({id + "_", named->title + ": "});
    } else if (id.empty()) {
      prefixes.emplace_back();
    } else {
      const std::string number = std::to_string(++own_stains);
      prefixes.push_back({"stain_" + number + "_", "Stain " + number + ": "});
    }
  }
  return prefixes;
}

/// Returns the columns of one of the measured channels.
std::vector<ObjectColumn> intensity_columns(std::size_t channel, const ColumnPrefix& prefix) {
  struct Statistic {
    const char* id;
    const char* title;
    double IntensityStatistics::*number;
  };
  constexpr std::array<Statistic, 4> kStatistics{
      {{"mean", "Mean", &IntensityStatistics::mean},
       {"standard_deviation", "Standard deviation", &IntensityStatistics::standard_deviation},
       {"minimum", "Minimum", &IntensityStatistics::minimum},
       {"maximum", "Maximum", &IntensityStatistics::maximum}}};
  std::vector<ObjectColumn> columns;
  columns.reserve(kStatistics.size());
  for (const Statistic& statistic : kStatistics) {
    columns.push_back(
        {.spec = {.id = prefix.id + statistic.id, .title = prefix.title + statistic.title},
         .value = [channel, number = statistic.number](const MeasuredObjects& objects,
                                                       const Geometry&, std::size_t object) {
           return objects.intensities[object * objects.channels.size() + channel].*number;
         }});
  }
  return columns;
}

void append(std::vector<ObjectColumn> more, std::vector<ObjectColumn>& columns) {
  std::ranges::move(more, std::back_inserter(columns));
}

/// Returns the columns of images and volumes in some channels.
std::vector<ObjectColumn> columns_in(const std::vector<std::string>& channels) {
  std::vector<ObjectColumn> columns = size_columns();
  append(shape_columns(), columns);
  append(neighbour_columns(), columns);
  const std::vector<ColumnPrefix> prefixes = prefixes_of(channels);
  for (std::size_t i = 0; i < prefixes.size(); ++i)
    append(intensity_columns(i, prefixes[i]), columns);
  return columns;
}

}  // namespace

std::vector<ObjectColumn> size_columns() {
  return {{.spec = {.id = "number", .title = "Number"},
           .value = [](const MeasuredObjects&, const Geometry&,
                       std::size_t object) { return static_cast<double>(object + 1); }},
          part_column({.id = "label", .title = "Label"},
                      [](const ConnectedPart& part) { return part.label; }),
          part_column({.id = "voxels", .title = "Voxels"},
                      [](const ConnectedPart& part) { return part.voxels; }),
          {.spec = {.id = "size", .title = "Size", .unit_for = unit_of_sizes},
           .value =
               [](const MeasuredObjects& objects, const Geometry& grid, std::size_t object) {
                 return static_cast<double>(objects.objects[object].voxels) * voxel_size(grid);
               }},
          centre_column(0, "x", "Centre x"),
          centre_column(1, "y", "Centre y"),
          centre_column(2, "z", "Centre z"),
          first_column(0, "left", "First column"),
          first_column(1, "top", "First row"),
          first_column(2, "front", "First slice"),
          extent_column(0, "columns", "Columns"),
          extent_column(1, "rows", "Rows"),
          extent_column(2, "slices", "Slices")};
}

std::vector<ObjectColumn> measured_columns(const Geometry& grid,
                                           const std::vector<std::string>& channels) {
  std::vector<ObjectColumn> columns = columns_in(channels);
  std::erase_if(columns, [&grid](const ObjectColumn& column) {
    return !applies_to(column.applies, grid.is_2d());
  });
  return columns;
}

std::vector<ColumnSpec> all_object_columns() {
  std::vector<std::string> all{""};  // a scalar image
  for (const Channel& channel : channels())
    all.push_back(channel.id);
  std::vector<ColumnSpec> specs;
  for (ObjectColumn& column : columns_in(all))
    specs.push_back(std::move(column.spec));
  return specs;
}

Table object_table(const std::vector<ObjectColumn>& columns, const MeasuredObjects& objects,
                   const Geometry& grid, std::size_t count,
                   const std::function<std::size_t(std::size_t row)>& object_in) {
  Table table;
  for (const ObjectColumn& column : columns)
    table.columns.push_back(column.spec.id);
  table.rows.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t object = object_in(row);
    table.rows[row].reserve(columns.size());
    for (const ObjectColumn& column : columns)
      table.rows[row].push_back(column.value(objects, grid, object));
    table.rows[row].front() = static_cast<double>(row + 1);
  }
  return table;
}

Table object_table(const std::vector<ObjectColumn>& columns, const MeasuredObjects& objects,
                   const Geometry& grid) {
  return object_table(columns, objects, grid, objects.objects.size(),
                      [](std::size_t row) { return row; });
}

}  // namespace seedwave
