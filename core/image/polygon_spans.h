// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/region.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The pixels begin..end - 1 of a row.
struct PixelSpan {
  std::int64_t row = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend auto operator<=>(const PixelSpan&, const PixelSpan&) = default;
};

/// Returns a polygon of the world in pixels from the top left corner of a 2-D grid: pixel (0, 0) is
/// the square from 0 to 1.
[[nodiscard]] RegionPolygon in_pixels(RegionPolygon polygon, const Geometry& grid);

/// Finds the pixels that polygons enclose, by the even-odd rule. A pixel is inside if its centre
/// is; a centre on an edge belongs to one side alone, so polygons that share an edge share no
/// pixel.
class PolygonSpans {
 public:
  /// The sides of the grid, in pixels.
  PolygonSpans(std::int64_t width, std::int64_t height) : width_(width), height_(height) {}

  /// Returns the spans of a polygon (in_pixels()), row by row, until the next call. Throws
  /// InputError where all polygons so far take too long: that would be minutes.
  [[nodiscard]] const std::vector<PixelSpan>& of(const RegionPolygon& polygon);

 private:
  struct Crossing {
    std::int64_t row = 0;
    double x = 0.0;
    friend auto operator<=>(const Crossing&, const Crossing&) = default;
  };
  void cross(RegionPoint low, RegionPoint high);

  std::int64_t width_;
  std::int64_t height_;
  double work_ = 0.0;
  std::vector<Crossing> crossings_;
  std::vector<PixelSpan> spans_;
};

}  // namespace seedwave
