// SPDX-License-Identifier: Apache-2.0
#include "research/bench/timing.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/goal_rows.h"
#include "research/gpu_check/goals.h"
#include "research/gpu_check/measured.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Steps of a user: the first strokes, and each further one. All times but the first are of runs
/// that find the data of the step before.
struct Painting {
  std::vector<CheckCase> steps;

  Painting(const RunRequest& request, const std::vector<SeedVoxels>& further,
           const std::string& name) {
    CheckCase c{.name = name, .inputs = request.inputs, .values = request.values, .operation = {}};
    steps.push_back(c);
    for (const SeedVoxels& seeds : further) {
      c.inputs.seeds = seeds;
      steps.push_back(c);
    }
  }
};

/// Times of the further strokes of a painting.
struct StrokeTimes {
  std::vector<double> wall;
  std::vector<Outcome> outcomes;  // without their results, for their stages
  std::vector<std::string> digests;
};

/// Paints once to warm up, and then `repeats` times. Stops after a second on the CPU.
StrokeTimes times_of_painting(const Operation& operation, const Implementation& implementation,
                              const Painting& painting, const Where& where, int repeats) {
  StrokeTimes times;
  for (int round = 0; round <= repeats; ++round) {
    for (std::size_t step = 0; step < painting.steps.size(); ++step) {
      // About the pause between two painted strokes.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      Outcome outcome = run(operation, implementation, painting.steps[step], where);
      if (round == 0) times.digests.push_back(digest_of(outcome));
      outcome.result = {};
      if (step == 0 || (round == 0 && repeats > 0)) continue;
      times.wall.push_back(outcome.wall_ms);
      times.outcomes.push_back(std::move(outcome));
    }
  }
  return times;
}

/// Adds a row for each stage, with its median.
void add_stages(const std::string& job, const std::string& input, const StrokeTimes& times,
                Report& report) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> of_stage;
  for (const Outcome& outcome : times.outcomes) {
    for (const StageTime& stage : outcome.stages) {
      if (!of_stage.contains(stage.stage)) names.push_back(stage.stage);
      of_stage[stage.stage].push_back(stage.ms);
    }
  }
  for (const std::string& name : names)
    report.rows.push_back(row_of(job + ", " + name, input, times_of(of_stage[name]), {}, {}));
}

}  // namespace

Report segment_rows(const OperationTable& table, const GoalOptions& options) {
  Report report;
  Context making;
  const Operation& segment = table.at("segment");
  const Operation& irfc = table.at("irfc");
  const Index3 size = is_quick(options) ? Index3{128, 128, 32} : Index3{512, 512, 192};
  for (const bench::TimedCase& timed : bench::cases_of(segment, size, making)) {
    if (timed.further_seeds.empty()) continue;
    const Painting painting(timed.request, timed.further_seeds, timed.name);
    const Painting beside(timed.beside, timed.further_seeds, timed.name);
    const auto where = [&] { return Where{options.device, std::make_shared<ScratchCache>()}; };
    const StrokeTimes on_cpu = times_of_painting(
        segment, implementation_of(segment, "three-steps", Backend::Cpu), painting, where(), 0);
    const StrokeTimes ours =
        times_of_painting(segment, implementation_of(segment, "three-steps", Backend::Cuda),
                          painting, where(), options.repeats);
    const StrokeTimes alone = times_of_painting(
        irfc, implementation_of(irfc, "tiles", Backend::Cuda), beside, where(), options.repeats);
    for (std::size_t step = 0; step < painting.steps.size(); ++step) {
      if (ours.digests[step] == on_cpu.digests[step]) continue;
      report.failures.push_back(timed.name + ", stroke " + std::to_string(step) +
                                ": other bits than on the CPU");
    }
    const Times irfc_alone = times_of(alone.wall);
    constexpr double kMore = 2.0;
    report.rows.push_back(row_of("irfc alone, by wall clock", timed.name, irfc_alone, {}, {}));
    report.rows.push_back(row_of("segment, by wall clock", timed.name, times_of(ours.wall),
                                 irfc_alone.median + kMore, {}));
    report.rows.push_back(
        row_of("segment on the CPU, by wall clock", timed.name, times_of(on_cpu.wall), {}, {}));
    add_stages("irfc", timed.name, alone, report);
    add_stages("segment", timed.name, ours, report);
  }
  return report;
}

}  // namespace seedwave::gpu_check
