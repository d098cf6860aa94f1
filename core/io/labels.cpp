// SPDX-License-Identifier: Apache-2.0
#include "core/io/labels.h"

#include "core/base/error.h"
#include "core/image/labels_from.h"
#include "core/io/format_table.h"
#include "core/io/image_source.h"
#include "core/io/region_file.h"
#include "core/io/slides/slide_item.h"

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Loads the one item of a label file, with the numbers of a palette image instead of its colours;
/// of a pyramid the pixels on `grid`.
Volume load_label_volume(const fs::path& path, Context& context, const Geometry& grid) {
  const Scan found = scan(path, context);
  if (found.items.size() == 1 && found.items.front().usable) {
    if (found.items.front().kind == ItemKind::Slide)
      return load(with_pixels_on(found.items.front(), grid), context).volume;
    for (const Format& format : format_table()) {
      if (format.name != found.items.front().format) continue;
      return format.load(found.items.front(), {.slices = {}, .as = ReadAs::Labels}, context).volume;
    }
  }
  return load_path(path, "", context).volume;
}

}  // namespace

Volume read_label_volume(const fs::path& path, Context& context, const Geometry& grid) {
  Volume volume;
  try {
    volume = load_label_volume(path, context, grid);
  } catch (const DamagedError& error) {
    // No offer to read it: partial labels would be taken for all of them.
    throw InputError(std::string(error.what()) + ": labels need the whole file");
  }
  if (volume.components() == 1) return volume;
  throw InputError(path.string() + " is a colour image: labels need one number per voxel");
}

LabelMap read_labels(const fs::path& path, Context& context, const Geometry& grid) {
  return labels_from(read_label_volume(path, context, grid), path.string(),
                     [&] { context.checkpoint(0.0); });
}

LabelMap load_labels(const fs::path& path, const Geometry& grid, Context& context,
                     const Geometry& level0) {
  if (is_region_file(path)) return load_regions(path, grid, level0, context).labels;
  const LabelMap labels = read_labels(path, context, grid);
  if (auto fitted = fit_labels(labels, grid)) return *std::move(fitted);
  throw InputError(path.string() + " is on a different grid from the image: labels " +
                   describe_placement(labels.geometry()) + "; image " + describe_placement(grid));
}

}  // namespace seedwave::io
