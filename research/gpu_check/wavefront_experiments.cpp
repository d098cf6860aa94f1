// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/measured.h"
#include "research/gpu_check/paper_variants.h"
#include "research/gpu_check/tissue_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using gpu::QueueDesign;
using gpu::QueueUse;
using gpu::WaveSettings;
using nlohmann::ordered_json;

std::int64_t side_of_one(const ExperimentOptions& options) {
  return std::min<std::int64_t>(is_quick(options) ? 512 : 4096, options.largest);
}
std::int64_t side_of_largest(const ExperimentOptions& options) {
  return std::min<std::int64_t>(is_quick(options) ? 1024 : 16384, options.largest);
}

std::vector<Experiment> by_size(const OperationTable& table, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Teodoro et al. 2012, Table 1: reconstruction by size of the image and neighbours; ms on the "
      "device without the ways there and back, fh on the CPU with a thread each; tissue(), marker "
      "erosion 31 x 31";
  const std::vector<std::int64_t> sides = is_quick(options)
                                              ? std::vector<std::int64_t>{512, 1024}
                                              : std::vector<std::int64_t>{4096, 8192, 12288, 16384};
  std::vector<ordered_json> with_8;
  for (const std::int64_t side : sides) {
    if (side > options.largest) continue;
    const TissueScene scene = TissueScene::make(side, 1.0);
    const std::array cases{scene.reconstruction("4"), scene.reconstruction("8")};
    std::array on_cpu{begin_fh_on_cpu(table, cases[0]), begin_fh_on_cpu(table, cases[1])};
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const std::string neighbours = cases[k].values.word("connectivity");
      const ReconstructionTimes times =
          time_reconstruction(table, cases[k], options.device, options.repeats,
                              std::move(on_cpu[k]), experiment.report);
      ordered_json row{{"neighbours", neighbours}, {"size", scene.size()}, {"input", scene.digest}};
      add_to(row, times);
      (k == 0 ? experiment.report.rows : with_8).push_back(std::move(row));
    }
  }
  experiment.report.rows.insert(experiment.report.rows.end(), with_8.begin(), with_8.end());
  return {std::move(experiment)};
}

/// Times and queue statistics of fh-gpu with other settings.
struct WaveTimes {
  Measured measured;
  QueueUse queue;
};
WaveTimes time_waves(const OperationTable& table, const WaveSettings& settings, const CheckCase& c,
                     const Outcome& expected, const ExperimentOptions& options, Report& report) {
  auto use = std::make_shared<QueueUse>();
  const Implementation implementation = waves_implementation(
      "fh-gpu", settings, [use](const gpu::WaveRun& run) { *use = run.queue; });
  WaveTimes times{measured(table.at("reconstruct"), implementation, c, {.device = options.device},
                           options.repeats),
                  *use};
  if (const auto text = difference(expected, times.measured.first)) {
    report.failures.push_back(c.name + ": fh-gpu, " + std::to_string(settings.scans) +
                              " rounds of scans: " + *text);
  }
  return times;
}

/// Runs the tile engine, which other experiments compare with the CPU.
Outcome by_tiles(const OperationTable& table, const CheckCase& c,
                 const ExperimentOptions& options) {
  const Operation& operation = table.at("reconstruct");
  return run(operation, implementation_of(operation, "tiles", Backend::Cuda), c,
             {.device = options.device});
}

std::vector<Experiment> by_queue(const OperationTable& table, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Teodoro et al. 2013, Table 1: queue designs of fh-gpu; ms of the waves alone after so many "
      "rounds of the four scans; one thread block a multiprocessor as in the paper, then as many "
      "as "
      "it holds; 4 neighbours";
  const TissueScene scene = TissueScene::make(side_of_one(options), 1.0);
  const CheckCase c = scene.reconstruction("4");
  const Outcome expected = by_tiles(table, c, options);
  constexpr std::array kDesigns{std::pair{QueueDesign::Naive, "naive"},
                                std::pair{QueueDesign::PrefixSum, "prefix_sum"},
                                std::pair{QueueDesign::PerThread, "per_thread"}};
  const std::vector<int> rounds =
      is_quick(options) ? std::vector{1, 3} : std::vector{1, 3, 7, 11, 15, 19};
  for (const int scans : rounds) {
    ordered_json row{{"size", scene.size()}, {"input", scene.digest}, {"rounds", scans}};
    row["initial"] = 0;
    row["total"] = 0;
    double spread = 0.0;
    for (const int blocks : {1, 0}) {
      for (const auto& [design, name] : kDesigns) {
        const WaveTimes times = time_waves(
            table,
            {.scans = scans, .queue = {.design = design, .blocks_per_multiprocessor = blocks}}, c,
            expected, options, experiment.report);
        row["initial"] = times.queue.initial;
        row["total"] = times.queue.total;
        row[std::string(name) + (blocks == 1 ? "_one" : "_many")] =
            rounded_ms(times.measured.median_ms("propagate"));
        row["scans"] = rounded_ms(times.measured.median_ms("scans"));
        spread = std::max(spread, times.measured.spread_percent());
      }
    }
    row["spread_percent"] = spread;
    experiment.report.rows.push_back(std::move(row));
  }
  return {std::move(experiment)};
}

