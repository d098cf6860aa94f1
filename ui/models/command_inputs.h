// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/repeat_command.h"
#include "core/image/geometry.h"
#include "core/io/labels.h"

#include <filesystem>
#include <vector>

namespace seedwave::ui {

/// Writes the strokes, edits and recipes that a command reads, into its folder, which is made.
/// `grid`: of the open image. Throws OutputError.
void write_command_inputs(const RepeatCommand& command, const std::filesystem::path& folder,
                          const std::vector<io::LabelName>& names, const Geometry& grid);

}  // namespace seedwave::ui
