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

ColourCounts colours_in(const Volume& rgb, const StainSource& source, Context& context) {
  if (std::holds_alternative<WholePicture>(source)) return count_colours(colours_of(rgb), context);
  const auto* regions = std::get_if<Regions>(&source);
  const std::vector<LabelRun> runs =
      regions != nullptr ? runs_inside(*regions, rgb.geometry(), 1)
                         : runs_under(std::get<StainedStrokes>(source), rgb.geometry());
  return count_colours(colours_of(rgb), runs, context);
}

}  // namespace

std::array<Vec3, 2> stains_of_picture(const Volume& rgb, const Rgb& background, Context& context) {
  return two_stains_of(count_colours(colours_of(rgb), context), background);
}

Vec3 stain_from(const Volume& rgb, const StainSource& source, const Rgb& background,
                Context& context) {
  if (const auto* picture = std::get_if<WholePicture>(&source))
    return stains_of_picture(rgb, background, context).at(static_cast<std::size_t>(picture->stain));
  return stain_of(colours_in(rgb, source, context), background);
}

Rgb background_from(const Volume& rgb, const StainSource& source, Context& context) {
  const ColourCounts colours = colours_in(rgb, source, context);
  return std::holds_alternative<WholePicture>(source) ? background_of_picture(colours)
                                                      : background_of_region(colours);
}

std::string background_warning(const Rgb& background) {
  if (!is_stained(background)) return {};
  return "the background that was found is the colour of stained tissue: if the picture shows "
         "hardly any glass, take the background from a region or give its numbers";
}

}  // namespace seedwave
