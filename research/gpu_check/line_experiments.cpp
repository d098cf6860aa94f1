// SPDX-License-Identifier: Apache-2.0
#include "gpu/morphology/line_fan.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/line_bench.h"
#include "research/gpu_check/measured.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using gpu::LineScanForm;
using gpu::LineScanSettings;

Volume square(std::int64_t side) {
  Context making;
  return bench::tissue({side, side, 1}, 1.0, making);
}

/// Squares from 512 on, each twice as wide, with lines of 5 % of the width.
template <typename Row>
void for_each_side(const ExperimentOptions& options, const Row& add) {
  const std::int64_t largest =
      is_quick(options) ? 512 : std::min<std::int64_t>(8192, options.largest);
  for (std::int64_t side = 512; side <= largest; side *= 2)
    add(square(side), side / 20);
}

/// Adds a row with both of the paper's algorithms in both forms, and ours.
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
  for_each_side(options, [&](const Volume& image, std::int64_t length) {
    for (const double degrees : {0.0, 45.0, 90.0})
      add_row(image, degrees, length, options, experiment.report);
  });
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
  for_each_side(options, [&](const Volume& image, std::int64_t length) {
    const Index3& size = image.geometry().size;
    const LinearOpeningProblem problem{image, LineFamily::at_angle(90.0, size), length};
    const OpeningBench bench(problem, name_of_opening(size, 90.0, length),
                             {options.device, options.repeats}, experiment.report);
    experiment.report.rows.push_back({{"size", bench::text_of_size(size)},
                                      {"length", length},
                                      {"zones_1", rounded_ms(bench.queues({.zones = 1}).median)},
                                      {"zones_2", rounded_ms(bench.queues({.zones = 2}).median)},
                                      {"zones_4", rounded_ms(bench.queues({.zones = 4}).median)},
                                      {"zones_8", rounded_ms(bench.queues({.zones = 8}).median)},
                                      {"auto", rounded_ms(bench.queues().median)}});
  });
  return {std::move(experiment)};
}

/// An image of the paper's applications (section 6): its size and the task.
struct Application {
  const char* name;
  Index3 size;
  double first_degrees;
  double step;
  int directions;
  std::int64_t length;
  LineFilter filter;
};
constexpr std::array kApplications{
    Application{"fingerprint", {784, 1133, 1}, 0.0, 1.0, 180, 41, LineFilter::Opening},
    Application{"texture", {640, 640, 1}, 0.0, 1.0, 180, 41, LineFilter::Opening},
    Application{"music 1", {1000, 1411, 1}, -10.0, 0.25, 81, 250, LineFilter::Closing},
    Application{"music 2", {1000, 1301, 1}, -10.0, 0.25, 81, 250, LineFilter::Closing}};

/// Returns the median time of the spectrum in ms, and the result in `sums`.
template <typename Solve>
double spectrum_ms(const ExperimentOptions& options, int runs, std::vector<double>& sums,
                   const Solve& solve) {
  std::vector<double> all;
  for (int k = 0; k <= options.repeats; ++k) {
    Context context(settings_of_device(options.device));
    sums = solve(context);
    if (k > 0) all.push_back(stage_ms(context, "spectrum") / runs);
  }
  return times_of(std::move(all)).median;
}

std::vector<Experiment> all_directions(const OperationTable& /*table*/,
                                       const ExperimentOptions& options) {
  constexpr int kPaperRuns = 2;
  constexpr int kOurRuns = 20;
  Experiment experiment;
  experiment.title =
      "Karas et al. 2015, Table 2: spectra, all directions at once; ms; the paper's images by "
      "size, "
      "tissue() in their place";
  for (const Application& application : kApplications) {
    Context making;
    LineFanProblem fan{bench::tissue(application.size, 1.0, making)};
    fan.filter = application.filter;
    const int directions = is_quick(options) ? 9 : application.directions;
    for (int k = 0; k < directions; ++k) {
      const double degrees = application.first_degrees + k * application.step;
      fan.directions.push_back(
          {LineFamily::at_angle(degrees, application.size), application.length});
    }
    Context one_thread({.threads = 1});
    const auto start = std::chrono::steady_clock::now();
    const std::vector<double> expected = angular_spectrum(fan, one_thread);
    const std::chrono::duration<double, std::milli> on_cpu =
        std::chrono::steady_clock::now() - start;
    std::vector<double> sums;
    const auto time = [&](const char* name, int runs, const auto& solve) {
      const double ms = spectrum_ms(options, runs, sums, solve);
      if (sums != expected)
        experiment.report.failures.push_back(std::string(application.name) + ": " + name +
                                             ": other sums than the CPU's");
      return ms;
    };
    const auto queues = [&](LineScanForm form) {
      return [&fan, form](Context& context) {
        return gpu::angular_spectrum_by_queues(fan, {.form = form, .runs = kPaperRuns}, context);
      };
    };
    const double basic = time("bartovsky, basic", kPaperRuns, queues(LineScanForm::Basic));
    const double paper = time("bartovsky", kPaperRuns, queues(LineScanForm::Optimised));
    const double ours = time("tiles", kOurRuns, [&](Context& context) {
      return gpu::angular_spectrum_by_tiles(fan, context, kOurRuns);
    });
    experiment.report.rows.push_back({{"image", application.name},
                                      {"size", bench::text_of_size(application.size)},
                                      {"directions", directions},
                                      {"length", application.length},
                                      {"strips_one_thread", rounded_ms(on_cpu.count())},
                                      {"bartovsky_basic", rounded_ms(basic)},
                                      {"bartovsky", rounded_ms(paper)},
                                      {"tiles", rounded_ms(ours)},
                                      {"times", paper / ours}});
  }
  return {std::move(experiment)};
}

}  // namespace

std::vector<NamedExperiment> line_experiments() {
  return {{"line-size", by_side},
          {"line-length", by_length},
          {"line-zones", by_zones},
          {"line-directions", all_directions}};
}

}  // namespace seedwave::gpu_check
