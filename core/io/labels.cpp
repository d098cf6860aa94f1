// SPDX-License-Identifier: Apache-2.0
#include "core/io/labels.h"

#include "core/base/error.h"
#include "core/io/format_table.h"
#include "core/io/image_source.h"

#include <cmath>
#include <limits>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

std::string place_of(const Volume& volume, std::size_t at) {
  const Index3 index = volume.geometry().index_of(static_cast<std::int64_t>(at));
  return std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " +
         std::to_string(index[2]);
}

/// The values as labels. Throws InputError at the first that is none.
std::vector<std::uint16_t> as_labels(const Volume& volume, const std::string& name) {
  return visit_voxels(volume, [&](auto values) {
    using T = typename decltype(values)::value_type;
    std::vector<std::uint16_t> labels;
    labels.reserve(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
      const T value = values[at];
      // Written so that a NaN is refused as well. Label maps are often stored as numbers with a
      // point: whole ones are taken.
      if (!(value >= T{0} && static_cast<double>(value) <= 65535.0) ||
          static_cast<T>(static_cast<std::uint16_t>(value)) != value) {
        throw InputError(name + " is no label image: it holds " +
                         std::to_string(static_cast<double>(value)) + " at index " +
                         place_of(volume, at) + "; labels are whole numbers from 0 to 65535");
      }
      labels.push_back(static_cast<std::uint16_t>(value));
    }
    return labels;
  });
}

/// The one item of a label file, with the numbers of a palette picture rather than its colours.
Volume load_label_volume(const fs::path& path, Context& context) {
  const Scan found = scan(path, context);
  if (found.items.size() == 1 && found.items.front().usable) {
    for (const Format& format : format_table()) {
      if (format.name != found.items.front().format) continue;
      return format.load(found.items.front(), {.slices = {}, .palette = Palette::Indices}, context)
          .volume;
    }
  }
  return load_path(path, "", context).volume;
}

}  // namespace

LabelMap read_labels(const fs::path& path, Context& context) {
  const Volume volume = load_label_volume(path, context);
  if (volume.components() != 1) {
    throw InputError(path.string() + " is a colour picture: labels need one number a voxel");
  }
  return LabelMap(volume.geometry(), as_labels(volume, path.string()));
}

LabelMap load_labels(const fs::path& path, const Geometry& grid, Context& context) {
  const LabelMap labels = read_labels(path, context);
  if (auto fitted = fit_labels(labels, grid)) return *std::move(fitted);
  throw InputError(path.string() + " is on a different grid from the image: labels " +
                   describe_placement(labels.geometry()) + "; image " + describe_placement(grid));
}

}  // namespace seedwave::io
