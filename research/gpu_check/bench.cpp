// SPDX-License-Identifier: Apache-2.0
#include "core/base/median.h"
#include "gpu/device/memory.h"
#include "research/bench/inputs.h"
#include "research/bench/timing.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/device_context.h"
#include "research/gpu_check/head_case.h"
#include "research/gpu_check/measured.h"
#include "research/gpu_check/serpentine_case.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

namespace seedwave::gpu_check {
namespace {

/// Returns the medians over the runs of one implementation on one case.
nlohmann::ordered_json row_of(const Pair& pair, const CheckCase& c, const char* cache,
                              const std::vector<Outcome>& runs, std::int64_t peak_bytes) {
  const auto collect = [&](auto&& of) {
    std::vector<double> values;
    for (const Outcome& outcome : runs)
      values.push_back(of(outcome));
    return values;
  };
  const auto median_of = [&](auto&& of) {
    std::vector<double> values = collect(of);
    return rounded_ms(median(values));
  };
  auto on_device = collect(device_ms);
  nlohmann::ordered_json row{{"operation", pair.operation->id},
                             {"algorithm", pair.cuda->algorithm},
                             {"inputs", c.name},
                             {"cache", cache}};
  for (const char* stage :
       {"prepare", "upload", "affinity", "altitudes", "hops", "propagate", "labels", "download"}) {
    row[stage] = median_of([&](const Outcome& o) { return stage_ms(o.stages, stage); });
  }
  row["device"] = rounded_ms(median(on_device));
  row["device_low"] = rounded_ms(*std::min_element(on_device.begin(), on_device.end()));
  row["device_high"] = rounded_ms(*std::max_element(on_device.begin(), on_device.end()));
  row["porfc_times"] = "-";
  row["wall"] = median_of([](const Outcome& o) { return o.wall_ms; });
  const double cells = static_cast<double>(c.inputs.image.geometry().voxel_count());
  row["bytes_voxel"] = rounded_ms(static_cast<double>(peak_bytes) / cells);
  return row;
}

/// Times one implementation on one case. `cold` runs start with nothing on the device. `warm` ones
/// find the scene and affinities there, and `painted` ones also a result, that of `before`.
nlohmann::ordered_json time_pair(const Pair& pair, const CheckCase& c, const BenchOptions& options,
                                 bool warm, const CheckCase* before = nullptr) {
  const auto kept = std::make_shared<ScratchCache>();
  const Where where{options.device, warm ? kept : nullptr};
  static_cast<void>(run(*pair.operation, *pair.cuda, c, where));  // warm-up: modules, pool, clocks
  gpu::reset_peak_bytes(options.device);
  std::vector<Outcome> runs;
  for (int k = 0; k < options.repeats; ++k) {
    if (before != nullptr) {
      // Runs with fewer seeds first, so that the next run does not continue from its own result.
      // The pause is about that between two painted strokes.
      static_cast<void>(run(*pair.operation, *pair.cuda, *before, where));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    runs.push_back(run(*pair.operation, *pair.cuda, c, where));
    runs.back().result = {};  // the planes of all runs together would fill the memory
  }
  const char* cache = before != nullptr ? "stroke" : (warm ? "warm" : "cold");
  return row_of(pair, c, cache, runs, gpu::peak_bytes(options.device));
}

bool object_within(const Outcome& inner, const Outcome& outer, std::uint16_t object) {
  const auto a = labels_of(inner);
  const auto b = labels_of(outer);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == object && b[i] != object) return false;
  }
  return true;
}

/// Checks that all results on `c` agree as they must; adds failures to `report`.
void check_agreement(const OperationTable& table, const CheckCase& c, const BenchOptions& options,
                     Report& report) {
  const Where where{options.device, std::make_shared<ScratchCache>()};
  const auto cuda = [&](const char* operation, const char* algorithm) {
    const Pair pair = exact_pair(table, operation, algorithm);
    return run(*pair.operation, *pair.cuda, c, where);
  };
  const Outcome irfc = cuda("irfc", "sweeps");
  const Outcome rfc = cuda("rfc", "sweeps");
  const Outcome porfc = cuda("porfc", "rounds");
  const auto fail = [&](const std::string& text) {
    report.failures.push_back(c.name + ": " + text);
  };
  if (options.agreement == BenchOptions::Agreement::WithCpu) {
    const Pair pair = exact_pair(table, "irfc", "sweeps");
    const Outcome expected = run(*pair.operation, *pair.reference, c, {});
    if (const auto text = difference(expected, irfc)) fail("irfc (sweeps): " + *text);
  }
  for (const char* operation : {"irfc", "rfc"}) {
    const Outcome& plain = operation == std::string("irfc") ? irfc : rfc;
    if (const auto text = difference(plain, cuda(operation, "tiles"))) {
      fail(operation + std::string(" (tiles): ") + *text);
    }
  }
  if (!std::ranges::equal(strength_of(rfc), strength_of(irfc))) fail("strengths of rfc differ");
  if (!std::ranges::equal(strength_of(porfc), strength_of(irfc))) fail("strengths of porfc differ");
  if (!object_within(rfc, porfc, 1)) fail("rfc's object is not within porfc's");
  if (!object_within(porfc, irfc, 1)) fail("porfc's object is not within irfc's");
}

/// Times strokes added to a result on the device, each against a run from scratch.
void bench_strokes(const Pair& pair, const CheckCase& c, const BenchOptions& options,
                   Report& report) {
  for (const CheckCase& stroke : added_strokes(c)) {
    report.rows.push_back(time_pair(pair, stroke, options, true, &c));
    const Where where{options.device, std::make_shared<ScratchCache>()};
    static_cast<void>(run(*pair.operation, *pair.cuda, c, where));
    const Outcome got = run(*pair.operation, *pair.cuda, stroke, where);
    const Outcome expected = run(*pair.operation, *pair.cuda, stroke, {options.device});
    if (const auto text = difference(expected, got)) {
      report.failures.push_back(stroke.name + ": " + pair.operation->id + ": " + *text);
    }
  }
}

/// Adds to each row of one case how many times as long the paper's algorithm took from image to
/// labels. Only rows that start from the image count: both cold, in this call.
void add_ratios(std::span<nlohmann::ordered_json> rows) {
  const auto is_cold = [](const nlohmann::ordered_json& row) { return row["cache"] == "cold"; };
  const auto paper = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
    return is_cold(row) && row["operation"] == "porfc";
  });
  if (paper == rows.end()) return;
  for (nlohmann::ordered_json& row : rows) {
    if (!is_cold(row)) continue;
    const double ratio = (*paper)["device"].get<double>() / row["device"].get<double>();
    row["porfc_times"] = nlohmann::ordered_json(std::round(ratio * 10.0) / 10.0).dump();
  }
}

