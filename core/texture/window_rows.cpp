// SPDX-License-Identifier: Apache-2.0
#include "core/texture/window_rows.h"

#include "core/image/crop.h"

namespace seedwave {

std::int64_t row_count(const TpcfProblem& problem) {
  return problem.phases.geometry().size[1] - problem.window + 1;
}

TpcfProblem rows_of(const TpcfProblem& problem, const LayerRange& rows) {
  Box box = Box::whole(problem.phases.geometry());
  box.lo[1] = rows.begin;
  box.hi[1] = rows.end + problem.window - 1;
  TpcfProblem part = problem;
  part.phases = crop(problem.phases, box);
  return part;
}

}  // namespace seedwave
