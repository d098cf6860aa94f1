// SPDX-License-Identifier: Apache-2.0
#include "gpu/texture/tpcf.h"
#include "research/bench/texture_inputs.h"
#include "research/gpu_check/device_context.h"
#include "research/gpu_check/goal_rows.h"
#include "research/gpu_check/goals.h"
#include "tests/support/random_tpcf.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

constexpr int kCorrelationsTogether = 10;

double ms_of(gpu::TpcfOnDevice algorithm, const TpcfProblem& problem, int runs,
             const GoalOptions& options) {
  Context context(settings_of_device(options.device));
  gpu::repeat_tpcf(algorithm, problem, runs, context);
  return stage_ms(context, "features") / runs;
}

/// Returns the times of the paper's algorithms in this build.
std::vector<PaperTime> papers_times(const TpcfProblem& problem, const GoalOptions& options) {
  std::vector<PaperTime> times;
  for (const gpu::TpcfOnDevice algorithm : gpu::tpcf_algorithms()) {
    if (algorithm == gpu::TpcfOnDevice::Box) continue;
    static_cast<void>(ms_of(algorithm, problem, 1, options));  // warm-up
    times.push_back({gpu::name_of(algorithm), ms_of(algorithm, problem, 1, options)});
  }
  return times;
}

struct CorrelationGoal {
  std::int64_t window;
  std::int64_t directions;
  std::int64_t phases;
  std::optional<double> goal;  // ms
};

void add_row(const CorrelationGoal& c, std::int64_t side, const GoalOptions& options,
             Report& report) {
  Context making;
  TpcfProblem problem{.phases = bench::tissue_phases({side, side, 1}, c.phases, making),
                      .count = c.phases,
                      .window = c.window,
                      .directions = c.directions};
  const std::string input = std::to_string(side) + "x" + std::to_string(side) + ", window " +
                            std::to_string(c.window) + ", " + std::to_string(c.directions) +
                            " directions, " + std::to_string(c.phases) + " phases";
  {
    Context on_cpu;
    Context on_device(settings_of_device(options.device));
    if (!(test::all_features(gpu::tpcf_solver(gpu::TpcfOnDevice::Box), problem, on_device) ==
          test::all_features(tpcf, problem, on_cpu))) {
      report.failures.push_back(input + ": other features than the CPU's");
    }
  }
  std::vector<double> times;
  for (int k = 0; k <= options.repeats; ++k) {
    const double ms = ms_of(gpu::TpcfOnDevice::Box, problem, kCorrelationsTogether, options);
    if (k > 0) times.push_back(ms);
  }
  report.rows.push_back(row_of("two-point correlations", input, times_of(times), c.goal,
                               papers_times(problem, options)));
}

}  // namespace

Report texture_rows(const OperationTable& /*table*/, const GoalOptions& options) {
  const std::int64_t side = is_quick(options) ? 256 : 1024;
  Report report;
  for (const CorrelationGoal& c : {CorrelationGoal{32, 8, 4, 0.6}, CorrelationGoal{32, 8, 2, {}},
                                   CorrelationGoal{32, 8, 8, {}}, CorrelationGoal{64, 16, 4, 4.0},
                                   CorrelationGoal{128, 16, 4, 6.0}})
    add_row(c, side, options, report);
  return report;
}

}  // namespace seedwave::gpu_check
