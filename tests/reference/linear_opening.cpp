// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/linear_opening.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

namespace seedwave::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double lowest_of(VoxelType type, bool closing) {
  switch (type) {
    case VoxelType::U8:
      return closing ? 255.0 : 0.0;
    case VoxelType::U16:
      return closing ? 65535.0 : 0.0;
    case VoxelType::I16:
      return closing ? 32767.0 : -32768.0;
    case VoxelType::I32:
      return closing ? 2147483647.0 : -2147483648.0;
    default:
      break;
  }
  return closing ? std::numeric_limits<float>::max() : std::numeric_limits<float>::lowest();
}

}  // namespace

Lines lines_at_angle(double degrees, const Index3& size) {
  const double radians = degrees * std::numbers::pi / 180.0;
  const bool steep = std::abs(std::sin(radians)) > std::abs(std::cos(radians)) + 1e-12;
  const double slope =
      steep ? std::cos(radians) / std::sin(radians) : std::sin(radians) / std::cos(radians);
  std::map<long, std::vector<std::int64_t>> lines;
  const std::int64_t along = steep ? size[1] : size[0];
  for (std::int64_t i = 0; i < along; ++i) {
    for (std::int64_t j = 0; j < (steep ? size[0] : size[1]); ++j) {
      const std::int64_t x = steep ? j : i;
      const std::int64_t y = steep ? i : j;
      lines[j + std::lround(static_cast<double>(i) * slope)].push_back(x + y * size[0]);
    }
  }
  Lines result;
  for (auto& [base, line] : lines)
    result.push_back(std::move(line));
  return result;
}

Lines lines_along(const Vec3& direction, const Index3& size) {
  int major = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (std::abs(direction[axis]) > std::abs(direction[major])) major = axis;
  }
  std::map<std::tuple<long, long, long>, std::vector<std::int64_t>> lines;
  Index3 at{};
  for (std::int64_t i = 0; i < size[major]; ++i) {
    const auto shift = [&](int axis) {
      return std::lround(static_cast<double>(i) * (direction[axis] / direction[major]));
    };
    for (std::int64_t offset = 0; offset < size[0] * size[1] * size[2]; ++offset) {
      at = {offset % size[0], offset / size[0] % size[1], offset / (size[0] * size[1])};
      if (at[major] != i) continue;
      lines[{at[0] - shift(0), at[1] - shift(1), at[2] - shift(2)}].push_back(offset);
    }
  }
  Lines result;
  for (auto& [base, line] : lines)
    result.push_back(std::move(line));
  return result;
}

std::vector<double> linear_opening(const Volume& image, const Lines& lines, std::int64_t length,
                                   std::int64_t front, std::int64_t behind, bool closing) {
  const Geometry& geometry = image.geometry();
  std::vector<double> result(static_cast<std::size_t>(geometry.voxel_count()), -kInfinity);
  for (const auto& line : lines) {
    const std::int64_t count = std::ssize(line);
    for (std::int64_t first = -front; first + length <= count + behind; ++first) {
      double lowest = kInfinity;
      for (std::int64_t i = std::max<std::int64_t>(0, first); i < std::min(count, first + length);
           ++i) {
        const double value = image.value_at(geometry.index_of(line[i]));
        lowest = std::min(lowest, closing ? -value : value);
      }
      for (std::int64_t i = std::max<std::int64_t>(0, first); i < std::min(count, first + length);
           ++i)
        result[line[i]] = std::max(result[line[i]], lowest);
    }
  }
  // Finds the cells in no window. A result of -infinity does not identify them, because the image
  // may contain it.
  std::vector<bool> covered(result.size(), false);
  for (const auto& line : lines) {
    const std::int64_t count = std::ssize(line);
    for (std::int64_t first = -front; first + length <= count + behind; ++first) {
      for (std::int64_t i = std::max<std::int64_t>(0, first); i < std::min(count, first + length);
           ++i)
        covered[line[i]] = true;
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!covered[i]) {
      result[i] = lowest_of(image.type(), closing);
    } else if (closing) {
      result[i] = -result[i];
    }
  }
  return result;
}

}  // namespace seedwave::reference
