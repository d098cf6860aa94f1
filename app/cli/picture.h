// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "core/io/formats/output_set.h"
#include "core/ops/run.h"

#include <filesystem>

namespace seedwave::cli {

/// Draws labels over an image, as RGB: 45 % fill and an opaque outline in the labels' colours.
///
/// A 2-D image is shown whole. A volume is shown as axial, coronal and sagittal slices side by
/// side, in true proportions and radiological convention, with letters at the sides. The slices
/// pass through the centroid of the label with the most voxels, or through the centre without
/// labels. They are the nearest planes of the voxel grid. Intensities pass through the automatic
/// window.
/// labels: on the image's grid; empty: the image alone.
[[nodiscard]] Volume picture_of(const Volume& image, const LabelMap& labels);

/// Draws cyclic values over an image in cyclic colours, with their weight as opacity; otherwise as
/// above.
[[nodiscard]] Volume picture_of(const Volume& image, const ScalarMap& map);

/// Writes the picture of a run into a set that is committed later: its labels over the image, its
/// weighted angles, or its output image. Throws OutputError.
void save_picture(io::OutputSet& outputs, const std::filesystem::path& path, const Volume& image,
                  const Operation& operation, const RunReport& report);

}  // namespace seedwave::cli
