// SPDX-License-Identifier: Apache-2.0
#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"
#include "gpu/device/memory.h"
#include "gpu/texture/nearest_class.h"
#include "gpu/texture/tpcf.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/device_context.h"
#include "tests/support/random_tpcf.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Returns a random problem. Most are as small as in core's tests. Some are wide, so that there are
/// several adjacent blocks of windows, or have windows up to the largest.
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

/// Returns classes in a space of a few dimensions; occasionally two are equal.
FeatureClasses random_classes(test::RandomNumbers& random, std::int64_t planes) {
  const std::int64_t dimensions = 1 + random.below(12);
  const auto number = [&] { return static_cast<double>(random.below(2001) - 1000) / 700.0; };
  FeatureClasses classes{.axes = Points::zeros(dimensions, planes),
                         .centres = Points::zeros(1 + random.below(20), dimensions)};
  for (std::int64_t plane = 0; plane < planes; ++plane)
    classes.origin.push_back(number());
  std::ranges::generate(classes.axes.values, number);
  std::ranges::generate(classes.centres.values, number);
  if (random.below(3) == 0)
    std::ranges::copy(classes.centres.row(0),
                      classes.centres.row(classes.centres.count() - 1).begin());
  return classes;
}

bool same_classes(const TpcfProblem& problem, std::uint64_t number, Context& on_cpu,
                  Context& on_device) {
  test::RandomNumbers random(number + 77);
  const FeatureClasses classes = random_classes(random, plane_count(problem));
  const NearestClasses expected = nearest_class(problem, classes, on_cpu);
  gpu::poison_pool(on_device.device(), kPoisonBytes);
  const NearestClasses got = gpu::nearest_class(problem, classes, on_device);
  return got.columns == expected.columns && got.rows == expected.rows &&
         got.classes == expected.classes &&
         std::ranges::equal(std::as_bytes(std::span(got.distances)),
                            std::as_bytes(std::span(expected.distances)));
}

bool same_sample(const TpcfProblem& problem, std::uint64_t number, Context& on_cpu,
                 Context& on_device) {
  test::RandomNumbers random(number + 99);
  const Index3& size = problem.phases.geometry().size;
  std::vector<WindowPlace> places;
  for (std::int64_t count = random.below(60); count > 0; --count)
    places.push_back(
        {random.below(size[0] - problem.window + 1), random.below(size[1] - problem.window + 1)});
  gpu::poison_pool(on_device.device(), kPoisonBytes);
  return gpu::sample_features(problem, places, on_device).values ==
         sample_features(problem, places, on_cpu).values;
}

/// Counts the cases that differ, and names the first of them.
class Failures {
 public:
  Failures(const TpcfProblem& problem, std::uint64_t number, Report& report)
      : name_(name_of(problem, number)), report_(report) {}
  void count(bool is_same, std::int64_t& different) {
    if (is_same) return;
    ++different;
    if (!is_named_ && report_.failures.size() < kMostFailures) report_.failures.push_back(name_);
    is_named_ = true;
  }

 private:
  std::string name_;
  Report& report_;
  bool is_named_ = false;
};

/// Checks features with memory for the whole and with the minimum memory, twice each.
void check_features(gpu::TpcfOnDevice algorithm, const TextureOptions& options, Report& report) {
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
      const TpcfSolver solver = gpu::tpcf_solver(algorithm);
      return test::all_features(solver, problem, context) == expected &&
             test::all_features(solver, problem, context) == expected;
    };
    Context::Settings settings = settings_of_device(options.device);
    settings.memory =
        gpu::least_tpcf_bytes(algorithm, problem.phases.geometry(), problem.window, problem.count);
    Context small(settings);
    Failures failures(problem, number, report);
    failures.count(same(on_device), different);
    failures.count(same(small), different_in_strips);
  }
  report.rows.push_back({{"algorithm", gpu::name_of(algorithm)},
                         {"cases", options.random_cases},
                         {"different", different},
                         {"in little memory", different_in_strips}});
}

/// Checks the uses of features on the device.
void check_uses(const TextureOptions& options, Report& report) {
  std::int64_t different_classes = 0;
  std::int64_t different_samples = 0;
  Context on_cpu;
  Context on_device(settings_of_device(options.device));
  for (int k = 0; k < options.random_cases; ++k) {
    const std::uint64_t number = options.first_case + static_cast<std::uint64_t>(k);
    const TpcfProblem problem = problem_number(number);
    Failures failures(problem, number, report);
    failures.count(same_classes(problem, number, on_cpu, on_device), different_classes);
    failures.count(same_sample(problem, number, on_cpu, on_device), different_samples);
  }
  report.rows.push_back({{"algorithm", "nearest classes, samples"},
                         {"cases", options.random_cases},
                         {"classes", different_classes},
                         {"samples", different_samples}});
}

}  // namespace

Report check_textures(const TextureOptions& options) {
  Report report;
  for (const gpu::TpcfOnDevice algorithm : gpu::tpcf_algorithms())
    check_features(algorithm, options, report);
  check_uses(options, report);
  return report;
}

}  // namespace seedwave::gpu_check
