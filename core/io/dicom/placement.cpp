// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/placement.h"

#include "core/image/vec3.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace seedwave::io::dicom {
namespace {

std::string mm(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g mm", value);
  return text;
}

std::vector<double> gaps_of(std::span<const double> positions) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < positions.size(); ++i)
    gaps.push_back(positions[i] - positions[i - 1]);
  return gaps;
}

/// Returns the median distance, the lower of the two middle ones: a few gaps do not shift it.
double usual_gap(std::span<const double> positions) {
  std::vector<double> gaps = gaps_of(positions);
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

/// Returns the largest distance of a position from the line through the first and last one, in
/// steps.
double unevenness(std::span<const double> positions) {
  const auto last = static_cast<double>(positions.size() - 1);
  const double step = (positions.back() - positions.front()) / last;
  double worst = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double expected = positions.front() + step * static_cast<double>(i);
    worst = std::max(worst, std::abs(positions[i] - expected) / step);
  }
  return worst;
}

/// Returns "slices 7 and 8 are 10 mm apart, 5 mm elsewhere", or a list of the distances.
std::string describe_gaps(std::span<const double> positions) {
  const std::vector<double> gaps = gaps_of(positions);
  const double usual = usual_gap(positions);
  std::vector<std::size_t> odd;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (std::abs(gaps[i] - usual) > kUnevenShare * usual) odd.push_back(i);
  }
  if (!odd.empty() && odd.size() <= 3) {
    std::string text;
    for (const std::size_t i : odd) {
      const double missing = gaps[i] / usual - 1;
      text += (text.empty() ? "slices " : "; slices ") + std::to_string(i + 1) + " and " +
              std::to_string(i + 2) + " are " + mm(gaps[i]) + " apart";
      if (missing > 0.5 && std::abs(missing - std::round(missing)) < kUnevenShare) {
        const auto count = static_cast<long>(std::round(missing));
        text += count == 1 ? " (1 slice is missing)"
                           : " (" + std::to_string(count) + " slices are missing)";
      }
    }
    return text + "; elsewhere the distance is " + mm(usual);
  }
  std::string text = "distances between slices:";
  std::size_t runs = 0;
  for (std::size_t i = 0; i < gaps.size();) {
    std::size_t next = i + 1;
    while (next < gaps.size() && std::abs(gaps[next] - gaps[i]) <= kEvenShare * gaps[i])
      ++next;
    if (++runs > 6) return text + ", ...";
    text += (i == 0 ? " " : ", ") + std::to_string(next - i) + " x " + mm(gaps[i]);
    i = next;
  }
  return text;
}

/// Returns the shift of a slice's first pixel against that of the first slice, in pixels: (columns,
/// rows).
std::array<double, 2> shift_of(const Frame& frame, const Frame& first) {
  const Vec3 offset = minus(*frame.position, *first.position);
  return {dot(offset, (*first.orientation)[0]) / (*first.pixel_spacing)[0],
          dot(offset, (*first.orientation)[1]) / (*first.pixel_spacing)[1]};
}

Geometry grid_of(const Slice& first, double step, std::int64_t count) {
  const Frame& frame = first.get();
  const Vec3 normal = normal_of(frame);
  const auto& [row, column] = *frame.orientation;
  Geometry geometry;
  geometry.size = {first.header->layout.columns, first.header->layout.rows, count};
  geometry.spacing = {(*frame.pixel_spacing)[0], (*frame.pixel_spacing)[1], step};
  geometry.origin = *frame.position;
  geometry.direction = {row[0],    column[0], normal[0], row[1],   column[1],
                        normal[1], row[2],    column[2], normal[2]};
  return geometry;
}

/// Returns the step of a single slice: the distance to the next one that the file states.
double single_step(const Frame& frame, std::vector<std::string>& warnings) {
  if (frame.between_slices > 0) return frame.between_slices;
  if (frame.thickness > 0) return frame.thickness;
  warnings.emplace_back("the slice thickness is unknown: 1 mm is assumed");
  return 1.0;
}

