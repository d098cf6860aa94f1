// SPDX-License-Identifier: Apache-2.0
#include "core/base/median.h"
#include "core/ops/run.h"
#include "core/texture/spectrum.h"
#include "core/texture/tpcf.h"
#include "research/bench/normal.h"
#include "research/bench/texture_inputs.h"
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/measured.h"
#include "tests/support/random_tpcf.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using bench::Contender;
using nlohmann::ordered_json;

/// Returns the processor time, in ms, of single-threaded work. Other load on the machine does not
/// count.
template <typename Work>
double time_of(const Work& work) {
  constexpr double kTicks = CLOCKS_PER_SEC / 1000.0;
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / kTicks;
}

// -- Table II ----------------------------------------------------------------------------------

/// Returns a row of the table: one value per window size.
template <std::size_t n, typename Value>
ordered_json row_by_window(const char* what, const std::array<std::int64_t, n>& windows,
                           const Value& value) {
  ordered_json row{{"window", what}};
  for (std::size_t i = 0; i < n; ++i)
    row[std::to_string(windows[i])] = value(i);
  return row;
}

std::vector<Experiment> transform_sizes(const OperationTable& /*table*/,
                                        const ExperimentOptions& options) {
  constexpr std::array<std::int64_t, 6> kWindows{32, 34, 64, 128, 130, 256};
  constexpr std::array kPaper{0.27, 2.6, 1.9, 10.0, 31.0, 53.0};
  // For two masks at once, forward and inverse.
  constexpr double kTransforms = 4;
  const int times = is_quick(options) ? 3 : 100;
  std::array<double, kWindows.size()> ms{};
  std::array<std::int64_t, kWindows.size()> sides{};
  for (std::size_t i = 0; i < kWindows.size(); ++i) {
    const std::int64_t window = kWindows[i];
    texture::CorrelationBySpectrum correlation(window);
    sides[i] = correlation.side();
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(window * (window + 1)));
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      cells[cell] = static_cast<std::uint8_t>(bench::hash(cell) % 2);
    ms[i] = time_of([&] {
              for (int k = 0; k < times; ++k) {
                for (std::int64_t y = 0; y < window; ++y)
                  correlation.set_row(y, &cells[static_cast<std::size_t>(y * window)],
                                      &cells[static_cast<std::size_t>((y + 1) * window)]);
                correlation.correlate();
              }
            }) /
            times;
  }
  Experiment experiment;
  experiment.title =
      "Cooper et al. 2012, Table II: padded transforms by window; processor time in ms, the mean "
      "of " +
      std::to_string(times) +
      "; theirs by FFTW, of 67 x 67 and 259 x 259 unpadded; ours f64 by KISS FFT, padded to "
      "factors 2, 3 and 5, two phases in one";
  experiment.report.rows = {
      row_by_window("theirs, a transform", kWindows, [&](std::size_t i) { return kPaper[i]; }),
      row_by_window("ours, a phase's transform", kWindows,
                    [&](std::size_t i) { return ms[i] / kTransforms; }),
      row_by_window("ours, two phases, there and back", kWindows,
                    [&](std::size_t i) { return ms[i]; }),
      row_by_window("side of ours", kWindows, [&](std::size_t i) { return sides[i]; })};
  return {std::move(experiment)};
}

// -- Table III ---------------------------------------------------------------------------------

struct Case {
  std::int64_t window;
  std::int64_t directions;
};

/// Returns a problem with five phases, as in the paper, and the first `rows` rows of windows of the
/// image.
TpcfProblem problem_of(const Case& c, std::int64_t side, std::int64_t rows) {
  constexpr std::int64_t kPhases = 5;
  Context making;
  const LabelMap whole = bench::tissue_phases({side, side, 1}, kPhases, making);
  Geometry grid = whole.geometry();
  grid.size[1] = c.window + rows - 1;
  const auto labels =
      whole.labels().as<std::uint16_t>().first(static_cast<std::size_t>(grid.voxel_count()));
  return {.phases = LabelMap(grid, std::vector<std::uint16_t>{labels.begin(), labels.end()}),
          .count = kPhases,
          .window = c.window,
          .directions = c.directions};
}

