// SPDX-License-Identifier: Apache-2.0
#include "core/engine/stain_source.h"

#include "core/base/error.h"
#include "core/texture/colours.h"
#include "core/texture/stain_vectors.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {
namespace {

std::vector<LabelRun> runs_under(const StainedStrokes& of, const Geometry& grid) {
  std::vector<LabelRun> runs;
  for (const Seed& seed : of.strokes.rasterise(grid).seeds) {
    if (seed.label == of.label) runs.push_back({seed.offset, seed.offset + 1, seed.label});
  }
  return runs;
}

std::span<const std::uint8_t> colours_of(const Volume& rgb) {
  if (rgb.components() != 3 || rgb.type() != VoxelType::U8)
    throw InputError("only a colour image (RGB, 8 bit) has stains");
  return rgb.voxels<std::uint8_t>();
}

}  // namespace

std::array<Vec3, 2> stains_of_picture(const Volume& rgb, Context& context) {
  return two_stains_of(count_colours(colours_of(rgb), context));
}

Vec3 stain_from(const Volume& rgb, const StainSource& source, Context& context) {
  if (const auto* picture = std::get_if<WholePicture>(&source))
    return stains_of_picture(rgb, context).at(static_cast<std::size_t>(picture->stain));
  const auto* regions = std::get_if<Regions>(&source);
  const std::vector<LabelRun> runs =
      regions != nullptr ? runs_inside(*regions, rgb.geometry(), 1)
                         : runs_under(std::get<StainedStrokes>(source), rgb.geometry());
  return stain_of(count_colours(colours_of(rgb), runs, context));
}

}  // namespace seedwave
