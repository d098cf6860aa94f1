// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// `tiles` on the context's device: openings and closings by lines, the bits that core's solvers
/// give. Many lines side by side; each thread makes the extremes of eight windows from what remains
/// of its eight rows, a table of whole blocks of eight, and a few rows behind them, so that a cell
/// costs about the same for every length. Short lines in one visit, in shared memory; long ones in
/// passes through device memory. Where lines are nearer to rows, on the image with x and y in each
/// other's place.
///
/// Where the device or the context's memory is too small for the whole, in slabs along the slowest
/// axis, each with the layers that windows reach beyond it; the bits are the same.
///
/// Stages: upload, opening or closing, download. Throws UnavailableError (no device, out of memory)
/// and Cancelled.
[[nodiscard]] Volume linear_opening_by_tiles(const LinearOpeningProblem& problem, Context& context);

/// Which way; Best: by the length.
enum class LineWay { Best, Tiles, Long };
/// The same with the way chosen, run so many times, for measuring: the time of all is that of its
/// stage. Tiles take lengths of at most 300.
struct LineRepeats {
  LineWay way = LineWay::Best;
  int runs = 1;
};
[[nodiscard]] Volume linear_opening_by_tiles(const LinearOpeningProblem& problem,
                                             const LineRepeats& repeats, Context& context);

/// Why a device cannot do it; "" where it can.
[[nodiscard]] std::string why_no_linear_opening(const Geometry& geometry);

/// Device memory of a run on all of the image, and of one on its thinnest slabs.
[[nodiscard]] std::int64_t linear_opening_bytes(const LinearOpeningProblem& problem);
[[nodiscard]] std::int64_t least_linear_opening_bytes(const LinearOpeningProblem& problem);

}  // namespace seedwave::gpu
