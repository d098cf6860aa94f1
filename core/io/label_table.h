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

/// Writes a colour table when the name ends in .ctbl, else label descriptions, atomically; labels
/// without a colour get the default one of their id. Throws OutputError.
void save_label_table(const std::filesystem::path& path, const std::vector<LabelName>& labels);

}  // namespace seedwave::io
