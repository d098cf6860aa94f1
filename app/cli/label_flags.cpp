// SPDX-License-Identifier: Apache-2.0
#include "app/cli/label_flags.h"

#include "core/base/error.h"

#include <algorithm>

namespace seedwave::cli {

Flag names_flag() {
  return {"names", "PATH",
          "seeds JSON or a label table with names and colours for .nrrd, .geojson, .stl and .ply"};
}

std::vector<Flag> surface_flags() {
  return {{"surface", "smooth|voxels",
           ".stl, .ply: smooth surfaces (default), or the faces of the voxels, of exact volume"},
          {"file-per-label", "", ".stl, .ply: a.stl becomes a-1-NAME.stl, a-2-NAME.stl and so on"}};
}

io::SurfaceChoice surface_choice(const Arguments& arguments,
                                 const std::vector<std::filesystem::path>& paths) {
  const bool has_surface = std::any_of(paths.begin(), paths.end(), io::is_surface_file);
  for (const Flag& flag : surface_flags()) {
    if (arguments.has(flag.name) && !has_surface)
      throw UsageError("--" + flag.name + " needs an output with the suffix .stl or .ply");
  }
  io::SurfaceChoice choice;
  if (arguments.has("file-per-label")) choice.files = io::SurfaceFiles::OnePerLabel;
  const std::string shape = arguments.text("surface").value_or("smooth");
  if (shape != "smooth" && shape != "voxels")
    throw UsageError("--surface must be smooth or voxels, not '" + shape + "'");
  if (shape == "voxels") choice.shape = io::SurfaceShape::VoxelFaces;
  return choice;
}

Flag outline_flag() {
  return {"outline", "pixels|midpoints",
          ".geojson: outlines along the edges of pixels (default), or through the middles of these "
          "edges, so that stairs become slopes; both are read back as the same labels"};
}

io::RegionOutline outline_choice(const Arguments& arguments,
                                 const std::vector<std::filesystem::path>& paths) {
  const auto outline = arguments.text("outline");
  if (!outline) return io::RegionOutline::PixelEdges;
  if (std::none_of(paths.begin(), paths.end(), io::is_region_file))
    throw UsageError("--outline needs an output with the suffix .geojson");
  if (*outline == "pixels") return io::RegionOutline::PixelEdges;
  if (*outline == "midpoints") return io::RegionOutline::Midpoints;
  throw UsageError("--outline must be pixels or midpoints, not '" + *outline + "'");
}

}  // namespace seedwave::cli
