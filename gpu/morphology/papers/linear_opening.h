// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/orientation.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>
#include <vector>

/// The paper's openings by lines on a device, the baselines for ours, for 2-D images: P. Karas, V.
/// Morard, J. Bartovsky, T. Grandpierre, E. Dokladalova, P. Matula, P. Dokladal, GPU implementation
/// of linear morphological openings with arbitrary angle, J. Real-Time Image Processing 10(1),
/// 2015. Exact, bit-identical to core's solvers.
///
/// Stages: upload, opening or closing, download. They throw UnavailableError (no device, out of
/// memory) and Cancelled.
namespace seedwave::gpu {

/// The implementations of section 4.3 (Basic) and section 5 (Optimised).
enum class LineScanForm {
  Basic,     // queues in global memory, the answer written directly to its destination
  Optimised  // the image through the read-only cache, the newest entries of a queue in shared
             // memory, the image split into zones; for angles nearer to rows the answer is written
             // transposed and transposed back
};

struct LineScanSettings {
  LineScanForm form = LineScanForm::Optimised;
  /// Zones of a line (section 5.1); 0: by the paper's rules (5.4) for this device.
  int zones = 0;
  /// Number of consecutive runs, for measurements; their stage has the total time.
  int runs = 1;
};

/// `bartovsky`: a thread scans a line with a queue of flat zones (algorithm 2).
[[nodiscard]] Volume linear_opening_by_queues(const LinearOpeningProblem& problem,
                                              Context& context);
[[nodiscard]] Volume linear_opening_by_queues(const LinearOpeningProblem& problem,
                                              const LineScanSettings& settings, Context& context);
/// `morard`: a thread scans a line with a stack (algorithm 1).
[[nodiscard]] Volume linear_opening_by_stacks(const LinearOpeningProblem& problem,
                                              Context& context);
[[nodiscard]] Volume linear_opening_by_stacks(const LinearOpeningProblem& problem,
                                              const LineScanSettings& settings, Context& context);

/// Returns the sum of each direction's opening, by `bartovsky`, all directions at once (section
/// 6.1). One launch scans the lines of all directions, another sums each result. Integers only.
/// Stages: upload, spectrum, download.
[[nodiscard]] std::vector<double> angular_spectrum_by_queues(const LineFanProblem& problem,
                                                             const LineScanSettings& settings,
                                                             Context& context);

/// Returns why they cannot compute this; "" if they can.
[[nodiscard]] std::string why_no_line_scans(const LinearOpeningProblem& problem);

/// Device memory of a run.
[[nodiscard]] std::int64_t line_queues_bytes(const LinearOpeningProblem& problem);
[[nodiscard]] std::int64_t line_stacks_bytes(const LinearOpeningProblem& problem);

}  // namespace seedwave::gpu
