// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/image/volume.h"
#include "core/ops/operation_table.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace seedwave {

/// What inputs are made of, as a copy that another thread may read: the open image or its channel,
/// and the runs that are read, directly or by those.
struct InputSources {
  Volume scene;
  /// Where the scene is one channel of a colour picture: both, since an earlier run may have read
  /// another one.
  Volume picture{};
  std::string channel{};
  /// The image is the colour picture, not the scene.
  bool in_colour = false;
  std::map<std::uint64_t, Run> runs{};
};

/// The id of the output that a run's labels are, the first of labels; "" where there is none.
[[nodiscard]] std::string label_output(const Operation& operation);

/// True where it reads colours: of a colour picture then no channel is chosen.
[[nodiscard]] bool reads_colours(const Operation& operation);

/// `sources` with what the run read: the picture, or another channel of it, perhaps.
[[nodiscard]] InputSources sources_of(const Run& run, const InputSources& sources);

/// The runs that `choices` lead to; one that is gone is left out.
[[nodiscard]] std::map<std::uint64_t, Run> runs_behind(const InputChoices& choices,
                                                       const RunHistory& history);

/// Puts the image, and what else was chosen, into `inputs`: files are read, what a run gave and was
/// given up for space is computed again, and kept in the context's cache.
///
/// Throws InputError when a run is gone, gave something else, or a file is on a different grid.
void take_inputs(const OperationTable& table, const InputChoices& choices,
                 const InputSources& sources, Inputs& inputs, Context& context);

/// A file as an input of a scene on `grid`, whatever it will be to the operation: labels are
/// brought onto the grid by geometry. Throws InputError that says both places.
[[nodiscard]] Volume read_input(const Source& file, const Geometry& grid, Context& context);

}  // namespace seedwave
