// SPDX-License-Identifier: Apache-2.0
#include "ui/models/command_inputs.h"

#include "core/base/error.h"
#include "core/io/labels.h"
#include "core/io/save.h"
#include "ui/models/path_text.h"

#include <QDir>

namespace seedwave::ui {

void write_command_inputs(const RepeatCommand& command, const std::filesystem::path& folder,
                          const std::vector<io::LabelName>& names, const Geometry& grid) {
  if (!QDir().mkpath(to_text(folder)))
    throw OutputError("cannot create the folder " + folder.string());
  io::OutputSet outputs;
  for (const auto& [file, seeds] : command.seeds)
    io::save_seeds(outputs, file, {.seeds = seeds, .labels = names, .unit = grid.unit});
  for (const auto& [file, edits] : command.edits)
    io::save_labels(outputs, file, as_labels(edits, grid));
  for (const auto& [file, recipe] : command.recipes)
    outputs.add(file, recipe);
  outputs.commit();
}

}  // namespace seedwave::ui
