// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Names and colours from a separate file beside a label map.
struct NamesBeside {
  std::vector<LabelName> names;
  /// The table that exists but cannot be read, with the reason; it is left out.
  std::vector<std::string> warnings;
};

/// Reads the label table of the same name in the same folder: seg.label or seg.ctbl beside
/// seg.nii.gz. Empty if there is none.
[[nodiscard]] NamesBeside names_beside(const std::filesystem::path& labels);

/// Returns the labels in the type in which they are written: the smallest of u8, u16 and u32 that
/// holds them.
[[nodiscard]] Volume volume_of(const LabelMap& labels);

/// Saves labels as save_labels does. An NRRD file also contains names and colours of the labels
/// that occur, as in 3D Slicer. `names` may lack some and name others. Throws OutputError.
void save_named_labels(const std::filesystem::path& path, const LabelMap& labels,
                       const std::vector<LabelName>& names);

/// Writes a colour table if the name ends in .ctbl, else label descriptions, atomically. Labels
/// without a colour get their default one. Throws OutputError.
void save_label_table(const std::filesystem::path& path, const std::vector<LabelName>& labels);

}  // namespace seedwave::io