/// Times fuzzy connectedness on the head, each kind of seeds cold and warm.
void bench_head(const OperationTable& table, const BenchOptions& options, Context& context,
                Report& report) {
  const Volume head = bench::head(options.size, context);
  for (const auto& [seeding, seeds] : {std::pair{"many seeds", bench::many_seeds(head)},
                                       {"two strokes", bench::two_strokes(head)}}) {
    const CheckCase c = head_case(head, seeds, seeding, options.connectivity);
    if (options.algorithm.empty()) check_agreement(table, c, options, report);
    const std::size_t first = report.rows.size();
    for (const Pair& pair : exact_pairs(table)) {
      const std::string& id = pair.operation->id;
      if (id != "irfc" && id != "rfc" && id != "porfc") continue;  // afc: rfc with fewer seeds
      if (!options.algorithm.empty() && pair.cuda->algorithm != options.algorithm) continue;
      report.rows.push_back(time_pair(pair, c, options, false));
      report.rows.push_back(time_pair(pair, c, options, true));
      if (pair.cuda->algorithm == "tiles") bench_strokes(pair, c, options, report);
    }
    add_ratios(std::span(report.rows).subspan(first));
  }
}

/// Compares an operation's implementations with the CPU's on one case, then times them.
void bench_case(const Operation& operation, const OperationTable& table, const CheckCase& c,
                const std::set<std::string>& left_out, const BenchOptions& options,
                Report& report) {
  for (const Pair& pair : exact_pairs(table)) {
    if (pair.operation != &operation || !applies(pair, c)) continue;
    if (left_out.contains(pair.cuda->algorithm)) continue;
    if (options.agreement == BenchOptions::Agreement::WithCpu) {
      const Outcome expected = run(operation, *pair.reference, c, {});
      const Outcome got = run(operation, *pair.cuda, c, {options.device});
      if (const auto text = difference(expected, got)) {
        report.failures.push_back(c.name + ": " + pair.cuda->algorithm + ": " + *text);
      }
    }
    report.rows.push_back(time_pair(pair, c, options, false));
    report.rows.push_back(time_pair(pair, c, options, true));
  }
}

/// Times a 2-D operation on the inputs of `seedwave-cli bench`.
void bench_pictures(const Operation& operation, const OperationTable& table,
                    const BenchOptions& options, Context& context, Report& report) {
  for (const bench::TimedCase& timed :
       bench::cases_of(operation, {options.picture, options.picture, 1}, context)) {
    bench_case(operation, table, {timed.name, timed.request.inputs, timed.request.values},
               {timed.left_out.begin(), timed.left_out.end()}, options, report);
  }
}

/// A path whose length is proportional to the image's area. The papers' algorithms need a round for
/// each of its turns, or pixels.
void bench_serpentine(const OperationTable& table, const BenchOptions& options, Report& report) {
  bench_case(table.at("reconstruct"), table, serpentine_case(options.picture), {"sr-gpu", "fh-gpu"},
             options, report);
}

/// Times distances on files.
void bench_objects(const OperationTable& table, const BenchOptions& options, Report& report) {
  for (const std::filesystem::path& file : options.objects) {
    CheckCase c;
    c.name = file.stem().string();
    c.inputs.image = load_volume(file);
    bench_case(table.at("distance"), table, c, {}, options, report);
  }
}

}  // namespace

Report bench(const OperationTable& table, const BenchOptions& options) {
  Context context;
  Report report;
  bench_head(table, options, context, report);
  bench_objects(table, options, report);
  if (options.picture == 0) return report;
  for (const char* id : {"reconstruct", "distance", "watershed"})
    bench_pictures(table.at(id), table, options, context, report);
  bench_serpentine(table, options, report);
  return report;
}

}  // namespace seedwave::gpu_check
