// SPDX-License-Identifier: Apache-2.0
#include "core/image/length_scale.h"

#include <algorithm>

namespace seedwave {
namespace {

/// Largest pixel size of microscopes in mm. Slides have 0.0001 to 0.01; of the scanners of the body
/// the finest (mammography, teeth) have 0.05.
constexpr double kLargestOfMicroscopes = 0.02;
constexpr double kMicrometres = 1000.0;

}  // namespace

LengthScale length_scale(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Pixel) {
    if (geometry.is_2d()) return {.symbol = "px", .plural = "pixels"};
    return {.symbol = "voxels", .plural = "voxels"};
  }
  if (geometry.unit == LengthUnit::Micrometre)
    return {.symbol = "\u00b5m", .plural = "micrometres"};
  if (std::max(geometry.spacing[0], geometry.spacing[1]) < kLargestOfMicroscopes) {
    return {.symbol = "\u00b5m", .plural = "micrometres", .per_unit = kMicrometres};
  }
  return {.symbol = "mm", .plural = "millimetres"};
}

std::optional<double> micrometres_per_pixel(const Geometry& geometry) {
  const LengthScale lengths = length_scale(geometry);
  if (lengths.symbol != "\u00b5m") return std::nullopt;
  return std::min(geometry.spacing[0], geometry.spacing[1]) * lengths.per_unit;
}

std::string grid_unit(const Geometry& geometry) {
  return geometry.unit == LengthUnit::Millimetre ? "mm" : length_scale(geometry).symbol;
}

}  // namespace seedwave
