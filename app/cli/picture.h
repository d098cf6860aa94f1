// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "core/io/formats/output_set.h"
#include "core/ops/run.h"

#include <filesystem>

namespace seedwave::cli {

/// Labels over an image, as RGB: 45 % fill and a full outline in the labels' colours.
///
/// An image is shown whole. A volume is shown as axial, coronal and sagittal slice side by side,
/// through the centroid of the label with most voxels (the middle where there is none), in true
/// proportions and radiological convention, with letters at the sides. The planes are those of the
/// voxel grid that lie nearest. Greys by the automatic window.
/// labels: on the image's grid; empty: the image alone.
[[nodiscard]] Volume picture_of(const Volume& image, const LabelMap& labels);

/// Values that come round again over an image, in colours that close, as opaque as their weight
/// says; the rest as above.
[[nodiscard]] Volume picture_of(const Volume& image, const ScalarMap& map);

/// Writes the picture of a run into a set that is still to be committed: its labels over the image,
/// or its angles as far as they count, or the image that came out. Throws OutputError.
void save_picture(io::OutputSet& outputs, const std::filesystem::path& path, const Volume& image,
                  const Operation& operation, const RunReport& report);

}  // namespace seedwave::cli
