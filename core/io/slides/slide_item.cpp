// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/slide_item.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/channel.h"
#include "core/image/length_scale.h"
#include "core/image/mean_of.h"
#include "core/image/visit_type.h"
#include "core/io/formats/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

namespace seedwave::io {
namespace {

/// Rows of a reduced image that are read at once.
constexpr std::int64_t kRowsAtOnce = 256;

/// The pixels that load_slide() reads.
struct Reading {
  int level = 0;
  int channel = 0;
  /// Side of the squares of pixels whose mean is a pixel of the image.
  std::int64_t reduction = 1;
  /// In pixels of the level.
  Box box;
  /// SlideView::of_colours.
  std::string of_colours{};
};

/// As Item::part.
std::string text_of(const Reading& reading) {
  std::ostringstream text;
  text << reading.level << ' ' << reading.channel << ' ' << reading.reduction << ' '
       << reading.box.lo[0] << ' ' << reading.box.lo[1] << ' ' << reading.box.hi[0] << ' '
       << reading.box.hi[1] << ' ' << reading.of_colours;
  return text.str();
}

Reading reading_of(const Item& item) {
  std::istringstream text(item.part);
  Reading reading;
  text >> reading.level >> reading.channel >> reading.reduction >> reading.box.lo[0] >>
      reading.box.lo[1] >> reading.box.hi[0] >> reading.box.hi[1];
  reading.box.hi[2] = 1;
  const bool has_numbers = !text.fail();
  text >> reading.of_colours;
  const bool is_good = has_numbers && item.slide && reading.level >= 0 &&
                       reading.level < std::ssize(item.slide->levels) && reading.reduction >= 1 &&
                       !reading.box.empty();
  if (!is_good) throw InputError("'" + item.part + "' is no part of a slide");
  return reading;
}

std::int64_t pixels_of(const SlideLevel& level) {
  return level.width * level.height;
}

/// Returns the finest level of at most so many pixels, or the coarsest.
int finest_of_at_most(const SlideInfo& info, std::int64_t most) {
  int level = 0;
  while (level + 1 < std::ssize(info.levels) &&
         pixels_of(info.levels[static_cast<std::size_t>(level)]) > most)
    ++level;
  return level;
}

/// Returns the grid of what is read.
Geometry grid_of(const SlideInfo& info, const Reading& reading) {
  Geometry grid = info.grid(reading.level);
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t length = reading.box.hi[axis] - reading.box.lo[axis];
    grid.size[axis] = (length + reading.reduction - 1) / reading.reduction;
    if (!info.mpp) continue;
    const double step = grid.spacing[axis];
    grid.spacing[axis] = step * static_cast<double>(reading.reduction);
    grid.origin[axis] = static_cast<double>(reading.box.lo[axis]) * step + 0.5 * grid.spacing[axis];
  }
  return grid;
}

/// Returns an item for a part of its slide.
Item item_reading(Item item, const Reading& reading) {
  const SlideInfo& info = *item.slide;
  item.geometry = grid_of(info, reading);
  item.part = text_of(reading);
  if (!reading.of_colours.empty()) item.components = 1;
  item.warnings = info.warnings;
  if (info.channels.size() > 1) {
    item.warnings.push_back(
        "the slide has " + std::to_string(info.channels.size()) +
        " channels: " + info.channels[static_cast<std::size_t>(reading.channel)] + " is read");
  }
  return item;
}

/// Returns how many pixels of level 0 a pixel of the view spans. Throws UsageError.
double span_of(const SlideView& view, const SlideInfo& info) {
  const double mpp = info.mpp ? ((*info.mpp)[0] + (*info.mpp)[1]) / 2.0 : 0.0;
  if (view.magnification) {
    if (info.objective) return *info.objective / *view.magnification;
    if (mpp > 0.0) return kMicrometresAtOne / *view.magnification / mpp;
    throw UsageError(
        "--magnification needs a slide that states its objective or the size of a pixel: use "
        "--level");
  }
  if (mpp <= 0.0)
    throw UsageError("--mpp needs a slide that states the size of a pixel: use --level");
  return *view.mpp / mpp;
}

void choose_scale(const SlideView& view, const SlideInfo& info, Reading& reading) {
  if (view.level) {
    if (*view.level < 0 || *view.level >= std::ssize(info.levels)) {
      throw UsageError("--level must be 0 to " + std::to_string(info.levels.size() - 1) +
                       " for this slide, not " + std::to_string(*view.level));
    }
    reading.level = *view.level;
    reading.reduction = 1;
  } else if (view.magnification || view.mpp) {
    const double span = span_of(view, info);
    reading.level = info.level_for(span);
    const auto spans = info.downsample(reading.level);
    const double rest = span / ((spans[0] + spans[1]) / 2.0);
    constexpr double kLongest = 1e6;
    reading.reduction =
        static_cast<std::int64_t>(std::clamp(std::floor(rest + 0.5), 1.0, kLongest));
  }
}

/// Returns a region of level 0 in pixels of a level: all that it meets.
Box in_level(const Box& region, const SlideInfo& info, int level) {
  const auto spans = info.downsample(level);
  const SlideLevel& of = info.levels[static_cast<std::size_t>(level)];
  const std::array<std::int64_t, 2> size{of.width, of.height};
  Box box;
  box.hi[2] = 1;
  for (int axis = 0; axis < 2; ++axis) {
    box.lo[axis] = std::min(
        size[axis] - 1,
        static_cast<std::int64_t>(std::floor(static_cast<double>(region.lo[axis]) / spans[axis])));
    box.hi[axis] = std::clamp(
        static_cast<std::int64_t>(std::ceil(static_cast<double>(region.hi[axis]) / spans[axis])),
        box.lo[axis] + 1, size[axis]);
  }
  return box;
}

/// Returns the means of squares of pixels; at the end of the image those of what is left of them.
template <typename T>
std::vector<T> reduced(const Volume& from, std::int64_t by) {
  const std::span<const T> pixels = from.voxels<T>();
  const Index3& size = from.geometry().size;
  const int components = from.components();
  std::vector<T> to;
  to.reserve(
      static_cast<std::size_t>(((size[0] + by - 1) / by) * ((size[1] + by - 1) / by) * components));
  for (std::int64_t y = 0; y < size[1]; y += by) {
    const std::int64_t bottom = std::min(y + by, size[1]);
    for (std::int64_t x = 0; x < size[0]; x += by) {
      const std::int64_t right = std::min(x + by, size[0]);
      for (int c = 0; c < components; ++c) {
        SumOf<T> sum = 0;
        for (std::int64_t v = y; v < bottom; ++v) {
          for (std::int64_t u = x; u < right; ++u)
            sum += pixels[static_cast<std::size_t>((v * size[0] + u) * components + c)];
        }
        to.push_back(mean_of<T>(sum, (bottom - y) * (right - x)));
      }
    }
  }
  return to;
}

Volume reduced(const Volume& from, std::int64_t by) {
  Geometry grid = from.geometry();
  for (int axis = 0; axis < 2; ++axis)
    grid.size[axis] = (grid.size[axis] + by - 1) / by;
  return visit_type(from.type(), [&]<typename T>(T) {
    return Volume(grid, reduced<T>(from, by), from.components());
  });
}

/// Returns the end of the band of rows of the level that is read next: at the end of a row of
/// tiles, so that no tile is decoded twice, but after whole squares.
std::int64_t end_of_band(const SlideLevel& level, const Reading& reading, std::int64_t begin) {
  const std::int64_t least = begin + kRowsAtOnce * reading.reduction;
  const std::int64_t tiles = (least + level.tile_height - 1) / level.tile_height;
  const std::int64_t squares = (tiles * level.tile_height - reading.box.lo[1]) / reading.reduction;
  return std::min(reading.box.hi[1], reading.box.lo[1] + squares * reading.reduction);
}

/// Returns the pixels of the image that a band of the level makes.
Volume pixels_of_band(Volume band, const Reading& reading) {
  if (reading.reduction > 1) band = reduced(band, reading.reduction);
  return reading.of_colours.empty() ? band : channel_of(band, reading.of_colours);
}

/// Reads an image whose pixels are made of those of the level, some rows at a time: only those that
/// are made take memory.
template <typename T>
SlidePart read_in_bands(const Slide& slide, const Reading& reading, const Geometry& grid,
                        Context& context) {
  const int components = reading.of_colours.empty() ? slide.info().components : 1;
  const SlideLevel& level = slide.info().levels[static_cast<std::size_t>(reading.level)];
  std::vector<T> pixels;
  pixels.reserve(static_cast<std::size_t>(grid.voxel_count() * components));
  SlidePart all;
  Box band = reading.box;
  for (std::int64_t begin = reading.box.lo[1]; begin < reading.box.hi[1]; begin = band.hi[1]) {
    band.lo[1] = begin;
    band.hi[1] = end_of_band(level, reading, begin);
    SlidePart part = slide.read(reading.level, band, reading.channel, context);
    const Volume made = pixels_of_band(std::move(part.pixels), reading);
    const std::span<const T> values = made.voxels<T>();
    pixels.insert(pixels.end(), values.begin(), values.end());
    if (all.damaged == 0) all.reason = part.reason;
    all.damaged += part.damaged;
  }
  all.pixels = Volume(grid, std::move(pixels), components);
  return all;
}

SlidePart read_as_asked(const Slide& slide, const Reading& reading, const Geometry& grid,
                        Context& context) {
  if (reading.reduction == 1 && reading.of_colours.empty())
    return slide.read(reading.level, reading.box, reading.channel, context);
  const VoxelType type =
      reading.of_colours.empty() ? slide.info().type : type_of_channel(reading.of_colours);
  return visit_type(type,
                    [&]<typename T>(T) { return read_in_bands<T>(slide, reading, grid, context); });
}

}  // namespace

