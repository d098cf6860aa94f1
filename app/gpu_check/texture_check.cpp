// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/texture_check.h"

#include "app/gpu_check/device_context.h"
#include "gpu/device/memory.h"
#include "gpu/texture/tpcf.h"
#include "tests/support/random_tpcf.h"

#include <cstddef>
#include <sstream>
#include <string>

namespace seedwave::gpu_check {
namespace {

constexpr std::size_t kMostFailures = 10;
constexpr std::int64_t kPoisonBytes = 16 << 20;

/// Mostly as small as core's tests have them, now and then wide, so that several blocks of windows
/// lie side by side, or with windows up to the largest.
TpcfProblem problem_number(std::uint64_t number) {
  test::RandomNumbers random(number);
  const std::int64_t kind = random.below(8);
  TpcfProblem problem = test::random_tpcf(random, kind == 0 ? kLargestWindow : 40);
  if (kind == 1 || kind == 2) {
    const std::int64_t columns = problem.window + 100 + random.below(400);
    const std::int64_t rows = problem.window + random.below(150);
    problem.phases = test::random_phases(random, columns, rows, problem.count);
    problem.strip_rows = random.below(3) * 40;
  }
  return problem;
}

std::string name_of(const TpcfProblem& problem, std::uint64_t number) {
  std::ostringstream name;
  name << number << ": " << describe(problem.phases.geometry()) << ", window " << problem.window
       << ", " << problem.directions << " directions, " << problem.count << " phases, strips of "
       << problem.strip_rows;
  return name.str();
}

}  // namespace

Report check_textures(const TextureOptions& options) {
  Report report;
  std::int64_t different = 0;
  std::int64_t different_in_strips = 0;
  Context on_cpu;
  Context on_device(settings_of_device(options.device));
  for (int k = 0; k < options.random_cases; ++k) {
    const std::uint64_t number = options.first_case + static_cast<std::uint64_t>(k);
    const TpcfProblem problem = problem_number(number);
    const test::Features expected = test::all_features(tpcf, problem, on_cpu);
    const auto same = [&](Context& context) {
      gpu::poison_pool(options.device, kPoisonBytes);
      return test::all_features(gpu::tpcf_by_box, problem, context) == expected &&
             test::all_features(gpu::tpcf_by_box, problem, context) == expected;
    };
    Context::Settings settings = settings_of_device(options.device);
    settings.memory =
        gpu::least_tpcf_bytes(problem.phases.geometry(), problem.window, problem.count);
    Context small(settings);
    const bool whole = same(on_device);
    const bool strips = same(small);
    different += whole ? 0 : 1;
    different_in_strips += strips ? 0 : 1;
    if ((!whole || !strips) && report.failures.size() < kMostFailures)
      report.failures.push_back(name_of(problem, number));
  }
  report.rows.push_back({{"algorithm", "box"},
                         {"cases", options.random_cases},
                         {"different", different},
                         {"in little memory", different_in_strips}});
  return report;
}

}  // namespace seedwave::gpu_check
