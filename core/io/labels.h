// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io {

/// A label's name and how it is shown; `color` is "#rrggbb" or "", `opacity` 0..1.
struct LabelName {
  std::uint16_t id = 0;
  std::string name;
  std::string color;
  double opacity = 1.0;
  friend bool operator==(const LabelName&, const LabelName&) = default;
};

/// Reads a label image and brings it onto `grid` by geometry, never by index: an image whose axes
/// are permuted or flipped but whose voxels coincide fits exactly. The size decides on a picture
/// without position, and for labels without position on a planar grid.
/// Throws InputError when it is on a different grid (saying both), holds fractions or negative or
/// too large values.
[[nodiscard]] LabelMap load_labels(const std::filesystem::path& path, const Geometry& grid,
                                   Context& context);

/// The steps of load_labels one by one, for a program that asks what to do with another grid:
/// reads a label image as it lies in the file, on its own grid.
[[nodiscard]] LabelMap read_labels(const std::filesystem::path& path, Context& context);
/// The same labels on `grid` where all voxels coincide; nothing otherwise.
[[nodiscard]] std::optional<LabelMap> fit_labels(const LabelMap& labels, const Geometry& grid);
/// The volume as it is, or on `grid` where both are 2-D images of one size and one of them, a
/// picture without position, has none that could disagree.
[[nodiscard]] Volume fit_picture(const Volume& volume, const Geometry& grid);
/// "Resample": each voxel of `grid` takes the label whose voxel centre is nearest, 0 outside.
[[nodiscard]] LabelMap resample_labels_nearest(const LabelMap& labels, const Geometry& grid,
                                               Context& context);
/// "Use the image's grid": the same labels in the same order, whatever position their file gave.
/// Throws InputError when the sizes differ.
[[nodiscard]] LabelMap use_grid_of_image(const LabelMap& labels, const Geometry& grid);

/// "512 x 512 x 12, 0.977 x 0.977 x 2.000 mm, first voxel at (-249.5, -437.5, -796.5), axes L P S":
/// a grid in words, for telling two apart.
[[nodiscard]] std::string describe_placement(const Geometry& geometry);

/// Strokes with the labels that they name.
struct SeedFile {
  SeedSet seeds;
  std::vector<LabelName> labels;
  /// What the coordinates are: millimetres, or pixels of a picture without position.
  LengthUnit unit = LengthUnit::Millimetre;
};

/// Reads seeds JSON ("space" LPS-mm, level0-px or index; index needs `grid`). Throws InputError
/// with the place.
[[nodiscard]] SeedFile load_seeds(const std::filesystem::path& path, const Geometry& grid);
/// Writes seeds JSON in LPS-mm (level0-px on pictures), atomically. Throws OutputError.
void save_seeds(const std::filesystem::path& path, const SeedFile& file);

/// True when the file is seeds JSON rather than a label image; looks at the content.
[[nodiscard]] bool is_seed_file(const std::filesystem::path& path);

/// Writes a volume: .nii .nii.gz .nrrd .mha .png .tif .npy by suffix, atomically, geometry exact.
/// NIfTI: qform = sform, codes 1, slope 1. PNG, TIFF and .npy have no place for a position.
/// Throws OutputError (nothing half-written is left; unknown suffix and what the suffix cannot hold
/// say so).
void save_volume(const std::filesystem::path& path, const Volume& volume);
/// The same for labels: u8 where they fit, else u16.
void save_labels(const std::filesystem::path& path, const LabelMap& labels);

/// Throws OutputError when no writer knows the suffix: to say so before hours of work.
void check_suffix(const std::filesystem::path& path);
/// The same when an image of this geometry does not go into such a file.
void check_suffix(const std::filesystem::path& path, const Geometry& geometry);

/// Writes bytes to a temporary name in the same folder, flushes, renames: a full disk or a crash
/// leaves the old file. Throws OutputError.
void write_atomically(const std::filesystem::path& path, const std::string& bytes);

}  // namespace seedwave::io
