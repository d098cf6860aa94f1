// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/texture_check.h"

#include "app/gpu_check/device_context.h"
#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"
#include "gpu/device/memory.h"
#include "gpu/texture/features_on_device.h"
#include "gpu/texture/nearest_class.h"
#include "gpu/texture/tpcf.h"
#include "tests/support/random_tpcf.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

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

/// Some classes in a space of a few dimensions, two of them equal now and then.
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

}  // namespace

Report check_textures(const TextureOptions& options) {
  Report report;
  std::int64_t different = 0;
  std::int64_t different_in_strips = 0;
  std::int64_t different_classes = 0;
  std::int64_t different_samples = 0;
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
    const bool classes = same_classes(problem, number, on_cpu, on_device);
    const bool sample = same_sample(problem, number, on_cpu, on_device);
    different_classes += classes ? 0 : 1;
    different_samples += sample ? 0 : 1;
    if (!(whole && strips && classes && sample) && report.failures.size() < kMostFailures)
      report.failures.push_back(name_of(problem, number));
  }
  report.rows.push_back({{"algorithm", "box"},
                         {"cases", options.random_cases},
                         {"different", different},
                         {"in little memory", different_in_strips},
                         {"classes", different_classes},
                         {"samples", different_samples}});
  return report;
}

}  // namespace seedwave::gpu_check
