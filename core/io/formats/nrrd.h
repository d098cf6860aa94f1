// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"
#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// NRRD, voxels in the same file or one beside it, raw or gzip. The spaces LPS, RAS and LAS are
/// converted to LPS here. A colour axis of 3 gives three components. Any other axis outside space
/// gives one item per position: time points, layers of a segmentation.
/// Source: Definition of NRRD File Format, teem.sourceforge.net/nrrd/format.html.
[[nodiscard]] Format nrrd_format();

/// Writes NRRD0005, gzip, space left-posterior-superior, with all digits of the position. A volume
/// that lies in a file beyond memory is written raw: it need not be copied (voxel_writer.h), and to
/// compress it would take longer than many a run. Throws OutputError.
void write_nrrd(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

/// One label of a label map, as 3D Slicer describes it in the header.
struct NrrdSegment {
  Label label = 0;
  std::string name;
  Rgb color{};
  /// A box that holds all voxels of the label.
  Box extent;
};

/// The same for a label map, with names and colours that 3D Slicer reads from `NAME.seg.nrrd`.
/// Source: vtkMRMLSegmentationStorageNode.cxx of 3D Slicer 5.
void write_nrrd(OutputSet& outputs, const std::filesystem::path& path, const Volume& labels,
                const std::vector<NrrdSegment>& segments);

/// Returns the segments that the header of an NRRD file describes, without their extents; empty for
/// other files. Segments of further layers, and those without a label, are left out. Throws
/// InputError if the file cannot be read.
[[nodiscard]] std::vector<NrrdSegment> read_nrrd_segments(const std::filesystem::path& file);

}  // namespace seedwave::io
