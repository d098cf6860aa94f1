// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/region.h"
#include "core/io/formats/output_set.h"
#include "core/io/labels.h"
#include "core/parallel/context.h"

#include <filesystem>
#include <string>
#include <vector>

/// Regions with classes and names as GeoJSON (RFC 7946), with the keys of QuPath. Coordinates are
/// pixels of an image, or of the finest level of a slide, from its top left corner: pixel (0, 0) is
/// the square from 0 to 1.
namespace seedwave::io {

/// Returns whether the name of a file says that it holds regions: .geojson.
[[nodiscard]] bool is_region_file(const std::filesystem::path& path);

/// Throws OutputError for a grid that has no regions: a volume.
void check_region_grid(const std::filesystem::path& path, const Geometry& geometry);

/// The outlines of labels: along the edges of their pixels, or through the middles of these edges
/// (midpoint_ring()).
enum class RegionOutline { PixelEdges, Midpoints };

/// Writes the regions of 2-D labels, which are read back exactly with either outline. A label is
/// one annotation with its name and colour. Without names it is one detection, as numbered objects
/// are, if there are numbers beyond 255, or at least 16 labels, nine of ten in one piece.
///
/// `level0`: the finest level of the slide; empty if the labels lie on no slide. Throws OutputError
/// (a volume, a file that cannot be written), Cancelled.
void save_regions(OutputSet& outputs, const std::filesystem::path& path, const LabelMap& labels,
                  const std::vector<LabelName>& names, const Geometry& level0, Context& context,
                  RegionOutline outline = RegionOutline::PixelEdges);

/// The same of regions: each is an annotation, or a detection if it is an object, with the name and
/// colour of its class. `grid`: the finest level of the slide, or the image.
void save_regions(OutputSet& outputs, const std::filesystem::path& path, const Regions& regions,
                  const std::vector<LabelName>& names, const Geometry& grid, Context& context);

/// Regions as they are in a file.
struct ReadRegions {
  Regions regions;
  /// The name of each region's class; "" if it has none.
  std::vector<std::string> classes;
  /// Names and colours of their classes, which are numbered as by load_regions().
  std::vector<LabelName> names;
  /// In plain words: what was left out.
  std::vector<std::string> warnings;
};

/// Reads regions. `grid`: the finest level of the slide, or the image. Throws InputError that names
/// the place, Cancelled.
[[nodiscard]] ReadRegions read_regions(const std::filesystem::path& path, const Geometry& grid,
                                       Context& context);

/// Regions drawn as labels.
struct DrawnRegions {
  LabelMap labels;
  /// Names and colours of their classes.
  std::vector<LabelName> names;
  /// In plain words: what was left out.
  std::vector<std::string> warnings;
};

/// Draws polygons on a grid: a pixel is inside if its centre is; later ones lie above. A region
/// keeps the number that save_regions() wrote. Otherwise those of a class share a number, in the
/// order in which classes appear; each detection or cell without a class has its own.
///
/// Throws InputError that names the place, Cancelled.
[[nodiscard]] DrawnRegions load_regions(const std::filesystem::path& path, const Geometry& grid,
                                        const Geometry& level0, Context& context);

}  // namespace seedwave::io
