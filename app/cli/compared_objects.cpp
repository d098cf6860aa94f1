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

NumberedObjects load_on(const std::string& path, const Geometry& grid,
                        std::vector<std::string>& warnings, Context& context) {
  if (!io::is_region_file(path)) return {.numbers = io::load_labels(path, grid, context)};
  return drawn(io::read_objects(path, grid, context), path, grid, warnings, context);
}

}  // namespace

ComparedObjects load_compared_objects(const std::string& result, const std::string& reference,
                                      Context& context) {
  const bool has_map = !io::is_region_file(result) || !io::is_region_file(reference);
  if (!has_map) return load_regions_alone(result, reference, context);
  ComparedObjects compared;
  if (io::is_region_file(result)) {
    compared.reference.numbers = io::read_labels(reference, context);
    compared.result =
        load_on(result, compared.reference.numbers.geometry(), compared.warnings, context);
  } else {
    compared.result.numbers = io::read_labels(result, context);
    compared.reference =
        load_on(reference, compared.result.numbers.geometry(), compared.warnings, context);
  }
  return compared;
}

}  // namespace seedwave::cli
