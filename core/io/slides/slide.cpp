// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/slide.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/image/crop.h"
#include "core/image/visit_type.h"
#include "core/io/formats/byte_source.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::io {
namespace {

constexpr std::int64_t kRowsPerTask = 64;
constexpr std::size_t kMostCached = std::size_t{128} << 20;

/// Copies the part of a tile that lies in `box` and in the level to the pixels of the box.
template <typename T>
void copy_tile(const Volume& tile, const Index3& corner, const SlideLevel& level, const Box& box,
               T* pixels) {
  const Index3& size = tile.geometry().size;
  const int components = tile.components();
  const std::int64_t width = box.hi[0] - box.lo[0];
  const std::int64_t left = std::max(corner[0], box.lo[0]);
  const std::int64_t right = std::min({corner[0] + size[0], box.hi[0], level.width});
  const std::int64_t top = std::max(corner[1], box.lo[1]);
  const std::int64_t bottom = std::min({corner[1] + size[1], box.hi[1], level.height});
  if (left >= right) return;
  const std::span<const T> from = tile.voxels<T>();
  for (std::int64_t y = top; y < bottom; ++y) {
    const auto row = from.subspan(
        static_cast<std::size_t>(((y - corner[1]) * size[0] + left - corner[0]) * components),
        static_cast<std::size_t>((right - left) * components));
    std::ranges::copy(row, pixels + ((y - box.lo[1]) * width + left - box.lo[0]) * components);
  }
}

}  // namespace

bool has_shape_of(const SlideLevel& level, const SlideLevel& finest) {
  if (level.width > finest.width || level.height > finest.height) return false;
  // The factors that give a side, compared without division.
  const auto reaches = [](std::int64_t a, std::int64_t whole_a, std::int64_t b,
                          std::int64_t whole_b) {
    return static_cast<double>(whole_a) * static_cast<double>(b + 1) >=
           static_cast<double>(whole_b) * static_cast<double>(a - 1);
  };
  return reaches(level.width, finest.width, level.height, finest.height) &&
         reaches(level.height, finest.height, level.width, finest.width);
}

std::array<double, 2> SlideInfo::downsample(int level) const {
  const SlideLevel& finest = levels.front();
  const SlideLevel& of = levels.at(static_cast<std::size_t>(level));
  return {static_cast<double>(finest.width) / static_cast<double>(of.width),
          static_cast<double>(finest.height) / static_cast<double>(of.height)};
}

int SlideInfo::level_for(double per_pixel) const {
  int best = 0;
  for (int level = 0; level < static_cast<int>(levels.size()); ++level) {
    const auto spans = downsample(level);
    // Sizes are rounded, so a level of a fourth may span 4.0004.
    constexpr double kRounding = 1.01;
    if (std::max(spans[0], spans[1]) <= per_pixel * kRounding) best = level;
  }
  return best;
}

Geometry SlideInfo::grid(int level) const {
  const SlideLevel& of = levels.at(static_cast<std::size_t>(level));
  Geometry grid;
  grid.size = {of.width, of.height, 1};
  if (!mpp) {
    grid.unit = LengthUnit::Pixel;
    return grid;
  }
  grid.unit = LengthUnit::Micrometre;
  grid.planar = true;
  const auto spans = downsample(level);
  for (int axis = 0; axis < 2; ++axis) {
    grid.spacing[axis] = (*mpp)[axis] * spans[axis];
    // The centre of the first pixel.
    grid.origin[axis] = 0.5 * grid.spacing[axis];
  }
  return grid;
}

Slide::Slide(SlideInfo info, std::vector<std::uint8_t> color_profile)
    : info_(std::move(info)), color_profile_(std::move(color_profile)), cache_(kMostCached) {
  require(!info_.levels.empty());
  if (color_profile_.size() > kLargestProfile) color_profile_.clear();
}

