// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/parallel/context.h"

#include <functional>
#include <utility>

namespace seedwave {

/// Returns the solver, on the CPU inside the stage `propagate`. On a device a solver times its own
/// stages by the device's clock.
template <typename Problem, typename Answer>
[[nodiscard]] std::function<Answer(const Problem&, Context&)> timed_solver(
    Backend backend, std::function<Answer(const Problem&, Context&)> solver) {
  if (backend != Backend::Cpu) return solver;
  return [solver = std::move(solver)](const Problem& problem, Context& context) {
    const auto stage = context.stage("propagate");
    return solver(problem, context);
  };
}

}  // namespace seedwave
