// SPDX-License-Identifier: Apache-2.0
#include "core/texture/nearest_class.h"

#include "core/base/error.h"
#include "core/parallel/fetch_pages.h"
#include "core/texture/class_kernel.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {
namespace texture {
namespace {

/// Transposes the axes, because in the loop all axes read a plane together.
std::vector<double> plane_by_plane(const Points& axes) {
  std::vector<double> turned(axes.values.size());
  for (std::int64_t k = 0; k < axes.count(); ++k) {
    for (std::int64_t plane = 0; plane < axes.dimensions; ++plane)
      turned[plane * axes.count() + k] = axes.row(k)[plane];
  }
  return turned;
}

/// A row of windows in a strip, and the destination of its answer.
struct WindowRow {
  const float* features;
  std::int64_t stride;  // from one plane to the next
  std::int64_t count;
  const std::uint8_t* alike;  // FeatureStrip::alike
  std::uint16_t* classes;
  float* distances;
};

/// Handles a row too short for the loop: a full one with its features, padded with zeros.
void classify_short(const ClassKernel& kernel, const ClassMap& map, const WindowRow& row,
                    double* mapped) {
  std::vector<float> features(static_cast<std::size_t>(map.planes * kWindowsAtOnce));
  for (std::int64_t plane = 0; plane < map.planes; ++plane)
    std::copy_n(row.features + plane * row.stride, row.count,
                features.begin() + plane * kWindowsAtOnce);
  std::uint16_t classes[kWindowsAtOnce];
  float distances[kWindowsAtOnce];
  kernel.nearest(map, features.data(), kWindowsAtOnce, mapped, classes, distances);
  std::copy_n(classes, row.count, row.classes);
  std::copy_n(distances, row.count, row.distances);
}

void classify(const ClassKernel& kernel, const ClassMap& map, const WindowRow& row,
              double* mapped) {
  if (row.count < kWindowsAtOnce) return classify_short(kernel, map, row, mapped);
  for (std::int64_t x = 0; x < row.count; x += kWindowsAtOnce) {
    const std::int64_t block = x / kAlikeColumns;
    if (row.alike[block] != 0 && (x % kAlikeColumns != 0 || (x > 0 && row.alike[block - 1] != 0))) {
      const std::int64_t count = std::min(kWindowsAtOnce, row.count - x);
      std::fill_n(row.classes + x, count, row.classes[x - 1]);
      std::fill_n(row.distances + x, count, row.distances[x - 1]);
      continue;
    }
    // The last block ends with the row. Some windows are processed twice, with the same answer.
    const std::int64_t first = std::min(x, row.count - kWindowsAtOnce);
    kernel.nearest(map, row.features + first, row.stride, mapped, row.classes + first,
                   row.distances + first);
  }
}

}  // namespace

NearestClasses nearest_class_by(const ClassKernel& kernel, const TpcfProblem& windows,
                                const FeatureClasses& classes, Context& context) {
  check(windows);
  require(classes.axes.dimensions == plane_count(windows));
  require(std::ssize(classes.origin) == plane_count(windows));
  require(classes.centres.count() >= 1 && classes.centres.count() <= kMostFeatureClasses);
  require(classes.centres.dimensions == classes.axes.count());
  const std::vector<double> axes = plane_by_plane(classes.axes);
  const std::vector<double> offsets = offsets_of(classes);
  const ClassMap map{.axes = axes.data(),
                     .offsets = offsets.data(),
                     .centres = classes.centres.values.data(),
                     .planes = classes.axes.dimensions,
                     .dimensions = classes.axes.count(),
                     .classes = classes.centres.count()};
  const Index3& size = windows.phases.geometry().size;
  NearestClasses nearest{.columns = size[0] - windows.window + 1,
                         .rows = size[1] - windows.window + 1,
                         .classes = {},
                         .distances = {}};
  const auto count = static_cast<std::size_t>(nearest.columns * nearest.rows);
  nearest.classes = large_vector<std::uint16_t>(context, count);
  nearest.distances = large_vector<float>(context, count);
  const auto take = [&](const FeatureStrip& strip) {
    std::vector<double> mapped(static_cast<std::size_t>(map.dimensions * kWindowsAtOnce));
    for (std::int64_t row = 0; row < strip.rows; ++row) {
      const std::int64_t to = (strip.first_row + row) * nearest.columns + strip.first_column;
      classify(kernel, map,
               {.features = strip.values + row * strip.columns,
                .stride = strip.rows * strip.columns,
                .count = strip.columns,
                .alike = strip.alike + row * alike_blocks(strip.columns),
                .classes = nearest.classes.data() + to,
                .distances = nearest.distances.data() + to},
               mapped.data());
    }
  };
  tpcf(windows, take, context);
  return nearest;
}

}  // namespace texture

std::vector<double> offsets_of(const FeatureClasses& classes) {
  std::vector<double> offsets;
  for (std::int64_t k = 0; k < classes.axes.count(); ++k)
    offsets.push_back(dot(classes.axes.row(k), classes.origin));
  return offsets;
}

Points coordinates_of(const FeatureClasses& classes, const Points& features) {
  const std::vector<double> offsets = offsets_of(classes);
  Points coordinates = Points::zeros(features.count(), classes.axes.count());
  for (std::int64_t i = 0; i < features.count(); ++i) {
    for (std::int64_t k = 0; k < classes.axes.count(); ++k)
      coordinates.row(i)[k] = dot(classes.axes.row(k), features.row(i)) - offsets[k];
  }
  return coordinates;
}

NearestClasses nearest_class(const TpcfProblem& windows, const FeatureClasses& classes,
                             Context& context) {
  return texture::nearest_class_by(texture::best_class_kernel(), windows, classes, context);
}

}  // namespace seedwave
