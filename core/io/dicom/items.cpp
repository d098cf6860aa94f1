// SPDX-License-Identifier: Apache-2.0
#include "core/image/geometry.h"
#include "core/image/vec3.h"
#include "core/io/dicom/rescale.h"
#include "core/io/dicom/slice_list.h"
#include "core/io/dicom/stacks.h"
#include "core/io/dicom/warnings.h"
#include "core/io/image_source.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io::dicom {
namespace {

/// Positions of the slices of a stack, and whether they form a grid.
struct Placement {
  /// The grid; for an uneven stack, the first slice's position with the usual step.
  Geometry geometry;
  /// Position of each slice along the normal, in mm.
  std::vector<double> positions;
  /// Set if the slices are evenly spaced along the normal.
  bool even = true;
  /// Set if each slice lies above the other along the normal. Otherwise the gantry was tilted, or
  /// the slices are shifted against each other.
  bool upright = true;
  /// The findings in plain words. If the stack cannot be loaded as it is, the last one says why.
  std::vector<std::string> warnings;

  [[nodiscard]] bool is_grid() const noexcept { return even && upright; }
};

/// Evenness is judged by the distance from the straight line through the positions: within
/// kEvenShare of a step no warning, within kUnevenShare a warning, beyond it the stack is not even.
constexpr double kEvenShare = 0.02;

constexpr double kUnevenShare = 0.1;

/// Slices may be shifted in their plane by this share of a pixel and still count as upright.
constexpr double kUprightShare = 0.2;

/// A run of slices: first .. first + count - 1.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
};

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

/// Returns the placement. The slices must be sorted along their normal, have geometry, and lie at
/// distinct positions.
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

/// Returns the longest run of slices with even distances, the lowest of equally long ones.
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

/// Returns the grid that holds all slices, upright and evenly spaced, at about the usual step, for
/// resampling. It includes corners that no slice covers.
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

/// Fewest slices of a stack for which a repair is offered.
constexpr std::size_t kLeastRepaired = 3;
/// Resampling may enlarge a stack by this factor; beyond, the positions make no sense.
constexpr std::int64_t kMostGrowth = 4;

std::string described(const std::string& series, const std::string& part) {
  if (part.empty()) return series;
  return series.empty() ? part : series + ", " + part;
}

DisplayHints hints_of(const Stack& stack) {
  // Windows often differ from slice to slice; users look most at the middle one.
  const Slice& middle = stack.slices[stack.slices.size() / 2];
  const Header& header = *middle.header;
  DisplayHints hints;
  hints.modality = header.modality;
  hints.description = described(header.description, stack.name);
  hints.patient = header.patient;
  hints.unit = middle.get().unit;
  hints.windows = middle.get().windows;
  hints.inverted = header.layout.photometric == Photometric::Monochrome1;
  return hints;
}

void name_files(std::span<const Slice> slices, Repair repair, Item& item) {
  SliceList list;
  list.repair = repair;
  const bool one_file = std::all_of(slices.begin(), slices.end(), [&](const Slice& slice) {
    return slice.header == slices.front().header;
  });
  const bool first_frames = std::all_of(slices.begin(), slices.end(),
                                        [](const Slice& slice) { return slice.frame == 0; });
  item.files.clear();
  for (const Slice& slice : slices) {
    if (!one_file || item.files.empty()) item.files.push_back(slice.header->file);
    if (!first_frames) list.frames.push_back(slice.frame);
  }
  item.part = write_part(list);
}

/// Returns the parts that all items of a stack share.
Item base_item(const Stack& stack) {
  Item item;
  const Header& header = *stack.slices.front().header;
  item.format = "dicom";
  item.series = header.series_uid;
  item.hints = hints_of(stack);
  item.components = header.layout.components();
  ValueLimits limits;
  for (const Slice& slice : stack.slices) {
    limits.include(slice.header->layout, slice.get().rescale);
    add_once(item.warnings, slice.header->warnings);
  }
  add_once(item.warnings, stack.warnings);
  item.type = choose_type(limits);
  if (limits.are_rounded() && item.components == 1) {
    item.warnings.emplace_back(
        "may hold integers beyond 32 bits: read as 32-bit floating point, rounded");
  }
  if (item.components == 3) {
    const bool deep = header.layout.bits_allocated == 16 && !header.palette;
    item.type = deep ? VoxelType::U16 : VoxelType::U8;
  }
  name_files(stack.slices, Repair::None, item);
  return item;
}

