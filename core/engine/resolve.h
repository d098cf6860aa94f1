// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/loaded_case.h"
#include "core/engine/recipe.h"
#include "core/engine/run_history.h"
#include "core/image/volume.h"
#include "core/ops/operation_table.h"

#include <cstdint>
#include <map>
#include <string>

/// Provides the voxels that an operation reads for a recipe.
namespace seedwave {

/// Returns the outputs that the history keeps of the steps behind these inputs.
[[nodiscard]] KeptOutputs kept_behind(const InputChoices& inputs, const RunHistory& history);

/// Reads files, recomputes outputs of steps that are not kept (the context's cache keeps them
/// then), and rasterises the strokes on the grid of the case's image.
///
/// Throws InputError if a step is lost or gives a different result, or if a file is on a different
/// grid.
[[nodiscard]] Inputs resolve(const OperationTable& table, const Recipe& recipe,
                             const LoadedCase& of, Context& context);

/// Returns an output as the image that reading it from a file gives. Throws InputError for labels
/// that no image holds. The output must not be a table.
[[nodiscard]] Volume as_image(const Output& output);

/// Sets the input of that name ("image", "labels", "marker", "mask", "start") to a volume on the
/// case's grid.
void put_input(const std::string& name, const Volume& volume, Inputs& inputs, Context& context);

/// Reads a file as an input of that name ("marker", "mask") and brings it onto the grid of the
/// case's image; `channel` of a colour image. The file lies on the grid of the whole image or of
/// the part; a label map may have other axes. Throws InputError that names both grids.
[[nodiscard]] Volume read_input(const std::string& input, const Source& file, const LoadedCase& of,
                                const std::string& channel, Context& context);

/// Reads seeds: strokes in world coordinates, indices on the whole image, or a label map. Throws
/// InputError that names a file without seeds inside the image.
[[nodiscard]] SeedVoxels read_seeds(const Source& file, const LoadedCase& of, Context& context);

/// Returns whether the operation reads the colours of a colour image, so that no channel is chosen.
[[nodiscard]] bool reads_colours(const Operation& operation);

}  // namespace seedwave
