// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/orientation.h"
#include "core/parallel/context.h"

#include <vector>

/// Openings along lines, and their statistics over directions, of an image divided among those who
/// share the run. A part has its own layers and those that windows of their cells reach, with the
/// lines of the whole image, and is solved as an image of its own. A sum over directions is divided
/// by directions.
///
/// `solver` is called by each worker with a context of its own, which names its device. If nobody
/// shares the run and the memory holds all, it is called once, with the whole problem. The result
/// has the same bits for any division. Of ranks the first one has it; sums have all. All are
/// collective, and throw what the solver throws.
namespace seedwave::linear {

[[nodiscard]] Volume opening_in_parts(const LinearOpeningProblem& problem,
                                      const LinearOpeningSolver& solver, Context& context);
[[nodiscard]] OrientationMap orientation_in_parts(const LineFanProblem& problem,
                                                  const OrientationSolver& solver,
                                                  Context& context);
[[nodiscard]] std::vector<double> angular_spectrum_in_parts(const LineFanProblem& problem,
                                                            const AngularSpectrumSolver& solver,
                                                            Context& context);

}  // namespace seedwave::linear