/// Returns the item of an image without a position in the patient.
Item picture(const Stack& stack) {
  Item item = base_item(stack);
  const Header& header = *stack.slices.front().header;
  const Frame& frame = stack.slices.front().get();
  item.kind = ItemKind::Image;
  item.geometry.size = {header.layout.columns, header.layout.rows, 1};
  if (frame.pixel_spacing) {
    item.geometry.spacing = {(*frame.pixel_spacing)[0], (*frame.pixel_spacing)[1], 1.0};
    item.geometry.planar = true;
  } else {
    item.geometry.unit = LengthUnit::Pixel;
    item.warnings.emplace_back("there is no pixel spacing: lengths are in pixels, not in mm");
  }
  if (frame.position || frame.orientation) {
    item.warnings.emplace_back(
        "position, orientation or pixel spacing is missing: opened as an image without a position "
        "in the patient");
  }
  if (header.frame_count > 1) {
    item.warnings.push_back("the first of " + std::to_string(header.frame_count) +
                            " images, which have no position in the patient: the others are not "
                            "opened");
  }
  return item;
}

Item volume(const Stack& stack, const Placement& placement) {
  Item item = base_item(stack);
  item.kind = ItemKind::Volume;
  item.geometry = placement.geometry;
  item.regular = placement.is_grid();
  add_once(item.warnings, placement.warnings);
  if (item.regular) return item;
  item.positions = placement.positions;
  item.usable = false;
  item.warnings.push_back(
      "it cannot be opened as it is, since lengths and shapes would be wrong: " +
      item.warnings.back() +
      (stack.slices.size() >= kLeastRepaired ? "; choose one of its repaired versions" : ""));
  return item;
}

bool is_reasonable(const Geometry& grid, const Stack& stack) {
  const PixelLayout& layout = stack.slices.front().header->layout;
  return grid.size[0] <= kMostGrowth * layout.columns &&
         grid.size[1] <= kMostGrowth * layout.rows &&
         grid.size[2] <= kMostGrowth * static_cast<std::int64_t>(stack.slices.size());
}

void add_block(const Stack& stack, const Placement& placement, std::vector<Item>& items) {
  const Block block = longest_even_block(placement.positions);
  if (placement.even || block.count < kLeastRepaired) return;
  Stack part;
  part.has_geometry = true;
  part.warnings = stack.warnings;
  part.slices.assign(stack.slices.begin() + static_cast<std::ptrdiff_t>(block.first),
                     stack.slices.begin() + static_cast<std::ptrdiff_t>(block.first + block.count));
  const std::string count = " (" + std::to_string(block.count) + " of " +
                            std::to_string(stack.slices.size()) + " slices)";
  part.name = described(stack.name, "longest even block" + count);
  const Placement inside = place_slices(part.slices);
  Item item = base_item(part);
  item.kind = ItemKind::Volume;
  item.geometry = inside.geometry;
  if (!inside.upright) {
    item.geometry = even_grid(part.slices);
    if (!is_reasonable(item.geometry, part)) return;
    item.hints.description += ", gantry tilt removed";
    name_files(part.slices, Repair::Resample, item);
  }
  item.warnings.push_back("repaired: only slices " + std::to_string(block.first + 1) + " to " +
                          std::to_string(block.first + block.count) + " of " +
                          std::to_string(stack.slices.size()) + ", which are evenly spaced" +
                          (inside.upright ? "" : "; resampled to remove the gantry's tilt"));
  items.push_back(std::move(item));
}

void add_resampled(const Stack& stack, const Placement& placement, std::vector<Item>& items) {
  Item item = base_item(stack);
  item.kind = ItemKind::Volume;
  item.geometry = even_grid(stack.slices);
  if (!is_reasonable(item.geometry, stack)) return;
  const std::string counts =
      std::to_string(item.geometry.size[2]) + " slices from " + std::to_string(stack.slices.size());
  const std::string what = placement.even ? "gantry tilt removed (" + counts + ")"
                           : placement.upright
                               ? "resampled to even slices (" + counts + ")"
                               : "resampled to even slices, gantry tilt removed (" + counts + ")";
  item.hints.description = described(item.hints.description, what);
  name_files(stack.slices, Repair::Resample, item);
  item.warnings.push_back("repaired: " + what +
                          "; values between the slices are interpolated, not measured");
  items.push_back(std::move(item));
}

}  // namespace

std::vector<Item> items_of(const Stack& stack) {
  if (!stack.has_geometry) return {picture(stack)};
  const Placement placement = place_slices(stack.slices);
  std::vector<Item> items{volume(stack, placement)};
  if (placement.is_grid() || stack.slices.size() < kLeastRepaired) return items;
  add_block(stack, placement, items);
  add_resampled(stack, placement, items);
  return items;
}

}  // namespace seedwave::io::dicom
