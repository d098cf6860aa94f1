// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "research/bench/inputs.h"
#include "research/bench/timing.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/head_case.h"
#include "research/gpu_check/measured.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using nlohmann::ordered_json;

struct DataSet {
  const char* name;
  Index3 size;
};

std::vector<DataSet> data_sets(const ExperimentOptions& options) {
  if (options.extent == ExperimentOptions::Extent::Quick) {
    return {{"small", {64, 64, 14}}, {"medium", {64, 64, 31}}};
  }
  return {{"small", {256, 256, 55}},
          {"medium", {256, 256, 124}},
          {"large", {512, 512, 192}},
          {"super", {512, 512, 576}}};
}

/// Returns the Dice coefficient of label 1 (Eq. 4).
double dice(const Outcome& a, const Outcome& b) {
  const auto in_a = labels_of(a);
  const auto in_b = labels_of(b);
  std::int64_t both = 0;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    both += in_a[i] == 1 && in_b[i] == 1 ? 1 : 0;
    sum += (in_a[i] == 1 ? 1 : 0) + (in_b[i] == 1 ? 1 : 0);
  }
  return sum == 0 ? 1.0 : 2.0 * static_cast<double>(both) / static_cast<double>(sum);
}

ordered_json row_of(const OperationTable& table, const DataSet& set,
                    const ExperimentOptions& options, Report& report) {
  Context making;
  const Volume head = bench::head(set.size, making);
  const CheckCase c = head_case(head, bench::many_seeds(head), "many seeds");
  const auto time = [&](const char* operation, const char* algorithm, Backend backend) {
    const Operation& asked = table.at(operation);
    return measured(asked, implementation_of(asked, algorithm, backend), c,
                    {.device = options.device, .threads = 1}, options.repeats);
  };
  // Runs concurrently with the device's runs, which need another thread.
  std::future<Measured> on_cpu =
      std::async(std::launch::async, [&] { return time("irfc", "dijkstra", Backend::Cpu); });
  const Measured tiles = time("irfc", "tiles", Backend::Cuda);
  const auto agree = [&](const char* name, const Measured& other) {
    if (const auto text = difference(tiles.first, other.first)) {
      report.failures.push_back(c.name + ": irfc, " + name + ": " + *text);
    }
    return rounded_ms(other.median_ms());
  };
  const double sweeps = agree("sweeps", time("irfc", "sweeps", Backend::Cuda));
  const Measured porfc = time("porfc", "rounds", Backend::Cuda);
  const Measured rfc = time("rfc", "tiles", Backend::Cuda);
  const Measured prfc = time("rfc", "p-rfc", Backend::Cuda);
  if (const auto text = difference(rfc.first, prfc.first))
    report.failures.push_back(c.name + ": rfc, p-rfc: " + *text);
  const double cpu_tiles = agree("tiles on the CPU", time("irfc", "tiles", Backend::Cpu));
  const double cpu = agree("dijkstra", on_cpu.get());
  if (!std::ranges::equal(strength_of(tiles.first), strength_of(porfc.first))) {
    report.failures.push_back(c.name + ": strengths of porfc differ");
  }
  const double porfc_ms = rounded_ms(porfc.median_ms());
  const double tiles_ms = rounded_ms(tiles.median_ms());
  const double prfc_ms = rounded_ms(prfc.median_ms());
  return {{"data_set", set.name},
          {"scene", bench::text_of_size(set.size)},
          {"input", xxh64_digest(head.bytes())},
          {"cpu_dijkstra", cpu},
          {"cpu_tiles", cpu_tiles},
          {"porfc", porfc_ms},
          {"sweeps", sweeps},
          {"tiles", tiles_ms},
          {"porfc_speedup", cpu / porfc_ms},
          {"tiles_speedup", cpu / tiles_ms},
          {"tiles_to_porfc", porfc_ms / tiles_ms},
          {"p_rfc", prfc_ms},
          {"porfc_to_p_rfc", prfc_ms / porfc_ms},
          {"rfc_tiles", rounded_ms(rfc.median_ms())},
          {"spread_percent", std::max(tiles.spread_percent(), porfc.spread_percent())},
          {"dice_porfc_irfc", dice(tiles.first, porfc.first)}};
}

std::vector<Experiment> tables_one_and_two(const OperationTable& table,
                                           const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Zhuge et al. 2013, Tables I and II: fuzzy connectedness by size of the volume; ms from "
      "image "
      "to labels on the device, CPU with one thread; head() with many seeds, 6 neighbours";
  for (const DataSet& set : data_sets(options))
    experiment.report.rows.push_back(row_of(table, set, options, experiment.report));
  return {std::move(experiment)};
}

}  // namespace

std::vector<NamedExperiment> fuzzy_experiments() {
  return {{"fuzzy", tables_one_and_two}};
}

}  // namespace seedwave::gpu_check
