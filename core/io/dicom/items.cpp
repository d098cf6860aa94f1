// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/items.h"

#include "core/io/dicom/placement.h"
#include "core/io/dicom/rescale.h"
#include "core/io/dicom/slice_list.h"
#include "core/io/dicom/warnings.h"

#include <algorithm>

namespace seedwave::io::dicom {
namespace {

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
      (stack.slices.size() >= kLeastRepaired ? "; choose one of its repaired forms" : ""));
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
