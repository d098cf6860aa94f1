// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/experiments.h"
#include "app/gpu_check/line_bench.h"
#include "app/gpu_check/measured.h"
#include "tests/bench/timing.h"
#include "tests/bench/tissue.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using gpu::LineScanForm;
using gpu::LineScanSettings;

bool is_quick(const ExperimentOptions& options) {
  return options.extent == ExperimentOptions::Extent::Quick;
}

Volume square(std::int64_t side) {
  Context making;
  return bench::tissue({side, side, 1}, 1.0, making);
}

/// Both of the paper's algorithms in both forms, and ours.
void add_row(const Volume& image, double degrees, std::int64_t length,
             const ExperimentOptions& options, Report& report) {
  const Index3& size = image.geometry().size;
  const LinearOpeningProblem problem{image, LineFamily::at_angle(degrees, size), length};
  const OpeningBench bench(problem, name_of_opening(size, degrees, length),
                           {options.device, options.repeats}, report);
  const LineScanSettings basic{.form = LineScanForm::Basic};
  const double best_of_paper = bench.queues().median;
  const double ours = bench.tiles().median;
  report.rows.push_back({{"size", bench::text_of_size(size)},
                         {"degrees", degrees},
                         {"length", length},
                         {"morard_basic", rounded_ms(bench.stacks(basic).median)},
                         {"bartovsky_basic", rounded_ms(bench.queues(basic).median)},
                         {"morard", rounded_ms(bench.stacks().median)},
                         {"bartovsky", rounded_ms(best_of_paper)},
                         {"tiles", rounded_ms(ours)},
                         {"times", best_of_paper / ours}});
}

std::vector<Experiment> by_side(const OperationTable& /*table*/, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Karas et al. 2015, Figures 5, 8 and 9: openings by size of the image, lines of 5 % of its "
      "width; ms on the device without the ways there and back; tissue()";
  for (std::int64_t side = 512; side <= (is_quick(options) ? 512 : 8192); side *= 2) {
    if (side > options.largest) continue;
    const Volume image = square(side);
    for (const double degrees : {0.0, 45.0, 90.0})
      add_row(image, degrees, side / 20, options, experiment.report);
  }
  return {std::move(experiment)};
}

std::vector<Experiment> by_length(const OperationTable& /*table*/,
                                  const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title = "Karas et al. 2015, Figure 10: openings by length of the lines; ms";
  const Volume image =
      square(is_quick(options) ? 512 : std::min<std::int64_t>(4096, options.largest));
  for (const std::int64_t length : {11, 41, 101, 251, 501, 1001}) {
    for (const double degrees : {0.0, 45.0, 90.0})
      add_row(image, degrees, length, options, experiment.report);
  }
  return {std::move(experiment)};
}

std::vector<Experiment> by_zones(const OperationTable& /*table*/,
                                 const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Karas et al. 2015, Figure 11: bartovsky by number of zones, 90 degrees, lines of 5 % of the "
      "width; ms; auto: by the paper's rules (section 5.4)";
  for (std::int64_t side = 512; side <= (is_quick(options) ? 512 : 8192); side *= 2) {
    if (side > options.largest) continue;
    const Volume image = square(side);
    const LinearOpeningProblem problem{image, LineFamily::at_angle(90.0, image.geometry().size),
                                       side / 20};
    const OpeningBench bench(problem, name_of_opening(image.geometry().size, 90.0, side / 20),
                             {options.device, options.repeats}, experiment.report);
    experiment.report.rows.push_back({{"size", bench::text_of_size(image.geometry().size)},
                                      {"length", side / 20},
                                      {"zones_1", rounded_ms(bench.queues({.zones = 1}).median)},
                                      {"zones_2", rounded_ms(bench.queues({.zones = 2}).median)},
                                      {"zones_4", rounded_ms(bench.queues({.zones = 4}).median)},
                                      {"zones_8", rounded_ms(bench.queues({.zones = 8}).median)},
                                      {"auto", rounded_ms(bench.queues().median)}});
  }
  return {std::move(experiment)};
}

}  // namespace

std::vector<NamedExperiment> line_experiments() {
  return {{"line-size", by_side}, {"line-length", by_length}, {"line-zones", by_zones}};
}

}  // namespace seedwave::gpu_check
