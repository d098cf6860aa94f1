// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "research/bench/inputs.h"
#include "research/bench/timing.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/goal_rows.h"
#include "research/gpu_check/goals.h"
#include "research/gpu_check/measured.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
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

/// Adds the wall clock of an operation on the device and on the CPU, after comparing the results.
void add_whole_runs(const Operation& operation, const CheckCase& c, const GoalOptions& options,
                    Report& report) {
  std::optional<Outcome> expected;
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.exactness != Exactness::Exact) continue;
    const bool on_cpu = implementation.backend == Backend::Cpu;
    const Where where{options.device, std::make_shared<ScratchCache>()};
    std::vector<double> wall;
    for (int k = 0; k <= options.repeats; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      Outcome outcome = run(operation, implementation, c, where);
      if (k > 0) wall.push_back(outcome.wall_ms);
      if (k > 0) continue;
      if (!expected) {
        expected = std::move(outcome);
      } else if (const auto text = difference(*expected, outcome)) {
        report.failures.push_back(operation.id + ", " + c.name + ": " + *text);
      }
    }
    report.rows.push_back(
        row_of(operation.id + " on " + (on_cpu ? "the CPU" : "the device") + ", by wall clock",
               c.name, times_of(wall), {}, {}));
  }
}

}  // namespace

Report segment_rows(const OperationTable& table, const GoalOptions& options) {
  Report report;
  Context making;
  const Operation& segment = table.at("segment");
  const Operation& irfc = table.at("irfc");
  const Index3 size = is_quick(options) ? Index3{128, 128, 32} : Index3{512, 512, 192};
  for (const bench::TimedCase& timed : bench::cases_of(segment, size, making)) {
    if (timed.further_seeds.empty()) {
      const CheckCase c{.name = timed.name,
                        .inputs = timed.request.inputs,
                        .values = timed.request.values,
                        .operation = {}};
      add_whole_runs(segment, c, options, report);
      continue;
    }
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
  CheckCase tissue{.name = "tissue of the head", .inputs = {}, .values = {}, .operation = {}};
  tissue.inputs.image = bench::head(size, making);
  tissue.inputs.labels = labels_from(bench::head_tissue(size, making), "the tissue", [] {});
  add_whole_runs(table.at("refine-border"), tissue, options, report);
  tissue.inputs.image = bench::head_tissue(size, making);
  add_whole_runs(table.at("clean-labels"), tissue, options, report);
  tissue.name += ", outlines stay";
  tissue.values.set("outline_smooth", 0.0);
  add_whole_runs(table.at("clean-labels"), tissue, options, report);
  return report;
}

}  // namespace seedwave::gpu_check
