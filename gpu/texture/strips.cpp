// SPDX-License-Identifier: Apache-2.0
#include "gpu/texture/strips.h"

#include <algorithm>
#include <cstddef>

namespace seedwave::gpu {
int window_rows(const TpcfProblem& problem) {
  return static_cast<int>(problem.phases.geometry().size[1] - problem.window + 1);
}

void walk_strips(StripSolver& solver, const TpcfProblem& problem, int runs, const UseStrip& use,
                 Context& context, DeviceRun& run) {
  const int all = window_rows(problem);
  for (int first = 0; first < all; first += solver.rows()) {
    context.checkpoint(static_cast<double>(first) / all);
    const int rows = std::min(solver.rows(), all - first);
    run.clock.begin("upload");
    solver.upload(first, rows);
    run.clock.begin("features");
    for (int k = 0; k < runs; ++k)
      solver.compute(rows);
    use(first, solver.strip(rows));
  }
}

int rows_within(std::int64_t memory, std::int64_t most, const TpcfProblem& problem,
                const std::function<std::int64_t(std::int64_t rows)>& bytes) {
  std::int64_t rows = std::clamp(most, std::int64_t{1}, std::int64_t{window_rows(problem)});
  if (problem.strip_rows > 0) rows = std::min(rows, problem.strip_rows);
  while (rows > 1 && bytes(rows) > memory)
    rows = (rows + 1) / 2;
  return static_cast<int>(rows);
}

StripLabels::StripLabels(const TpcfProblem& problem, int window_rows, const Stream& stream)
    : problem_(problem), stream_(stream), labels_(count(problem, window_rows), stream) {}

void StripLabels::upload(int first_row, int window_rows) {
  const auto labels = problem_.phases.labels().as<std::uint16_t>();
  const std::int64_t first = first_row * problem_.phases.geometry().size[0];
  CUDA_CHECK(cudaMemcpyAsync(
      labels_.data(), labels.data() + first,
      static_cast<std::size_t>(count(problem_, window_rows)) * sizeof(std::uint16_t),
      cudaMemcpyHostToDevice, stream_.get()));
}

}  // namespace seedwave::gpu
