// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/orientation.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>
#include <vector>

/// The paper's own openings by lines on a device, the baselines that ours are measured against, of
/// pictures: P. Karas, V. Morard, J. Bartovsky, T. Grandpierre, E. Dokladalova, P. Matula, P.
/// Dokladal, GPU implementation of linear morphological openings with arbitrary angle, J. Real-Time
/// Image Processing 10(1), 2015. Exact, the bits that core's solvers give.
///
/// Stages: upload, opening or closing, download. They throw UnavailableError (no device, out of
/// memory) and Cancelled.
namespace seedwave::gpu {

/// Section 4.3 and section 5.
enum class LineScanForm {
  Basic,     // queues in global memory, the answer written where it belongs
  Optimised  // the image through the read-only cache, the newest entries of a queue in shared
             // memory, the image split into zones, and for angles nearer to rows the answer written
             // transposed and turned back
};

struct LineScanSettings {
  LineScanForm form = LineScanForm::Optimised;
  /// Zones of a line (section 5.1); 0: as the paper's rules say (5.4), for this device.
  int zones = 0;
  /// Runs one after the other, for measuring: the time of all is that of their stage.
  int runs = 1;
};

/// `bartovsky`: a thread scans a line with a queue of flat zones (algorithm 2).
[[nodiscard]] Volume linear_opening_by_queues(const LinearOpeningProblem& problem,
                                              Context& context);
[[nodiscard]] Volume linear_opening_by_queues(const LinearOpeningProblem& problem,
                                              const LineScanSettings& settings, Context& context);
/// `morard`: the same with a stack (algorithm 1).
[[nodiscard]] Volume linear_opening_by_stacks(const LinearOpeningProblem& problem,
                                              Context& context);
[[nodiscard]] Volume linear_opening_by_stacks(const LinearOpeningProblem& problem,
                                              const LineScanSettings& settings, Context& context);

/// The sum of each direction's opening, by `bartovsky`, all directions at once (section 6.1): one
/// launch scans the lines of all of them, another adds up what each gave. Whole numbers only.
/// Stages: upload, spectrum, download.
[[nodiscard]] std::vector<double> angular_spectrum_by_queues(const LineFanProblem& problem,
                                                             const LineScanSettings& settings,
                                                             Context& context);

/// Why they cannot compute this; "" where they can.
[[nodiscard]] std::string why_no_line_scans(const LinearOpeningProblem& problem);

/// Device memory of a run.
[[nodiscard]] std::int64_t line_queues_bytes(const LinearOpeningProblem& problem);
[[nodiscard]] std::int64_t line_stacks_bytes(const LinearOpeningProblem& problem);

}  // namespace seedwave::gpu
