// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/orientation.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// `tiles` on the context's device, bit-identical to core's solvers, with a download only at the
/// end. In 2-D, all directions of one length whose lines are adjacent along the same axis share a
/// few launches. Their output stays in the device's cache, where the strongest are picked. In
/// volumes one direction follows the other. If memory is too small for the whole image, the run
/// works in slabs, like linear_opening_by_tiles(). `runs`: number of repetitions, for measurements.
/// Stages: upload, orientation, download. Throws UnavailableError (no device, out of memory) and
/// Cancelled.
[[nodiscard]] OrientationMap orientation_by_tiles(const LineFanProblem& problem, Context& context,
                                                  int runs = 1);

/// Returns the sum of each direction, from tiles that store no image. For f32, one direction after
/// the other is summed on the host. Stages: upload, spectrum, download.
[[nodiscard]] std::vector<double> angular_spectrum_by_tiles(const LineFanProblem& problem,
                                                            Context& context, int runs = 1);

/// Maximum device memory of a run on the whole image, and that of a run on its thinnest
/// slabs.
[[nodiscard]] std::int64_t line_fan_bytes(const LineFanProblem& problem);
[[nodiscard]] std::int64_t least_line_fan_bytes(const LineFanProblem& problem);

}  // namespace seedwave::gpu