struct Timed {
  test::Features features;
  double seconds = 0.0;
};
Timed timed(const TpcfSolver& solver, const TpcfProblem& problem) {
  Context one_thread({.threads = 1});
  Timed result;
  result.seconds =
      time_of([&] { result.features = test::all_features(solver, problem, one_thread); }) / 1000;
  return result;
}

/// Returns the seconds for the whole image, extrapolated from its first rows of windows. Each row
/// starts afresh and costs the same.
double seconds_by(TpcfAlgorithm algorithm, const Case& c, std::int64_t side, std::int64_t rows,
                  Report& report) {
  const TpcfProblem part = problem_of(c, side, rows);
  const Timed by_paper =
      timed([&](const TpcfProblem& problem, const FeatureSink& sink,
                Context& context) { tpcf_by(algorithm, problem, sink, context); },
            part);
  if (!(by_paper.features == timed(tpcf, part).features))
    report.failures.push_back(name_of(algorithm) + ", window " + std::to_string(c.window) +
                              ": other features than box");
  return by_paper.seconds * static_cast<double>(side - c.window + 1) / static_cast<double>(rows);
}

std::vector<Experiment> updating(const OperationTable& /*table*/,
                                 const ExperimentOptions& options) {
  constexpr std::array kCases{Case{32, 8}, Case{34, 8}, Case{128, 16}, Case{130, 16}};
  constexpr std::array<std::int64_t, 4> kWindows{32, 34, 128, 130};
  constexpr std::array kPaperFft{1280.0, 11637.0, 43129.0, 126489.0};
  constexpr std::array kPaperUpdate{162.0, 178.0, 3474.0, 3557.0};
  constexpr std::array kPaperTimes{7.9, 67.0, 12.4, 35.6};
  constexpr std::int64_t kFftRows = 1;
  const std::int64_t side = is_quick(options) ? 140 : 1000;
  const std::int64_t update_rows = is_quick(options) ? 1 : 8;
  Experiment experiment;
  experiment.title =
      "Cooper et al. 2012, Table III: updating against transforms; s of processor time for a "
      "picture of " +
      std::to_string(side) + " x " + std::to_string(side) + ", five phases; fft measured on " +
      std::to_string(kFftRows) + ", update on " + std::to_string(update_rows) +
      " of its rows of windows and scaled up to all, box on all of them; ours on tissue() cut by "
      "grey; 32 and 34 with 8 directions, 128 and 130 with 16";
  std::array<double, kCases.size()> fft{};
  std::array<double, kCases.size()> update{};
  std::array<double, kCases.size()> box{};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    Report& report = experiment.report;
    fft[i] = seconds_by(TpcfAlgorithm::Fft, kCases[i], side, kFftRows, report);
    update[i] = seconds_by(TpcfAlgorithm::Update, kCases[i], side, update_rows, report);
    const TpcfProblem whole = problem_of(kCases[i], side, side - kCases[i].window + 1);
    Context one_thread({.threads = 1});
    box[i] = time_of([&] {
               tpcf(
                   whole, [](const FeatureStrip&) {}, one_thread);
             }) /
             1000;
  }
  const auto row = [&](const char* what, const auto& value) {
    experiment.report.rows.push_back(row_by_window(what, kWindows, value));
  };
  row("theirs, FFT", [&](std::size_t i) { return kPaperFft[i]; });
  row("theirs, updating", [&](std::size_t i) { return kPaperUpdate[i]; });
  row("theirs, speed-up", [&](std::size_t i) { return kPaperTimes[i]; });
  row("fft", [&](std::size_t i) { return fft[i]; });
  row("update", [&](std::size_t i) { return update[i]; });
  row("speed-up of update", [&](std::size_t i) { return fft[i] / update[i]; });
  row("box", [&](std::size_t i) { return box[i]; });
  row("speed-up of box over update", [&](std::size_t i) { return update[i] / box[i]; });
  row("speed-up of box over fft", [&](std::size_t i) { return fft[i] / box[i]; });
  return {std::move(experiment)};
}

// -- Tables V and VI ---------------------------------------------------------------------------

