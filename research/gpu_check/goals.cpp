// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/goals.h"

#include "research/bench/inputs.h"
#include "research/bench/timing.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/goal_rows.h"
#include "research/gpu_check/head_case.h"
#include "research/gpu_check/measured.h"
#include "research/gpu_check/serpentine_case.h"
#include "research/gpu_check/tissue_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using nlohmann::ordered_json;

/// Times an operation's implementations on one case, after comparing each with the CPU's result.
class Bench {
 public:
  Bench(const OperationTable& table, const GoalOptions& options, const CheckCase& c,
        const char* operation, const char* on_cpu, Report& report)
      : operation_(table.at(operation)),
        options_(options),
        case_(c),
        report_(report),
        expected_(run(operation_, implementation_of(operation_, on_cpu, Backend::Cpu), c, {})) {}

  [[nodiscard]] const Outcome& expected() const { return expected_; }

  /// `compare`: describes how a result is wrong, given the CPU's; nothing if it is correct.
  using Compare = std::optional<std::string> (*)(const Outcome&, const Outcome&);
  [[nodiscard]] Times time(const char* algorithm, Compare compare = difference) const {
    const Measured got =
        measured(operation_, implementation_of(operation_, algorithm, Backend::Cuda), case_,
                 {.device = options_.device}, options_.repeats);
    if (const auto text = compare(expected_, got.first)) {
      report_.failures.push_back(case_.name + ": " + algorithm + ": " + *text);
    }
    return times_of(got.runs);
  }

 private:
  const Operation& operation_;
  const GoalOptions& options_;
  const CheckCase& case_;
  Report& report_;
  Outcome expected_;
};

// Fuzzy connectedness.

/// The paper's relative connectedness gives other labels than the iterative one, but the same
/// strengths.
std::optional<std::string> strengths_differ(const Outcome& expected, const Outcome& got) {
  if (std::ranges::equal(strength_of(expected), strength_of(got))) return std::nullopt;
  return "strengths differ";
}

/// Times strokes added to a result on the device, including the update of the iterative labels.
void add_strokes(const OperationTable& table, const GoalOptions& options, const CheckCase& c,
                 double goal, Report& report) {
  const Operation& operation = table.at("irfc");
  const Implementation& tiles = implementation_of(operation, "tiles", Backend::Cuda);
  for (const CheckCase& stroke : added_strokes(c)) {
    const Where where{options.device, std::make_shared<ScratchCache>()};
    const Outcome afresh = run(operation, tiles, stroke, {options.device});
    std::vector<Outcome> runs;
    for (int k = 0; k < options.repeats; ++k) {
      static_cast<void>(run(operation, tiles, c, where));
      runs.push_back(run(operation, tiles, stroke, where));
      if (k == 0) {
        if (const auto text = difference(afresh, runs.back())) {
          report.failures.push_back(stroke.name + ": " + *text);
        }
      }
      runs.back().result = {};
    }
    report.rows.push_back(row_of("irfc, seeds added", stroke.name, times_of(runs), goal, {}));
  }
}

struct HeadGoals {
  std::int64_t slices;
  double many_seeds;
  double two_strokes;
  double times_faster;
  std::optional<double> added;
};

Report head_rows(const OperationTable& table, const GoalOptions& options, const HeadGoals& goals) {
  Report report;
  Context making;
  const Volume head = is_quick(options) ? bench::head({128, 128, goals.slices / 6}, making)
                                        : bench::head({512, 512, goals.slices}, making);
  const auto add = [&](const char* seeding, const SeedVoxels& seeds, double goal) {
    const CheckCase c = head_case(head, seeds, seeding);
    const Bench bench(table, options, c, "irfc", "tiles", report);
    const Times tiles = bench.time("tiles");
    const Operation& porfc = table.at("porfc");
    const Measured paper = measured(porfc, implementation_of(porfc, "rounds", Backend::Cuda), c,
                                    {.device = options.device}, 2);
    if (const auto text = strengths_differ(bench.expected(), paper.first)) {
      report.failures.push_back(c.name + ": porfc: " + *text);
    }
    report.rows.push_back(row_of("irfc, image to labels", c.name, tiles, goal,
                                 {{"porfc", paper.median_ms()}}, goals.times_faster));
    if (goals.added) add_strokes(table, options, c, *goals.added, report);
  };
  add("many seeds", bench::many_seeds(head), goals.many_seeds);
  add("two strokes", bench::two_strokes(head), goals.two_strokes);
  return report;
}

// 2-D images.

Report reconstruction_rows(const OperationTable& table, const GoalOptions& options,
                           std::int64_t side, double goal_4, double goal_8) {
  Report report;
  if (is_quick(options)) side /= 8;
  const TissueScene scene = TissueScene::make(side, 1.0);
  for (const auto& [neighbours, goal] : {std::pair{"4", goal_4}, {"8", goal_8}}) {
    const CheckCase c = scene.reconstruction(neighbours);
    const Bench bench(table, options, c, "reconstruct", "tiles", report);
    const Times tiles = bench.time("tiles");
    report.rows.push_back(
        row_of("reconstruction, erosion 31x31", c.name, tiles, goal,
               {{"sr-gpu", bench.time("sr-gpu").median}, {"fh-gpu", bench.time("fh-gpu").median}}));
  }
  return report;
}

