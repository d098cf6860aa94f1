// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// Openings and closings by lines, `tiles`, on the context's device, bit-identical to core's
/// solvers. Many adjacent lines are processed at once. Each thread computes the extremes of eight
/// windows from suffixes of its eight rows, a table of whole blocks, and a few further rows. The
/// cost per cell is therefore about the same for every length. Short lines take one visit, in
/// shared memory; long ones take passes through device memory. For lines nearer to rows, x and y of
/// the image are swapped.
///
/// If the device's memory or the context's limit is too small for the whole image, it is processed
/// in slabs along the slowest axis. Each slab comes with the layers that windows reach beyond it.
/// The result is bit-identical.
///
/// Stages: upload, opening or closing, download. Throws UnavailableError (no device, out of memory)
/// and Cancelled.
[[nodiscard]] Volume linear_opening_by_tiles(const LinearOpeningProblem& problem, Context& context);

/// The method; Best selects it by the length.
enum class LineWay { Best, Tiles, Long };
/// Does the same with a chosen method, a number of times, for measurements. Its stage has the total
/// time. Tiles support lengths up to 300.
struct LineRepeats {
  LineWay way = LineWay::Best;
  int runs = 1;
};
[[nodiscard]] Volume linear_opening_by_tiles(const LinearOpeningProblem& problem,
                                             const LineRepeats& repeats, Context& context);

/// Returns why a device cannot compute it; "" if it can.
[[nodiscard]] std::string why_no_linear_opening(const Geometry& geometry);

/// Device memory of a run on the whole image, and that of a run on its thinnest slabs.
[[nodiscard]] std::int64_t linear_opening_bytes(const LinearOpeningProblem& problem);
[[nodiscard]] std::int64_t least_linear_opening_bytes(const LinearOpeningProblem& problem);

}  // namespace seedwave::gpu