SlidePart Slide::read(int level, const Box& box, int channel, Context& context) const {
  if (level < 0 || level >= static_cast<int>(info_.levels.size())) {
    throw InputError("the slide has no level " + std::to_string(level) + ": it has 0 to " +
                     std::to_string(info_.levels.size() - 1));
  }
  if (channel < 0 || channel >= info_.channel_count())
    throw InputError("the slide has no channel " + std::to_string(channel + 1));
  if (box.empty()) throw InputError("a part of a slide without pixels");
  require_memory(CheckedSize(box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * info_.components *
                     static_cast<std::int64_t>(bytes_of(info_.type)),
                 "this part of the slide");
  return visit_type(info_.type,
                    [&]<typename T>(T) { return read_as<T>(level, box, channel, context); });
}

SlidePicture Slide::picture(const std::string& name, Context& context) const {
  const auto at = std::ranges::find(info_.pictures, name);
  if (at == info_.pictures.end()) throw InputError("the slide has no picture '" + name + "'");
  SlidePicture picture =
      read_picture(static_cast<std::size_t>(at - info_.pictures.begin()), context);
  if (picture.color_profile.size() > kLargestProfile) picture.color_profile.clear();
  return picture;
}

Volume Slide::cached(int level, int channel, std::int64_t column, std::int64_t row) const {
  const TileKey key{level, channel, column, row};
  Volume pixels = cache_.find(key);
  if (!pixels.empty()) return pixels;
  pixels = tile(level, channel, column, row);
  if (!pixels.empty()) cache_.add(key, pixels);
  return pixels;
}

template <typename T>
SlidePart Slide::read_as(int level, const Box& box, int channel, Context& context) const {
  const SlideLevel& of = info_.levels[static_cast<std::size_t>(level)];
  const int components = info_.components;
  const std::int64_t width = box.hi[0] - box.lo[0];
  const std::int64_t height = box.hi[1] - box.lo[1];
  auto pixels = large_array<T>(static_cast<std::size_t>(width * height * components));
  std::vector<T> background(static_cast<std::size_t>(width * components));
  for (std::size_t i = 0; i < background.size(); ++i)
    background[i] = info_.background[i % static_cast<std::size_t>(components)];
  parallel_for(context, height, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y)
      std::ranges::copy(background, pixels.get() + y * std::ssize(background));
  });

  // The tiles that the box meets.
  const auto first = [](std::int64_t lo, std::int64_t tile) {
    return std::max<std::int64_t>(lo, 0) / tile;
  };
  const auto end = [](std::int64_t hi, std::int64_t size, std::int64_t tile) {
    return (std::min(hi, size) + tile - 1) / tile;
  };
  const std::int64_t column = first(box.lo[0], of.tile_width);
  const std::int64_t row = first(box.lo[1], of.tile_height);
  const std::int64_t columns =
      std::max<std::int64_t>(0, end(box.hi[0], of.width, of.tile_width) - column);
  const std::int64_t rows =
      std::max<std::int64_t>(0, end(box.hi[1], of.height, of.tile_height) - row);

  SlidePart part;
  std::mutex mutex;  // guards `part`, and which damaged tile is the first
  std::int64_t first_damaged = columns * rows;
  parallel_for(context, columns * rows, 1, [&](std::int64_t begin, std::int64_t stop) {
    for (std::int64_t i = begin; i < stop; ++i) {
      context.checkpoint(static_cast<double>(i) / static_cast<double>(columns * rows));
      const std::int64_t x = column + i % columns;
      const std::int64_t y = row + i / columns;
      try {
        const Volume decoded = cached(level, channel, x, y);
        if (!decoded.empty())
          copy_tile<T>(decoded, {x * of.tile_width, y * of.tile_height, 0}, of, box, pixels.get());
      } catch (const InputError& error) {
        const std::lock_guard lock(mutex);
        ++part.damaged;
        if (i < first_damaged) part.reason = error.what();
        first_damaged = std::min(first_damaged, i);
      }
    }
  });
  Geometry grid = info_.grid(level);
  for (int axis = 0; axis < 2; ++axis) {
    grid.size[axis] = box.hi[axis] - box.lo[axis];
    if (info_.mpp) grid.origin[axis] += static_cast<double>(box.lo[axis]) * grid.spacing[axis];
  }
  part.pixels = Volume(grid, std::move(pixels), components);
  return part;
}

}  // namespace seedwave::io