/// Varies the room as a multiple of the initially active cells; 0: room for all.
std::vector<Experiment> by_room(const OperationTable& table, const ExperimentOptions& options) {
  constexpr std::array kShares{0.0, 1.1, 0.9, 0.5, 0.25};
  Experiment experiment;
  experiment.title =
      "Teodoro et al. 2013, section 5.2.4: queues without room for all; ms of scans and waves, all "
      "runs together; room as a multiple of the cells active at first (0: enough), 4 neighbours, "
      "one thread block a multiprocessor";
  const TissueScene scene = TissueScene::make(side_of_one(options), 1.0);
  const CheckCase c = scene.reconstruction("4");
  const Outcome expected = by_tiles(table, c, options);
  for (const int scans : {1, 0}) {
    double enough_ms = 0.0;
    std::int64_t initial = 0;
    for (const double share : kShares) {
      WaveSettings settings{.scans = scans, .queue = {.blocks_per_multiprocessor = 1}};
      settings.queue.room = share == 0.0 ? scene.image.geometry().voxel_count() * 2
                                         : std::llround(share * static_cast<double>(initial));
      const WaveTimes times = time_waves(table, settings, c, expected, options, experiment.report);
      const double ms = times.measured.median_ms();
      if (share == 0.0) {
        enough_ms = ms;
        initial = times.queue.initial;
      }
      experiment.report.rows.push_back({{"size", scene.size()},
                                        {"input", scene.digest},
                                        {"rounds", scans},
                                        {"room", share},
                                        {"initial", initial},
                                        {"total", times.queue.total},
                                        {"dropped", times.queue.dropped},
                                        {"runs", times.queue.runs},
                                        {"ms", rounded_ms(ms)},
                                        {"more_percent", 100.0 * (ms / enough_ms - 1.0)},
                                        {"spread_percent", times.measured.spread_percent()}});
    }
  }
  return {std::move(experiment)};
}

/// Adds reconstruction and distances of one scene as a row of each experiment; ms for `count` such
/// scenes.
void add_rows(const OperationTable& table, const ExperimentOptions& options,
              const TissueScene& scene, const ordered_json& what, double count,
              Experiment& reconstruction, Experiment& distance) {
  const auto row_of = [&](const auto& times) {
    ordered_json row = what;
    row["size"] = scene.size();
    row["input"] = scene.digest;
    add_to(row, times, count);
    return row;
  };
  const CheckCase c = scene.reconstruction("8");
  reconstruction.report.rows.push_back(
      row_of(time_reconstruction(table, c, options.device, options.repeats,
                                 begin_fh_on_cpu(table, c), reconstruction.report)));
  distance.report.rows.push_back(row_of(
      time_distance(table, scene.distance(), options.device, options.repeats, distance.report)));
}

std::vector<Experiment> by_tile(const OperationTable& table, const ExperimentOptions& options) {
  const std::int64_t whole = side_of_largest(options);
  const std::string of = std::to_string(whole) + " x " + std::to_string(whole);
  Experiment reconstruction;
  reconstruction.title =
      "Teodoro et al. 2013, Figure 11: reconstruction by size of the partition, 8 neighbours; ms "
      "of "
      "one partition times their number in " +
      of + ", each for itself: no borders are exchanged";
  Experiment distance;
  distance.title = "Teodoro et al. 2013, Table 2: the same of distances inside nuclei";
  for (std::int64_t side = whole / 16; side <= whole / 2; side *= 2) {
    const std::int64_t count = (whole / side) * (whole / side);
    add_rows(table, options, TissueScene::make(side, 1.0), {{"partitions", count}},
             static_cast<double>(count), reconstruction, distance);
  }
  return {std::move(reconstruction), std::move(distance)};
}

std::vector<Experiment> by_coverage(const OperationTable& table, const ExperimentOptions& options) {
  Experiment reconstruction;
  reconstruction.title =
      "Teodoro et al. 2013, Figure 13: reconstruction by the share of tissue, 8 neighbours; ms";
  Experiment distance;
  distance.title =
      "Teodoro et al. 2013, Figure 14: distances inside nuclei by the share of tissue; ms";
  for (const int percent : {25, 50, 75, 100}) {
    add_rows(table, options, TissueScene::make(side_of_largest(options), percent / 100.0),
             {{"tissue_percent", percent}}, 1.0, reconstruction, distance);
  }
  return {std::move(reconstruction), std::move(distance)};
}

}  // namespace

std::vector<NamedExperiment> wavefront_experiments() {
  return {{"size", by_size},
          {"queue", by_queue},
          {"tile", by_tile},
          {"coverage", by_coverage},
          {"overflow", by_room}};
}

std::vector<NamedExperiment> paper_experiments() {
  std::vector<NamedExperiment> all = wavefront_experiments();
  for (auto more :
       {shared_experiments(), fuzzy_experiments(), line_experiments(), texture_experiments()})
    std::ranges::move(more, std::back_inserter(all));
  return all;
}

}  // namespace seedwave::gpu_check
