// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/io/formats/output_set.h"
#include "core/io/labels.h"

#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// Returns names and colours of labels in the formats of other programs: ITK-SNAP's label
/// descriptions (`IDX R G B A VIS MSH "NAME"`) and Slicer's colour tables (.ctbl: `id name r g b
/// a`), distinguished by the content. The background is left out. Throws InputError that names file
/// and line.
[[nodiscard]] std::vector<LabelName> load_label_table(const std::filesystem::path& path);

/// Returns names and colours from seeds JSON or a label table. `grid` is that of the image. Throws
/// InputError.
[[nodiscard]] std::vector<LabelName> load_label_names(const std::filesystem::path& path,
                                                      const Geometry& grid);

/// Names and colours that are stored with a label map.
struct StoredNames {
  std::vector<LabelName> names;
  /// The table that exists but cannot be read, with the reason; it is left out. Of regions what is
  /// no area.
  std::vector<std::string> warnings;
};

/// Reads the label table of the same name in the same folder: seg.label or seg.ctbl beside
/// seg.nii.gz. If there is none, returns the names that an NRRD file contains, as 3D Slicer and
/// save_named_labels write them, or the classes of regions. Empty if there are none either.
[[nodiscard]] StoredNames stored_names(const std::filesystem::path& labels);

/// Returns the labels in the type in which they are written: the smallest of u8, u16 and u32 that
/// holds them.
[[nodiscard]] Volume volume_of(const LabelMap& labels);

/// Saves labels as save_labels does. An NRRD file also contains names and colours of the labels
/// that occur, as in 3D Slicer, and regions do too. `names` may lack some and name others.
/// `level0`: of the slide that the labels lie on, for regions. Throws OutputError.
void save_named_labels(const std::filesystem::path& path, const LabelMap& labels,
                       const std::vector<LabelName>& names, const Geometry& level0 = {});
void save_named_labels(OutputSet& outputs, const std::filesystem::path& path,
                       const LabelMap& labels, const std::vector<LabelName>& names,
                       const Geometry& level0 = {});

/// Returns the entry of a label, its name and colour completed: "Label 7", and the default colour.
[[nodiscard]] LabelName completed_name(Label id, const std::vector<LabelName>& names);

/// Writes a colour table if the name ends in .ctbl, else label descriptions, atomically. Labels
/// without a colour get their default one. Throws OutputError.
void save_label_table(const std::filesystem::path& path, const std::vector<LabelName>& labels);

}  // namespace seedwave::io
