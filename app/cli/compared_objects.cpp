// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compared_objects.h"

#include "core/image/region.h"
#include "core/io/labels.h"
#include "core/io/object_file.h"
#include "core/io/region_file.h"

#include <utility>

namespace seedwave::cli {
namespace {

/// Draws the objects of a file, and takes its warnings.
NumberedObjects drawn(io::ObjectFile file, const std::string& path, const Geometry& grid,
                      std::vector<std::string>& warnings, Context& context) {
  NumberedObjects objects{.numbers = io::draw_objects(file, path, grid, context)};
  objects.classes = std::move(file.classes);
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  return objects;
}

ComparedObjects load_regions_alone(const std::string& result, const std::string& reference,
                                   Context& context) {
  io::ObjectFile found = io::read_objects(result, io::pixel_grid(), context);
  io::ObjectFile expected = io::read_objects(reference, io::pixel_grid(), context);
  Regions all = found.objects;
  all.insert(all.end(), expected.objects.begin(), expected.objects.end());
  const Geometry grid = io::pixel_grid_around(all);
  ComparedObjects compared;
  compared.result = drawn(std::move(found), result, grid, compared.warnings, context);
  compared.reference = drawn(std::move(expected), reference, grid, compared.warnings, context);
  return compared;
}

/// Loads the objects of a file on the grid of a label map.
NumberedObjects load_on(const Geometry& grid, const std::string& path,
                        std::vector<std::string>& warnings, Context& context) {
  if (!io::is_region_file(path)) return {.numbers = io::load_labels(path, grid, context)};
  return drawn(io::read_objects(path, grid, context), path, grid, warnings, context);
}

}  // namespace

ComparedObjects load_compared_objects(const std::string& result, const std::string& reference,
                                      Context& context) {
  const bool result_is_map = !io::is_region_file(result);
  if (!result_is_map && io::is_region_file(reference))
    return load_regions_alone(result, reference, context);
  ComparedObjects compared;
  NumberedObjects& map = result_is_map ? compared.result : compared.reference;
  NumberedObjects& other = result_is_map ? compared.reference : compared.result;
  map.numbers = io::read_labels(result_is_map ? result : reference, context);
  other = load_on(map.numbers.geometry(), result_is_map ? reference : result, compared.warnings,
                  context);
  return compared;
}

}  // namespace seedwave::cli
