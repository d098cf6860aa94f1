// SPDX-License-Identifier: Apache-2.0
#include "gpu/morphology/line_fan.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"
#include "research/gpu_check/goal_rows.h"
#include "research/gpu_check/goals.h"
#include "research/gpu_check/line_bench.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

constexpr int kDirections = 180;
constexpr std::int64_t kLength = 41;
constexpr int kFansTogether = 20;

/// The expected result, by core.
struct ExpectedFan {
  OrientationMap orientation;
  std::vector<double> sums;
};
ExpectedFan expected_of(const LineFanProblem& fan) {
  Context context;
  return {orientation(fan, context), angular_spectrum(fan, context)};
}

/// Times the paper's spectrum, all directions at once.
double paper_ms(const LineFanProblem& fan, const GoalOptions& options) {
  constexpr int kRuns = 3;
  Context context(settings_of_device(options.device));
  static_cast<void>(gpu::angular_spectrum_by_queues(fan, {.runs = kRuns}, context));
  return stage_ms(context, "spectrum") / kRuns;
}

void add_fan(const GoalOptions& options, Report& report) {
  Context making;
  const Index3 size{640, 640, 1};
  LineFanProblem fan{bench::tissue(size, 1.0, making)};
  for (int k = 0; k < kDirections; ++k)
    fan.directions.push_back({LineFamily::at_angle(k * 180.0 / kDirections, size), kLength});
  const ExpectedFan expected = expected_of(fan);
  std::vector<double> strongest;
  std::vector<double> sums;
  for (int k = 0; k <= options.repeats; ++k) {
    Context context(settings_of_device(options.device));
    const OrientationMap found = gpu::orientation_by_tiles(fan, context, kFansTogether);
    const auto same = [](const Volume& a, const Volume& b) {
      return std::ranges::equal(a.bytes(), b.bytes());
    };
    const bool equal =
        gpu::angular_spectrum_by_tiles(fan, context, kFansTogether) == expected.sums &&
        same(found.strongest, expected.orientation.strongest) &&
        same(found.first, expected.orientation.first);
    if (!equal) report.failures.push_back("180 directions: another result than the CPU's");
    if (k == 0) continue;
    strongest.push_back(stage_ms(context, "orientation") / kFansTogether);
    sums.push_back(stage_ms(context, "spectrum") / kFansTogether);
  }
  const std::string input =
      std::to_string(kDirections) + " directions of " + bench::text_of_size(size) + ", length 41";
  const std::vector<PaperTime> papers{{"bartovsky, sums", paper_ms(fan, options)}};
  report.rows.push_back(
      row_of("strongest and direction", input, times_of(strongest), 0.25, papers));
  report.rows.push_back(row_of("sum of each", input, times_of(sums), 0.16, papers));
}

}  // namespace

Report line_rows(const OperationTable& /*table*/, const GoalOptions& options) {
  Report report;
  Context making;
  const bool quick = is_quick(options);
  const Index3 size = quick ? Index3{768, 520, 1} : Index3{7680, 5200, 1};
  const Volume image = bench::tissue(size, 1.0, making);
  for (const std::int64_t length : {11, 41, 101, 1001}) {
    for (const double degrees : {90.0, 60.0, 45.0, 30.0, 0.0}) {
      const LinearOpeningProblem problem{image, LineFamily::at_angle(degrees, size), length};
      const OpeningBench bench(problem, name_of_opening(size, degrees, length),
                               {options.device, options.repeats}, report);
      report.rows.push_back(
          row_of("one opening", bench.name(), bench.tiles(), length <= 101 ? 0.15 : 0.3,
                 {{"bartovsky", bench.queues().median}, {"morard", bench.stacks().median}}));
    }
  }
  add_fan(options, report);
  return report;
}

}  // namespace seedwave::gpu_check
