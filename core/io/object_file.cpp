// SPDX-License-Identifier: Apache-2.0
#include "core/io/object_file.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/image/label_counts.h"
#include "core/image/polygon_spans.h"
#include "core/io/formats/byte_source.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace seedwave::io {
namespace {

std::string class_of(const Region& region, const std::vector<LabelName>& names) {
  const auto found = std::ranges::find(names, region.label, &LabelName::id);
  return region.label == 0 || found == names.end() ? std::string() : found->name;
}

/// Leaves out regions around objects, such as the tissue in which cells were found.
void keep_objects(ObjectFile& file, const std::filesystem::path& path) {
  const auto is_object = [](const auto& region) { return region->is_object; };
  const auto left_out = std::ranges::count_if(file.objects, std::not_fn(is_object));
  if (left_out == 0 || left_out == std::ssize(file.objects)) return;
  std::erase_if(file.objects, std::not_fn(is_object));
  file.warnings.push_back("annotations left out of " + path.string() + ": " +
                          std::to_string(left_out) + ", since its objects are detections");
}

LabelMap numbered(const Regions& objects, const Geometry& grid, Context& context) {
  const auto most = static_cast<Label>(objects.size());
  return make_labels(grid, most, [&]<typename T>(std::vector<T>& labels) {
    PolygonSpans drawing(grid.size[0], grid.size[1]);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      context.checkpoint(0.0);
      for (const RegionPolygon& polygon : objects[i]->polygons) {
        for (const PixelSpan& span : drawing.of(in_pixels(polygon, grid))) {
          const auto row = labels.begin() + span.row * grid.size[0];
          std::fill(row + span.begin, row + span.end, static_cast<T>(i + 1));
        }
      }
    }
  });
}

}  // namespace

ObjectFile read_objects(const std::filesystem::path& path, const Geometry& grid, Context& context) {
  ReadRegions read = read_regions(path, grid, context);
  ObjectFile file{.objects = std::move(read.regions), .warnings = std::move(read.warnings)};
  keep_objects(file, path);
  for (const auto& region : file.objects)
    file.classes.push_back(class_of(*region, read.names));
  return file;
}

Geometry pixel_grid() {
  Geometry grid;
  grid.size = {1, 1, 1};
  grid.unit = LengthUnit::Pixel;
  return grid;
}

Geometry pixel_grid_around(const Regions& objects) {
  Geometry grid = pixel_grid();
  std::array<double, 2> low{};
  std::array<double, 2> high{};
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const RegionBounds bounds = bounds_of(*objects[i]);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = i == 0 ? bounds.low[axis] : std::min(low[axis], bounds.low[axis]);
      high[axis] = i == 0 ? bounds.high[axis] : std::max(high[axis], bounds.high[axis]);
    }
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    grid.origin[axis] = std::floor(low[axis] + 0.5);
    const double pixels = std::ceil(high[axis] + 0.5) - grid.origin[axis];
    grid.size[axis] = std::max<std::int64_t>(1, std::llround(pixels));
  }
  return grid;
}

LabelMap draw_objects(ObjectFile& file, const std::filesystem::path& path, const Geometry& grid,
                      Context& context) {
  require_memory(CheckedSize(grid.size[0]) * grid.size[1] * std::int64_t{sizeof(Label)},
                 "the area of the objects of " + path.string());
  LabelMap drawn = numbered(file.objects, grid, context);
  const auto seen = static_cast<std::ptrdiff_t>(count_labels(drawn).size());
  if (const std::ptrdiff_t hidden = std::ssize(file.objects) - seen; hidden > 0) {
    file.warnings.push_back("objects of " + path.string() +
                            " without a pixel: " + std::to_string(hidden) +
                            "; they do not count: they are smaller, lie outside the image, or "
                            "others cover them");
  }
  return drawn;
}

}  // namespace seedwave::io
