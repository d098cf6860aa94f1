// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/formats/output_set.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"
#include "core/io/surfaces.h"
#include "core/ops/run.h"
#include "core/parallel/context.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Paths of a run's outputs.
struct OutputPaths {
  /// Keyed by the output's id.
  std::map<std::string, std::vector<std::filesystem::path>> files;
  std::filesystem::path picture;
  std::filesystem::path preview;
  /// For outputs that are surfaces of labels.
  io::SurfaceChoice surface;
  /// For outputs that are regions of labels.
  io::RegionOutline outline = io::RegionOutline::PixelEdges;
};

/// Reads --out, --out-NAME, --picture, --preview, --outline and the flags of surfaces. Before
/// anything is read, throws OutputError if a folder is missing or a suffix is unknown, and
/// UsageError if two outputs name one file.
[[nodiscard]] OutputPaths output_paths(const Arguments& arguments, const Operation& operation);

/// Checks the outputs before the run. Throws OutputError if a suffix cannot hold the output for
/// this image, and UsageError if the run does not give that output.
void check_outputs_fit(const OutputPaths& paths, const Operation& operation,
                       const Geometry& geometry, Reads reads);

/// Throws OutputError if nothing can be written there: the folder is missing, or a folder has that
/// name.
void check_writable(const std::filesystem::path& path);

/// Writes the requested output files into a set that is committed later. `names` are those of the
/// labels. Throws OutputError, and InputError if a surface has no voxels.
void save_outputs(io::OutputSet& outputs, const RunReport& report, const OutputPaths& paths,
                  const std::vector<io::LabelName>& names, const Geometry& level0,
                  Context& context);

}  // namespace seedwave::cli
