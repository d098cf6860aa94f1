// SPDX-License-Identifier: Apache-2.0
#include "core/texture/tpcf.h"

#include "core/base/error.h"
#include "core/texture/first_windows.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {
namespace {

void check_numbers(const TpcfProblem& problem) {
  if (problem.count < 1 || problem.count > kMostPhases)
    throw UsageError("phases are 1 to " + std::to_string(kMostPhases) + ", not " +
                     std::to_string(problem.count));
  if (problem.window < 1 || problem.window > kLargestWindow)
    throw UsageError("a window is 1 to " + std::to_string(kLargestWindow) + " pixels wide, not " +
                     std::to_string(problem.window));
  if (problem.directions < 1 || problem.directions > kMostLagDirections)
    throw UsageError("directions are 1 to " + std::to_string(kMostLagDirections) + ", not " +
                     std::to_string(problem.directions));
  const Geometry& geometry = problem.phases.geometry();
  const auto& [nx, ny, nz] = geometry.size;
  if (nz != 1) throw InputError("two-point correlations need a 2-D image, not a volume");
  if (nx < problem.window || ny < problem.window)
    throw InputError("the image has " + std::to_string(nx) + " x " + std::to_string(ny) +
                     " pixels, too few for a window of " + std::to_string(problem.window) + " x " +
                     std::to_string(problem.window) + ": choose a smaller window");
}

void check_phases(const TpcfProblem& problem, std::span<const std::uint16_t> row) {
  const std::uint16_t most = *std::max_element(row.begin(), row.end());
  if (most > problem.count)
    throw InputError("the image has a pixel of phase " + std::to_string(most) + ", but there are " +
                     std::to_string(problem.count) + " phases");
}

}  // namespace

std::int64_t plane_count(const TpcfProblem& problem) {
  return problem.count * radius_count(problem.window);
}

void check(const TpcfProblem& problem) {
  check_numbers(problem);
  check_phases(problem, problem.phases.labels().as<std::uint16_t>());
}

std::vector<float> features_at(const TpcfProblem& problem, std::int64_t x, std::int64_t y) {
  check_numbers(problem);
  const std::int64_t window = problem.window;
  const Index3& size = problem.phases.geometry().size;
  if (x < 0 || y < 0 || x + window > size[0] || y + window > size[1])
    throw UsageError("no window fits entirely in the image at " + std::to_string(x) + ", " +
                     std::to_string(y));
  for (std::int64_t row = y; row < y + window; ++row)
    check_phases(problem,
                 problem.phases.labels().as<std::uint16_t>().subspan(x + row * size[0], window));
  return texture::features_of_window(problem, lag_table(window, problem.directions), x, y);
}

}  // namespace seedwave
