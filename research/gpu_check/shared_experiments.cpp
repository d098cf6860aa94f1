// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/base/median.h"
#include "core/ops/worker_list.h"
#include "core/parallel/parallel_for.h"
#include "research/bench/tissue.h"
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/measured.h"
#include "research/gpu_check/tissue_scene.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using nlohmann::ordered_json;

/// Largest side that is made by formula. Larger images repeat one of this side.
constexpr std::int64_t kMade = 16384;

/// Workers of a run; none: the device of that number, or all CPU threads, alone. What a device
/// holds it solves alone, unless the run is divided in any case.
struct BackendCrew {
  std::string name;
  Backend backend = Backend::Cuda;
  int device = 0;
  std::vector<Worker> workers;
  bool is_divided = false;
};

/// Returns the crews, and those of several workers once more, divided.
std::vector<BackendCrew> with_divided(std::vector<BackendCrew> crews) {
  const std::vector<BackendCrew> given = crews;
  for (BackendCrew crew : given) {
    if (crew.workers.empty()) continue;
    crew.name += ", divided";
    crew.is_divided = true;
    crews.push_back(std::move(crew));
  }
  return crews;
}

std::vector<BackendCrew> backend_crews(const OperationTable& table) {
  const int first = table.devices().front().number;
  const auto named = [](const DeviceInfo& device) {
    return "cuda:" + std::to_string(device.number);
  };
  const auto workers = [&](const std::string& list) {
    return workers_of(list, table, Context().threads());
  };
  const std::string one = named(table.devices().front());
  std::vector<BackendCrew> crews{{"cpu", Backend::Cpu, first, {}},
                                 {"cuda", Backend::Cuda, first, {}},
                                 {"cuda, cpu", Backend::Cuda, first, workers(one + ",cpu")}};
  if (table.devices().size() > 1) {
    const std::string two = one + "," + named(table.devices()[1]);
    crews.push_back({"two cuda", Backend::Cuda, first, workers(two)});
    crews.push_back({"two cuda, cpu", Backend::Cuda, first, workers(two + ",cpu")});
  }
  return with_divided(crews);
}

/// Returns copies of a square image of bytes side by side, cut to `side` pixels.
Volume repeated(const Volume& tile, std::int64_t side) {
  const std::int64_t made = tile.geometry().size[0];
  if (side == made) return tile;
  const auto from = tile.voxels<std::uint8_t>();
  auto all = large_array<std::uint8_t>(static_cast<std::size_t>(side * side));
  Context context;
  parallel_for(context, side, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      for (std::int64_t x = 0; x < side; x += made)
        std::copy_n(from.begin() + y % made * made, std::min(made, side - x),
                    all.get() + y * side + x);
    }
  });
  return {Geometry{.size = {side, side, 1}}, std::move(all)};
}

CheckCase distances_of(std::int64_t side) {
  const std::int64_t made = std::min(side, kMade);
  Context context;
  CheckCase c;
  c.name = std::to_string(side);
  c.values.set("units", "voxel");
  c.inputs.image = repeated(bench::nuclei_in_tissue({made, made, 1}, context), side);
  return c;
}

CheckCase reconstruction_of(std::int64_t side) {
  CheckCase c = TissueScene::make(std::min(side, kMade), 1.0).reconstruction("8");
  c.inputs.image = repeated(c.inputs.image, side);
  c.inputs.marker = repeated(c.inputs.marker, side);
  return c;
}

double median_stage(const std::vector<Outcome>& runs, const std::string& stage) {
  std::vector<double> all;
  for (const Outcome& outcome : runs) {
    double sum = 0.0;
    for (const StageTime& time : outcome.stages)
      sum += time.stage == stage ? time.ms : 0.0;
    all.push_back(sum);
  }
  return rounded_ms(median(all));
}

/// Adds a row for each crew: times from host memory to host memory, those of the devices' stages
/// added up over all, and what each worker did in the last run.
void add_rows(const OperationTable& table, const ExperimentOptions& options,
              const std::string& operation_id, const std::string& algorithm, const CheckCase& c,
              Report& report) {
  const Operation& operation = table.at(operation_id);
  std::string expected;
  for (const BackendCrew& crew : backend_crews(table)) {
    const Implementation& implementation = implementation_of(operation, algorithm, crew.backend);
    if (implementation.why_not &&
        !implementation.why_not(c.inputs, values_for(operation, c)).empty())
      continue;
    constexpr std::int64_t kSlabsAWorker = 8;
    const std::int64_t layers = crew.is_divided ? c.inputs.image.geometry().size[1] /
                                                      (kSlabsAWorker * std::ssize(crew.workers))
                                                : 0;
    const Where where{.device = crew.device,
                      .cache = std::make_shared<ScratchCache>(),
                      .layers = layers,
                      .workers = crew.workers};
    // The first run warms up, and is compared.
    const std::string digest = digest_of(run(operation, implementation, c, where));
    if (expected.empty()) expected = digest;
    if (digest != expected)
      report.failures.push_back(operation_id + ", " + c.name + ", " + crew.name + ": " + digest +
                                " instead of " + expected);
    std::vector<Outcome> runs;
    std::vector<double> walls;
    for (int i = 0; i < options.repeats; ++i) {
      runs.push_back(run(operation, implementation, c, where));
      runs.back().result = {};
      walls.push_back(runs.back().wall_ms);
    }
    const auto [least, most] = std::ranges::minmax(walls);
    std::string shares;
    for (const WorkDone& done : runs.back().work)
      shares += (shares.empty() ? "" : " ") + std::to_string(done.cells / 1'000'000);
    const char* const computation = operation_id == "distance" ? "distance" : "propagate";
    report.rows.push_back({{"operation", operation_id},
                           {"size", c.inputs.image.geometry().size[0]},
                           {"workers", crew.name},
                           {"min_ms", rounded_ms(least)},
                           {"median_ms", rounded_ms(median(walls))},
                           {"max_ms", rounded_ms(most)},
                           {"computation_ms", median_stage(runs, computation)},
                           {"upload_ms", median_stage(runs, "upload")},
                           {"download_ms", median_stage(runs, "download")},
                           {"mpixel_by_worker", shares},
                           {"digest", digest}});
  }
}

/// From host memory to host memory, by CPU threads, one device, and all together.
std::vector<Experiment> by_workers(const OperationTable& table, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Teodoro et al. 2013, section 5.3 and Figure 15 (b): devices and CPU threads together, and "
      "computation, upload and download apart; ms from host memory to host memory; those of the "
      "devices' stages are sums over workers; distances inside nuclei, reconstruction with 8 "
      "neighbours";
  const std::vector<std::int64_t> sides =
      is_quick(options) ? std::vector<std::int64_t>{512, 1024}
                        : std::vector<std::int64_t>{4096, 16384, 32768, 65536, 98304};
  for (const std::int64_t side : sides) {
    if (side > options.largest) continue;
    add_rows(table, options, "distance", "min-plus", distances_of(side), experiment.report);
    add_rows(table, options, "reconstruct", "tiles", reconstruction_of(side), experiment.report);
  }
  return {std::move(experiment)};
}

}  // namespace

std::vector<NamedExperiment> shared_experiments() {
  return {{"together", by_workers}};
}

}  // namespace seedwave::gpu_check
