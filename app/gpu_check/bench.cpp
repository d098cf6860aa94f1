// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/checks.h"
#include "app/gpu_check/comparison.h"
#include "core/base/median.h"
#include "gpu/device/memory.h"
#include "tests/bench/inputs.h"
#include "tests/bench/timing.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace seedwave::gpu_check {
namespace {

double rounded(double ms) {
  return std::round(ms * 1000.0) / 1000.0;
}

double stage_ms(const Outcome& outcome, const std::string& name) {
  for (const StageTime& time : outcome.stages) {
    if (time.stage == name) return time.ms;
  }
  return 0.0;
}

/// All that the device computes, without the ways there and back.
double device_stages_ms(const Outcome& outcome) {
  double sum = 0.0;
  for (const char* stage :
       {"affinity", "scans", "propagate", "labels", "altitudes", "hops", "distance"})
    sum += stage_ms(outcome, stage);
  return sum;
}

/// One implementation on one case: `cold` runs start with nothing on the device, `warm` ones find
/// scene and affinities there, as after another stroke.
nlohmann::ordered_json time_pair(const Pair& pair, const CheckCase& c, const BenchOptions& options,
                                 bool warm) {
  const auto kept = std::make_shared<ScratchCache>();
  const Where where{options.device, warm ? kept : nullptr};
  static_cast<void>(run(*pair.operation, *pair.cuda, c, where));  // warm-up: modules, pool, clocks
  gpu::reset_peak_bytes(options.device);
  std::vector<Outcome> runs;
  for (int k = 0; k < options.repeats; ++k) {
    runs.push_back(run(*pair.operation, *pair.cuda, c, where));
    runs.back().result = {};  // the planes of all runs together would fill the memory
  }
  const auto collect = [&](auto&& of) {
    std::vector<double> values;
    for (const Outcome& outcome : runs)
      values.push_back(of(outcome));
    return values;
  };
  const auto median_of = [&](auto&& of) {
    std::vector<double> values = collect(of);
    return rounded(median(values));
  };
  auto device_ms = collect(device_stages_ms);
  nlohmann::ordered_json row{{"operation", pair.operation->id},
                             {"algorithm", pair.cuda->algorithm},
                             {"inputs", c.name},
                             {"cache", warm ? "warm" : "cold"}};
  for (const char* stage : {"prepare", "upload", "affinity", "propagate", "labels", "download"}) {
    row[stage] = median_of([&](const Outcome& o) { return stage_ms(o, stage); });
  }
  row["device"] = rounded(median(device_ms));
  row["device_low"] = rounded(*std::min_element(device_ms.begin(), device_ms.end()));
  row["device_high"] = rounded(*std::max_element(device_ms.begin(), device_ms.end()));
  row["wall"] = median_of([](const Outcome& o) { return o.wall_ms; });
  const double cells = static_cast<double>(c.inputs.image.geometry().voxel_count());
  row["bytes_voxel"] = rounded(static_cast<double>(gpu::peak_bytes(options.device)) / cells);
  return row;
}

std::span<const std::uint16_t> labels_of(const Outcome& outcome) {
  return std::get<LabelMap>(outcome.result.outputs.at("labels")).labels();
}

std::span<const std::uint16_t> strength_of(const Outcome& outcome) {
  return std::get<Volume>(outcome.result.outputs.at("strength")).voxels<std::uint16_t>();
}

bool object_within(const Outcome& inner, const Outcome& outer, std::uint16_t object) {
  const auto a = labels_of(inner);
  const auto b = labels_of(outer);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == object && b[i] != object) return false;
  }
  return true;
}

/// Whether all results on `c` agree as they must; what does not goes into `report`.
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

CheckCase head_case(const Volume& head, const SeedVoxels& seeds, const std::string& seeding) {
  const Geometry& geometry = head.geometry();
  CheckCase c;
  c.name = "head " + std::to_string(geometry.size[0]) + "x" + std::to_string(geometry.size[1]) +
           "x" + std::to_string(geometry.size[2]) + ", " + seeding;
  c.inputs.image = head;
  c.inputs.seeds = seeds;
  c.values.set("m", bench::kHeadM);
  c.values.set("sigma_o", bench::kHeadSigmaO);
  c.values.set("sigma_h", bench::kHeadSigmaH);
  if (geometry.is_2d()) c.values.set("connectivity", "4");
  return c;
}

/// Fuzzy connectedness on the head, each way of seeding cold and warm.
void bench_head(const OperationTable& table, const BenchOptions& options, Context& context,
                Report& report) {
  const Volume head = bench::head(options.size, context);
  for (const auto& [seeding, seeds] : {std::pair{"many seeds", bench::many_seeds(head)},
                                       {"two strokes", bench::two_strokes(head)}}) {
    const CheckCase c = head_case(head, seeds, seeding);
    check_agreement(table, c, options, report);
    for (const Pair& pair : exact_pairs(table)) {
      const std::string& id = pair.operation->id;
      if (id != "irfc" && id != "rfc" && id != "porfc") continue;  // afc: rfc's with fewer seeds
      report.rows.push_back(time_pair(pair, c, options, false));
      report.rows.push_back(time_pair(pair, c, options, true));
    }
  }
}

/// An operation on pictures, on what `seedwave-cli bench` measures it on.
void bench_pictures(const Operation& operation, const OperationTable& table,
                    const BenchOptions& options, Context& context, Report& report) {
  for (const bench::TimedCase& timed :
       bench::cases_of(operation, {options.picture, options.picture, 1}, context)) {
    const CheckCase c{timed.name, timed.request.inputs, timed.request.values};
    for (const Pair& pair : exact_pairs(table)) {
      if (pair.operation != &operation || !applies(pair, c)) continue;
      if (std::ranges::find(timed.left_out, pair.cuda->algorithm) != timed.left_out.end()) continue;
      if (options.agreement == BenchOptions::Agreement::WithCpu) {
        const Outcome expected = run(operation, *pair.reference, c, {});
        const Outcome got = run(operation, *pair.cuda, c, {options.device});
        if (const auto text = difference(expected, got)) {
          report.failures.push_back(c.name + ": " + pair.cuda->algorithm + ": " + *text);
        }
      }
      report.rows.push_back(time_pair(pair, c, options, false));
    }
  }
}

}  // namespace

Report bench(const OperationTable& table, const BenchOptions& options) {
  Context context;
  Report report;
  bench_head(table, options, context, report);
  if (options.picture == 0) return report;
  for (const char* id : {"reconstruct", "distance", "watershed"})
    bench_pictures(table.at(id), table, options, context, report);
  return report;
}

}  // namespace seedwave::gpu_check
