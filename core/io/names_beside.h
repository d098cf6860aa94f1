// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"

#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// The names and colours that a label image comes with in a file of its own.
struct NamesBeside {
  std::vector<io::LabelName> names;
  /// A table that is there and cannot be read, and why; it is left out.
  std::vector<std::string> warnings;
};

/// Reads the label table of the same name in the same folder: seg.label or seg.ctbl beside
/// seg.nii.gz. Empty where there is none.
[[nodiscard]] NamesBeside names_beside(const std::filesystem::path& labels);

}  // namespace seedwave::io