int opened_level(const SlideInfo& info) {
  return finest_of_at_most(info, kMostPixelsOpened);
}

Item slide_item(const Slide& slide, std::vector<std::filesystem::path> files) {
  Item item;
  item.kind = ItemKind::Slide;
  item.slide = slide.info();
  const SlideInfo& info = *item.slide;
  item.format = info.format;
  item.files = std::move(files);
  item.type = info.type;
  item.components = info.components;
  Reading reading{.level = opened_level(info)};
  const SlideLevel& level = info.levels[static_cast<std::size_t>(reading.level)];
  reading.box.hi = {level.width, level.height, 1};
  item = item_reading(std::move(item), reading);
  if (reading.level > 0) {
    item.warnings.push_back("the slide has " + std::to_string(info.levels.front().width) + " x " +
                            std::to_string(info.levels.front().height) +
                            " pixels: operations work on level " + std::to_string(reading.level) +
                            " (" + describe(item.geometry) + ")");
  }
  return item;
}

Item with_pixels_on(const Item& item, const Geometry& grid) {
  const SlideInfo& info = item.slide.value();
  for (int level = 0; level < std::ssize(info.levels); ++level) {
    const Geometry whole = info.grid(level);
    const Index3 first =
        in_millimetres(whole).nearest_index(in_millimetres(grid).to_world(Index3{}));
    const Box box{first, {first[0] + grid.size[0], first[1] + grid.size[1], 1}};
    if (!whole.contains(first) || !whole.contains({box.hi[0] - 1, box.hi[1] - 1, 0})) continue;
    Item part = item_reading(item, {.level = level, .box = box});
    if (same_grid(in_millimetres(part.geometry), in_millimetres(grid))) return part;
  }
  return with_view(item, {.level = 0});
}

