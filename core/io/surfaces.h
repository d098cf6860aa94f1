// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/io/formats/output_set.h"
#include "core/io/labels.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace seedwave::io {

/// The shape of a label's surface: smooth_surface or voxel_faces of core/mesh.
enum class SurfaceShape { Smooth, VoxelFaces };

/// The number of files for the surfaces of several labels.
enum class SurfaceFiles { One, OnePerLabel };

/// All files are open until the last one is complete.
inline constexpr std::size_t kMostSurfaceFiles = 500;

struct SurfaceChoice {
  SurfaceShape shape = SurfaceShape::Smooth;
  SurfaceFiles files = SurfaceFiles::One;
  /// Empty: all labels that have voxels.
  std::vector<Label> labels;
  /// More triangles in all are refused: few programs can show them.
  std::int64_t most_triangles = 100'000'000;
};

/// Returns whether the suffix is that of a surface: .stl or .ply.
[[nodiscard]] bool is_surface_file(const std::filesystem::path& path);

/// Throws OutputError if labels on this grid have no surface: those of a 2-D image.
void check_surface_grid(const std::filesystem::path& path, const Geometry& geometry);

/// Writes the surfaces of labels as binary STL or PLY, in LPS millimetres. The header says
/// SPACE=LPS, as 3D Slicer does. A PLY file has the label's colour at each point, and names the
/// labels in its comments. With OnePerLabel, "a.stl" becomes "a-3-liver.stl" for label 3, "liver".
/// The same labels give the same bytes. Returns the paths of the files.
///
/// Throws InputError if a chosen label has no voxels, or no label has any, OutputError (too many
/// triangles or files, a 2-D image), UnavailableError and Cancelled. Nothing is written then.
std::vector<std::filesystem::path> save_surfaces(OutputSet& outputs,
                                                 const std::filesystem::path& path,
                                                 const LabelMap& labels,
                                                 const std::vector<LabelName>& names,
                                                 const SurfaceChoice& choice, Context& context);

}  // namespace seedwave::io