/// Runs the operation, from an image to the mean of its features.
RunReport run(const OperationTable& table, const LabelMap& phases, const Contender& contender) {
  RunRequest request;
  request.operation = "tpcf";
  request.how.algorithm = contender.algorithm;
  request.how.backend = contender.backend;
  const auto labels = phases.labels();
  request.inputs.image =
      Volume(phases.geometry(), std::vector<std::uint16_t>(labels.begin(), labels.end()));
  Context context(Context::Settings{.threads = contender.threads, .device = contender.device});
  return run_operation(table, request, context);
}

/// Medians in ms: total, and computation on the device.
struct Took {
  double whole = 0.0;
  double on_device = 0.0;
};
/// Times the runs. The first is a warm-up, or the only one if it is long. All must have the digest
/// of the first run on the image.
Took took(const OperationTable& table, const LabelMap& phases, const Contender& contender,
          const ExperimentOptions& options, std::string& digest, Report& report) {
  constexpr double kLongMs = 1500.0;
  std::vector<double> whole;
  std::vector<double> on_device;
  for (int k = 0; k <= options.repeats; ++k) {
    const RunReport done = run(table, phases, contender);
    const std::string& its = done.summaries.at("curve").digest;
    if (digest.empty()) digest = its;
    if (its != digest)
      report.failures.push_back(
          bench::text_of_size(phases.geometry().size) + ": " + contender.algorithm + " on " +
          seedwave::name_of(contender.backend) + ": another mean than the CPU's");
    const bool is_long = k == 0 && done.facts.total_ms > kLongMs;
    if (k == 0 && !is_long) continue;
    whole.push_back(done.facts.total_ms);
    const auto features = std::ranges::find_if(
        done.facts.stages, [](const StageTime& stage) { return stage.stage == "features"; });
    on_device.push_back(features == done.facts.stages.end() ? 0.0 : features->ms);
    if (is_long) break;
  }
  return {median(whole), median(on_device)};
}

/// Returns the paper's algorithm and ours with one thread, and everything that CUDA provides.
std::vector<Contender> contenders_of(const OperationTable& table, int device) {
  std::vector<Contender> contenders{{.algorithm = name_of(TpcfAlgorithm::Update)},
                                    {.algorithm = "box"}};
  if (table.devices().empty()) return contenders;
  for (const Implementation& implementation : table.at("tpcf").implementations) {
    if (implementation.backend == Backend::Cuda)
      contenders.push_back({implementation.algorithm, Backend::Cuda, 1, device});
  }
  return contenders;
}

/// Times of the paper in ms, 0 if the watchdog stopped it: 256, 512, 1024.
struct PaperTimes {
  std::int64_t phases;
  std::array<double, 3> cpu;
  std::array<double, 3> gpu;
};
constexpr std::array kTableFive{PaperTimes{2, {3640, 16690, 71070}, {330, 1150, 4520}},
                                PaperTimes{4, {7280, 33220, 141130}, {550, 2210, 8840}},
                                PaperTimes{8, {14540, 66410, 282710}, {1020, 4320, 0}}};

using Sides = std::array<std::int64_t, 3>;
using BySide = std::array<double, 3>;

ordered_json row_by_side(std::int64_t phases, const std::string& what, const Sides& sides,
                         const BySide& values) {
  ordered_json row{{"phases", phases}, {"by", what}};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    ordered_json& cell = row[std::to_string(sides[i]) + "x" + std::to_string(sides[i])];
    if (values[i] > 0.0) {
      cell = rounded_ms(values[i]);
    } else {
      cell = "-";
    }
  }
  return row;
}

BySide ratio(const BySide& a, const BySide& b) {
  BySide result{};
  for (std::size_t i = 0; i < a.size(); ++i)
    result[i] = b[i] > 0.0 ? a[i] / b[i] : 0.0;
  return result;
}