Report serpentine_rows(const OperationTable& table, const GoalOptions& options) {
  Report report;
  const CheckCase c = serpentine_case(is_quick(options) ? 512 : 4096);
  const Bench bench(table, options, c, "reconstruct", "tiles", report);
  report.rows.push_back(row_of("reconstruction, one path", c.name, bench.time("tiles"), 0.4, {}));
  return report;
}

Report watershed_rows(const OperationTable& table, const GoalOptions& options) {
  Report report;
  Context making;
  const Operation& operation = table.at("watershed");
  const std::int64_t side = is_quick(options) ? 512 : 4096;
  for (const bench::TimedCase& timed : bench::cases_of(operation, {side, side, 1}, making)) {
    const CheckCase c{timed.name, timed.request.inputs, timed.request.values};
    const Bench bench(table, options, c, "watershed", "tiles", report);
    report.rows.push_back(row_of("watershed from markers", c.name, bench.time("tiles"), 5.0, {}));
  }
  return report;
}

// Distances.

/// The paper's distances may be too large, but never too small.
std::optional<std::string> is_too_small(const Outcome& expected, const Outcome& got) {
  if (std::ranges::equal(lengths_of(got), lengths_of(expected), std::ranges::greater_equal{})) {
    return std::nullopt;
  }
  return "a distance is too small";
}

/// Returns the mean over the cells that are not background.
double mean_distance(const Outcome& outcome) {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const float length : lengths_of(outcome)) {
    if (length == 0.0F) continue;
    sum += static_cast<double>(length);
    ++count;
  }
  return sum / static_cast<double>(std::max<std::int64_t>(1, count));
}

void add_distance(const OperationTable& table, const GoalOptions& options, const std::string& name,
                  const Volume& objects, double goal, bool with_paper, Report& report) {
  CheckCase c;
  c.operation = "distance";
  c.inputs.image = objects;
  c.values.set("units", "voxel");
  c.name = name + " " + bench::text_of_size(objects.geometry().size);
  const Bench bench(table, options, c, "distance", "min-plus", report);
  std::ostringstream mean;
  mean.precision(3);
  mean << ", mean distance " << mean_distance(bench.expected());
  c.name += mean.str();
  std::vector<PaperTime> papers;
  if (with_paper) papers.push_back({"iwpp-edt", bench.time("iwpp-edt", is_too_small).median});
  report.rows.push_back(row_of("distance", c.name, bench.time("min-plus"), goal, papers));
}

Volume all_but_one(const Index3& size) {
  const Geometry grid{.size = size};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()), 1);
  voxels[voxels.size() / 5] = 0;
  return Volume(grid, std::move(voxels));
}

/// The paper's algorithm is for 2-D images, and takes minutes if there is only one background
/// pixel.
Report distance_rows(const OperationTable& table, const GoalOptions& options) {
  Report report;
  Context making;
  const std::int64_t picture = is_quick(options) ? 512 : 4096;
  const std::int64_t volume = is_quick(options) ? 64 : 512;
  for (const double period : {38.0, 112.0, 300.0}) {
    add_distance(table, options, "blobs", bench::blobs({picture, picture, 1}, period, making), 0.3,
                 true, report);
  }
  add_distance(table, options, "one cell", all_but_one({picture, picture, 1}), 1.1, false, report);
  for (const double period : {25.0, 80.0}) {
    add_distance(table, options, "blobs", bench::blobs({volume, volume, volume}, period, making),
                 2.0, false, report);
  }
  add_distance(table, options, "one cell", all_but_one({volume, volume, volume}), 3.0, false,
               report);
  return report;
}

}  // namespace

std::vector<GoalGroup> goal_groups() {
  const auto head = [](const HeadGoals& goals) {
    return [goals](const OperationTable& table, const GoalOptions& options) {
      return head_rows(table, options, goals);
    };
  };
  const auto reconstruction = [](std::int64_t side, double goal_4, double goal_8) {
    return [=](const OperationTable& table, const GoalOptions& options) {
      return reconstruction_rows(table, options, side, goal_4, goal_8);
    };
  };
  return {{"fuzzy-192", head({192, 6.0, 7.0, 50.0, std::nullopt})},
          {"fuzzy-576", head({576, 17.0, 19.0, 100.0, 5.0})},
          {"reconstruction-4096", reconstruction(4096, 0.35, 0.45)},
          {"reconstruction-16384", reconstruction(16384, 4.0, 5.0)},
          {"serpentine", serpentine_rows},
          {"distance", distance_rows},
          {"watershed", watershed_rows},
          {"openings", line_rows},
          {"textures", texture_rows},
          {"segment", segment_rows}};
}

}  // namespace seedwave::gpu_check
