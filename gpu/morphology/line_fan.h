// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/orientation.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// `tiles` on the context's device, without a way back before the end, the bits that core's solvers
/// give. Pictures: all directions of one length whose cells lie side by side the same way go in a
/// few launches, into memory that stays in the device's cache, where the strongest are picked;
/// volumes one direction after the other. Where memory is too little for the whole, in slabs, as
/// linear_opening_by_tiles(). `runs`: so many times, for measuring. Stages: upload,
/// orientation, download. Throws UnavailableError (no device, out of memory) and Cancelled.
[[nodiscard]] OrientationMap orientation_by_tiles(const LineFanProblem& problem, Context& context,
                                                  int runs = 1);

/// The sum of each direction, in tiles that store no image; f32: one direction after the other,
/// added up on the host. Stages: upload, spectrum, download.
[[nodiscard]] std::vector<double> angular_spectrum_by_tiles(const LineFanProblem& problem,
                                                            Context& context, int runs = 1);

/// Device memory of a run on all of the image, at most, and of one on its thinnest slabs.
[[nodiscard]] std::int64_t line_fan_bytes(const LineFanProblem& problem);
[[nodiscard]] std::int64_t least_line_fan_bytes(const LineFanProblem& problem);

}  // namespace seedwave::gpu