std::vector<Experiment> cpu_and_gpu(const OperationTable& table, const ExperimentOptions& options) {
  const Sides sides = is_quick(options) ? Sides{64, 96, 128} : Sides{256, 512, 1024};
  Experiment five;
  five.title =
      "Cooper et al. 2012, Table V: CPU and GPU, windows of 32, 8 directions, random phases; ms, "
      "CPU with one thread; \"whole\": all features to the host and summed up there, as theirs "
      "with the ways there and back";
  Experiment six;
  six.title = "Cooper et al. 2012, Table VI: GPU over CPU, the whole";
  for (const PaperTimes& paper : kTableFive) {
    const auto add = [&](const std::string& what, const BySide& values) {
      five.report.rows.push_back(row_by_side(paper.phases, what, sides, values));
    };
    if (!is_quick(options)) {
      add("theirs, CPU, updating", paper.cpu);
      add("theirs, GPU, updating", paper.gpu);
      six.report.rows.push_back(
          row_by_side(paper.phases, "theirs", sides, ratio(paper.cpu, paper.gpu)));
    }
    std::array<std::string, 3> digests;
    std::vector<std::pair<std::string, BySide>> on_cpu;
    for (const Contender& contender : contenders_of(table, options.device)) {
      BySide whole{};
      BySide on_device{};
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const LabelMap phases = bench::noise_phases({sides[i], sides[i], 1}, paper.phases);
        const Took times = took(table, phases, contender, options, digests[i], five.report);
        whole[i] = times.whole;
        on_device[i] = times.on_device;
      }
      if (contender.backend == Backend::Cpu) {
        add("CPU, " + contender.algorithm, whole);
        on_cpu.emplace_back(contender.algorithm, whole);
        continue;
      }
      add("GPU, " + contender.algorithm, on_device);
      add("GPU, " + contender.algorithm + ", whole", whole);
      for (const auto& [algorithm, times] : on_cpu)
        six.report.rows.push_back(row_by_side(paper.phases,
                                              contender.algorithm + " over CPU's " + algorithm,
                                              sides, ratio(times, whole)));
    }
  }
  return {std::move(five), std::move(six)};
}

// -- How the cost grows ------------------------------------------------------------------------

ordered_json cost_row(const OperationTable& table, std::int64_t side, std::int64_t phases,
                      const ExperimentOptions& options, Report& report) {
  constexpr double kNanoseconds = 1e6;  // per millisecond
  constexpr std::int64_t kWindow = 32;
  const LabelMap picture = bench::noise_phases({side, side, 1}, phases);
  const auto windows =
      static_cast<double>((side - kWindow + 1) * (side - kWindow + 1) * phases) / kNanoseconds;
  std::string digest;
  const auto ms = [&](const Contender& contender) {
    return took(table, picture, contender, options, digest, report);
  };
  const double one = ms({.algorithm = "box"}).whole;
  const double two = ms({.algorithm = "box", .threads = 2}).whole;
  ordered_json row{{"picture", bench::text_of_size({side, side, 1})},
                   {"phases", phases},
                   {"cpu_ms", rounded_ms(one)},
                   {"cpu_ns_a_window_and_phase", one / windows},
                   {"two_threads_ms", rounded_ms(two)},
                   {"two_threads_gain", one / two}};
  if (table.devices().empty()) return row;
  const double on_device =
      ms({.algorithm = "box", .backend = Backend::Cuda, .device = options.device}).on_device;
  row["gpu_ms"] = rounded_ms(on_device);
  row["gpu_ns_a_window_and_phase"] = on_device / windows;
  return row;
}

std::vector<Experiment> cost(const OperationTable& table, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.title =
      "Cost of box by size of the picture and by phases: windows of 32, 8 directions, random "
      "phases; CPU from picture to the mean of all features, GPU the features alone";
  const std::int64_t usual = is_quick(options) ? 128 : 1024;
  for (std::int64_t side = usual / 2; side <= std::min(4 * usual, options.largest); side *= 2)
    experiment.report.rows.push_back(cost_row(table, side, 4, options, experiment.report));
  for (const std::int64_t phases : {1, 2, 3, 8, 16})
    experiment.report.rows.push_back(cost_row(table, usual, phases, options, experiment.report));
  return {std::move(experiment)};
}

}  // namespace

std::vector<NamedExperiment> texture_experiments() {
  return {{"texture-transforms", transform_sizes, NamedExperiment::Needs::Nothing},
          {"texture-updating", updating, NamedExperiment::Needs::Nothing},
          {"texture-devices", cpu_and_gpu, NamedExperiment::Needs::Nothing},
          {"texture-cost", cost, NamedExperiment::Needs::Nothing}};
}

}  // namespace seedwave::gpu_check
