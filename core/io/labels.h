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

/// A label's name and its appearance; `color` is "#rrggbb" or "", `opacity` 0..1.
struct LabelName {
  Label id = 0;
  std::string name;
  std::string color;
  double opacity = 1.0;
  friend bool operator==(const LabelName&, const LabelName&) = default;
};

/// Reads a label map and maps it onto `grid` by geometry, never by index: a map whose axes are
/// permuted or flipped but whose voxels coincide fits exactly. The size decides on an image without
/// position, and for labels without position on a planar grid.
/// Throws InputError if it is on a different grid (describes both), or holds fractions, negative
/// values or values that are too large.
/// Regions (region_file.h) are drawn on the grid; `level0`: the finest level of its slide, empty if
/// it is no slide.
[[nodiscard]] LabelMap load_labels(const std::filesystem::path& path, const Geometry& grid,
                                   Context& context, const Geometry& level0 = {});

/// The steps of load_labels one by one, for a program that asks what to do with another grid. Reads
/// a label map on the grid of its file; of a pyramid the pixels on `grid`, or else its finest
/// level.
[[nodiscard]] LabelMap read_labels(const std::filesystem::path& path, Context& context,
                                   const Geometry& grid = {});
/// The same with any numbers: those of a palette image are its indices. Throws InputError for a
/// colour image, and if the file is damaged.
[[nodiscard]] Volume read_label_volume(const std::filesystem::path& path, Context& context,
                                       const Geometry& grid = {});
/// Returns the same labels on `grid` if all voxels coincide; nothing otherwise.
[[nodiscard]] std::optional<LabelMap> fit_labels(const LabelMap& labels, const Geometry& grid);
/// Returns the volume unchanged, or on `grid` if both are 2-D images of the same size and one of
/// them has no position that could disagree.
[[nodiscard]] Volume fit_picture(const Volume& volume, const Geometry& grid);
/// "Resample": each voxel of `grid` gets the label whose voxel centre is nearest, 0 outside.
[[nodiscard]] LabelMap resample_labels_nearest(const LabelMap& labels, const Geometry& grid,
                                               Context& context);
/// "Use the image's grid": the same labels in the same order, whatever position their file states.
/// Throws InputError if the sizes differ.
[[nodiscard]] LabelMap use_grid_of_image(const LabelMap& labels, const Geometry& grid);

/// Returns "512 x 512 x 12, 0.977 x 0.977 x 2.000 mm, first voxel at (-249.5, -437.5, -796.5), axes
/// L P S": a grid in words, to distinguish two grids.
[[nodiscard]] std::string describe_placement(const Geometry& geometry);

/// Strokes with the labels that they name.
struct SeedFile {
  SeedSet seeds;
  std::vector<LabelName> labels;
  /// The unit of the coordinates: millimetres, micrometres on a slide, or pixels of an image
  /// without position.
  LengthUnit unit = LengthUnit::Millimetre;
};

/// Reads seeds JSON ("space" LPS-mm, slide-um, level0-px or index; index needs `grid`). `level0`:
/// the finest level of the slide that `grid` belongs to; empty if it is no slide. Throws InputError
/// that names the place.
[[nodiscard]] SeedFile load_seeds(const std::filesystem::path& path, const Geometry& grid,
                                  const Geometry& level0 = {});
/// Writes seeds JSON in LPS-mm (slide-um on slides, level0-px on images in pixels), atomically.
/// Throws OutputError.
void save_seeds(const std::filesystem::path& path, const SeedFile& file);

/// Returns whether the file is seeds JSON instead of a label map, by its content.
[[nodiscard]] bool is_seed_file(const std::filesystem::path& path);

/// Writes a volume: .nii .nii.gz .nrrd .mha .png .tif .npy by suffix, atomically, with the exact
/// geometry. NIfTI: qform = sform, codes 1, slope 1. PNG, TIFF and .npy cannot store a position.
/// Throws OutputError: an unknown suffix, or data that the format cannot hold. No partial file is
/// left.
void save_volume(const std::filesystem::path& path, const Volume& volume);
/// The same for labels, in the smallest of u8, u16 and u32 that holds them.
void save_labels(const std::filesystem::path& path, const LabelMap& labels);

/// Throws OutputError if no writer knows the suffix: called before hours of work.
void check_suffix(const std::filesystem::path& path);
/// The same if the format cannot hold an image of this geometry.
void check_suffix(const std::filesystem::path& path, const Geometry& geometry);

/// Writes bytes to a temporary name in the same folder, flushes and renames: a full disk or a crash
/// leaves the old file. Throws OutputError.
void write_atomically(const std::filesystem::path& path, const std::string& bytes);

}  // namespace seedwave::io