void judge_evenness(Placement& placement) {
  const double uneven = unevenness(placement.positions);
  if (uneven <= kEvenShare) return;
  placement.even = uneven <= kUnevenShare;
  if (placement.even) {
    placement.warnings.push_back("the slices deviate by up to " +
                                 mm(uneven * placement.geometry.spacing[2]) +
                                 " from even spacing: even spacing is assumed");
  } else {
    placement.warnings.push_back("the slices are not evenly spaced: " +
                                 describe_gaps(placement.positions));
  }
}

void judge_upright(const std::vector<Slice>& slices, Placement& placement) {
  const Frame& first = slices.front().get();
  double worst = 0;
  for (const Slice& slice : slices) {
    const auto shift = shift_of(slice.get(), first);
    worst = std::max({worst, std::abs(shift[0]), std::abs(shift[1])});
  }
  if (worst <= kUprightShare) return;
  placement.upright = false;
  const auto shift = shift_of(slices.back().get(), first);
  const double aside = std::hypot(shift[0] * placement.geometry.spacing[0],
                                  shift[1] * placement.geometry.spacing[1]);
  const double along = placement.positions.back() - placement.positions.front();
  char degrees[32];
  std::snprintf(degrees, sizeof degrees, "%.1f", std::atan2(aside, along) * 180 / M_PI);
  placement.warnings.push_back(
      "the slices are sheared: each is shifted against the last, as with a "
      "gantry tilted by " +
      std::string(degrees) + " degrees");
}

}  // namespace

Placement place_slices(const std::vector<Slice>& slices) {
  Placement placement;
  const Frame& first = slices.front().get();
  const Vec3 normal = normal_of(first);
  for (const Slice& slice : slices)
    placement.positions.push_back(place_along(slice.get(), normal));
  const auto count = static_cast<std::int64_t>(slices.size());
  if (count == 1) {
    placement.geometry = grid_of(slices.front(), single_step(first, placement.warnings), 1);
    return placement;
  }
  const double mean =
      (placement.positions.back() - placement.positions.front()) / static_cast<double>(count - 1);
  placement.geometry = grid_of(slices.front(), mean, count);
  judge_evenness(placement);
  judge_upright(slices, placement);
  if (!placement.even) placement.geometry.spacing[2] = usual_gap(placement.positions);
  return placement;
}

Block longest_even_block(std::span<const double> positions) {
  const std::vector<double> gaps = gaps_of(positions);
  Block best{0, std::min<std::size_t>(1, positions.size())};
  for (std::size_t begin = 0; begin < gaps.size();) {
    std::size_t end = begin + 1;
    while (end < gaps.size() && std::abs(gaps[end] - gaps[begin]) <= kEvenShare * gaps[begin])
      ++end;
    if (end - begin + 1 > best.count) best = {begin, end - begin + 1};
    begin = end;
  }
  return best;
}

Geometry even_grid(const std::vector<Slice>& slices) {
  const Placement placement = place_slices(slices);
  const double length = placement.positions.back() - placement.positions.front();
  const double steps = std::max(1.0, std::round(length / placement.geometry.spacing[2]));
  Geometry geometry = grid_of(slices.front(), length / steps, static_cast<std::int64_t>(steps) + 1);
  std::array<double, 2> low{};
  std::array<double, 2> high{};
  for (const Slice& slice : slices) {
    const auto shift = shift_of(slice.get(), slices.front().get());
    for (int i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], shift[i]);
      high[i] = std::max(high[i], shift[i]);
    }
  }
  for (int axis = 0; axis < 2; ++axis) {
    const double begin = std::floor(low[axis] + kUprightShare);
    const double end = std::ceil(high[axis] - kUprightShare);
    geometry.size[axis] += static_cast<std::int64_t>(std::max(0.0, end) - std::min(0.0, begin));
    for (int i = 0; i < 3; ++i) {
      geometry.origin[i] += std::min(0.0, begin) * geometry.spacing[axis] *
                            (*slices.front().get().orientation)[axis][i];
    }
  }
  return geometry;
}

}  // namespace seedwave::io::dicom