Item with_view(const Item& item, const SlideView& view) {
  const SlideInfo& info = *item.slide;
  if (view.channel < 0 || view.channel >= info.channel_count()) {
    throw UsageError("--channel must be 1 to " + std::to_string(info.channel_count()) +
                     " for this slide");
  }
  Reading reading = reading_of(item);
  reading.channel = view.channel;
  if (info.components == 3) reading.of_colours = view.of_colours;
  choose_scale(view, info, reading);
  const SlideLevel& finest = info.levels.front();
  Box region{{0, 0, 0}, {finest.width, finest.height, 1}};
  if (view.region) {
    const Box& asked = *view.region;
    if (asked.empty() || asked.lo[0] < 0 || asked.lo[1] < 0 || asked.hi[0] > finest.width ||
        asked.hi[1] > finest.height) {
      throw UsageError("--region does not lie inside the slide (" + std::to_string(finest.width) +
                       " x " + std::to_string(finest.height) + " pixels of level 0)");
    }
    region = asked;
    // A small part may be read as fine as the slide is.
    const bool is_open = !view.level && !view.magnification && !view.mpp;
    const std::int64_t pixels = (asked.hi[0] - asked.lo[0]) * (asked.hi[1] - asked.lo[1]);
    if (is_open && pixels <= kMostPixelsAtOnce) reading.level = 0;
  }
  reading.box = in_level(region, info, reading.level);
  return item_reading(item, reading);
}

LoadedImage load_slide(const Item& item, Context& context, Damaged damaged) {
  const std::shared_ptr<const Slide> slide =
      item.slide->format == "dicom" ? open_dicom_slide(item.files) : open_slide(item.files.at(0));
  if (slide == nullptr || slide->info().levels != item.slide->levels)
    throw InputError(item.files.at(0).string() + " has changed since it was opened");
  return load_part(slide, item, context, damaged);
}

LoadedImage load_part(const std::shared_ptr<const Slide>& slide, const Item& item, Context& context,
                      Damaged damaged) {
  const Reading reading = reading_of(item);
  const std::string file = item.files.at(0).string();
  const Geometry grid = grid_of(slide->info(), reading);
  SlidePart part = read_as_asked(*slide, reading, grid, context);
  LoadedImage image{
      .volume = std::move(part.pixels), .hints = item.hints, .warnings = item.warnings};
  if (reading.reduction == 1 && reading.of_colours.empty()) {
    image.slide = slide;
    image.slide_level = reading.level;
    image.slide_channel = reading.channel;
    image.slide_box = reading.box;
  }
  if (part.damaged > 0) {
    report_damage(damaged, file,
                  std::to_string(part.damaged) +
                      (part.damaged == 1 ? " tile cannot be read: " : " tiles cannot be read: ") +
                      part.reason,
                  image.warnings);
  }
  return image;
}

Volume read_surroundings(const LoadedImage& image, Context& context) {
  if (image.slide == nullptr) return {};
  const SlideInfo& info = image.slide->info();
  if (!info.mpp || image.slide_box == Box::whole(info.grid(image.slide_level))) return {};
  const int level = finest_of_at_most(info, kMostPixelsAround);
  const Geometry grid = info.grid(level);
  if (grid.voxel_count() > kMostPixelsAtOnce) return {};
  return image.slide->read(level, Box::whole(grid), image.slide_channel, context).pixels;
}

}  // namespace seedwave::io
