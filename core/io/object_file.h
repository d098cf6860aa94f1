// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/region.h"
#include "core/parallel/context.h"

#include <filesystem>
#include <string>
#include <vector>

/// Objects, such as nuclei, that GeoJSON files hold as regions: each is one object, although
/// neighbours touch.
namespace seedwave::io {

struct ObjectFile {
  /// In the world of the grid for which they were read, in the order of the file.
  Regions objects;
  /// The name of each object's class; "" if it has none.
  std::vector<std::string> classes;
  /// In plain words: what was left out.
  std::vector<std::string> warnings;
};

/// Reads the detections and cells of a file, or all of its regions if it has no such objects.
/// `grid`: the image, or the finest level of its slide. Throws InputError that names the place,
/// Cancelled.
[[nodiscard]] ObjectFile read_objects(const std::filesystem::path& path, const Geometry& grid,
                                      Context& context);

/// Returns a grid of pixels for files without an image: one that read_objects() takes.
[[nodiscard]] Geometry pixel_grid();
/// Returns the smallest grid with the pixels of pixel_grid() that holds all objects.
[[nodiscard]] Geometry pixel_grid_around(const Regions& objects);

/// Draws objects on a grid with numbers from 1 in their order: a pixel is inside if its centre is,
/// and later ones lie above. Adds a warning for objects without pixels. Throws InputError if that
/// would take minutes or more memory than there is, Cancelled.
[[nodiscard]] LabelMap draw_objects(ObjectFile& file, const std::filesystem::path& path,
                                    const Geometry& grid, Context& context);

}  // namespace seedwave::io
