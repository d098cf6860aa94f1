// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"

#include <filesystem>
#include <vector>

namespace seedwave::io {

/// Names and colours of labels as other programs keep them: ITK-SNAP's label descriptions
/// (`IDX R G B A VIS MSH "NAME"`) and Slicer's colour tables (.ctbl: `id name r g b a`), told apart
/// by the content. The background is left out. Throws InputError that names file and line.
[[nodiscard]] std::vector<LabelName> load_label_table(const std::filesystem::path& path);

/// The labels as they are written: u8 where they fit, else u16.
[[nodiscard]] Volume volume_of(const LabelMap& labels);

/// Saves labels as save_labels does; an NRRD file has names and colours of the labels that occur in
/// it as well, as 3D Slicer keeps them. `names` may lack some and name others. Throws OutputError.
void save_named_labels(const std::filesystem::path& path, const LabelMap& labels,
                       const std::vector<LabelName>& names);

/// Writes a colour table when the name ends in .ctbl, else label descriptions, atomically; labels
/// without a colour get the default one of their id. Throws OutputError.
void save_label_table(const std::filesystem::path& path, const std::vector<LabelName>& labels);

}  // namespace seedwave::io
