// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/line_bench.h"

#include "research/bench/timing.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Numbers of consecutive runs in one stage. The host needs about as long for a launch as the
/// device for the shortest run.
constexpr int kOpeningsTogether = 20;
constexpr int kPaperRunsTogether = 2;

}  // namespace

OpeningBench::OpeningBench(const LinearOpeningProblem& problem, std::string name,
                           const Settings& settings, Report& report)
    : problem_(problem), name_(std::move(name)), settings_(settings), report_(report) {
  Context context;
  expected_ = linear_opening(problem, context);
}

Times OpeningBench::time(const char* algorithm, int runs, const LinearOpeningSolver& solver) const {
  std::vector<double> all;
  for (int k = 0; k <= settings_.repeats; ++k) {
    Context context(settings_of_device(settings_.device));
    const Volume got = solver(problem_, context);
    if (k > 0) {
      all.push_back(stage_ms(context, "opening") / runs);
    } else if (!std::ranges::equal(expected_.bytes(), got.bytes())) {
      report_.failures.push_back(name_ + ": " + algorithm + ": another result than the CPU's");
    }
  }
  return times_of(std::move(all));
}

Times OpeningBench::tiles() const {
  return time("tiles", kOpeningsTogether,
              [](const LinearOpeningProblem& problem, Context& context) {
                return gpu::linear_opening_by_tiles(problem, {.runs = kOpeningsTogether}, context);
              });
}

Times OpeningBench::queues(const gpu::LineScanSettings& settings) const {
  gpu::LineScanSettings repeated = settings;
  repeated.runs = kPaperRunsTogether;
  return time("bartovsky", repeated.runs,
              [&](const LinearOpeningProblem& problem, Context& context) {
                return gpu::linear_opening_by_queues(problem, repeated, context);
              });
}

Times OpeningBench::stacks(const gpu::LineScanSettings& settings) const {
  gpu::LineScanSettings repeated = settings;
  repeated.runs = kPaperRunsTogether;
  return time("morard", repeated.runs, [&](const LinearOpeningProblem& problem, Context& context) {
    return gpu::linear_opening_by_stacks(problem, repeated, context);
  });
}

std::string name_of_opening(const Index3& size, double degrees, std::int64_t length) {
  std::ostringstream name;
  name << bench::text_of_size(size) << ", " << degrees << " degrees, length " << length;
  return name.str();
}

}  // namespace seedwave::gpu_check
