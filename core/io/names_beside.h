// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"

#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// Names and colours from a separate file beside a label map.
struct NamesBeside {
  std::vector<io::LabelName> names;
  /// The table that exists but cannot be read, with the reason; it is left out.
  std::vector<std::string> warnings;
};

/// Reads the label table of the same name in the same folder: seg.label or seg.ctbl beside
/// seg.nii.gz. Empty if there is none.
[[nodiscard]] NamesBeside names_beside(const std::filesystem::path& labels);

}  // namespace seedwave::io
