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
#include <utility>

namespace seedwave::io {
namespace {

/// Leaves out regions around objects, such as the tissue in which cells were found.
void keep_objects(ObjectFile& file, const std::filesystem::path& path) {
  const auto objects =
      std::ranges::count_if(file.objects, [](const auto& each) { return each->is_object; });
  if (objects == 0 || objects == std::ssize(file.objects)) return;
  ObjectFile kept{.warnings = std::move(file.warnings)};
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    if (!file.objects[i]->is_object) continue;
    kept.objects.push_back(std::move(file.objects[i]));
    kept.classes.push_back(std::move(file.classes[i]));
  }
  kept.warnings.push_back("annotations left out of " + path.string() + ": " +
                          std::to_string(std::ssize(file.objects) - objects) +
                          ", since its objects are detections");
  file = std::move(kept);
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
  ObjectFile file{.objects = std::move(read.regions),
                  .classes = std::move(read.classes),
                  .warnings = std::move(read.warnings)};
  keep_objects(file, path);
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
