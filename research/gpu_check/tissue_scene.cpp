// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/tissue_scene.h"

#include "core/base/digest.h"
#include "core/morphology/flat_morphology.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"
#include "research/gpu_check/comparison.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

constexpr std::int64_t kHalfSide = 15;
constexpr std::uint8_t kNuclei = 110;

}  // namespace

TissueScene TissueScene::make(std::int64_t side, double share) {
  Context context;
  TissueScene scene;
  scene.image = bench::tissue({side, side, 1}, share, context);
  const FlatElement square = FlatElement::box({kHalfSide, kHalfSide, 0}, scene.image.geometry());
  scene.marker = eroded(scene.image, square, context);
  scene.digest = xxh64_digest(scene.image.bytes());
  return scene;
}

std::string TissueScene::size() const {
  return bench::text_of_size(image.geometry().size);
}

CheckCase TissueScene::reconstruction(const std::string& connectivity) const {
  CheckCase c;
  c.name = "tissue " + size() + ", " + connectivity + " neighbours";
  c.operation = "reconstruct";
  c.inputs.image = image;
  c.inputs.marker = marker;
  c.values.set("connectivity", connectivity);
  return c;
}

CheckCase TissueScene::distance() const {
  CheckCase c;
  c.name = "nuclei " + size();
  c.operation = "distance";
  const auto grey = image.voxels<std::uint8_t>();
  std::vector<std::uint8_t> objects(grey.size());
  std::transform(grey.begin(), grey.end(), objects.begin(),
                 [](std::uint8_t value) { return static_cast<std::uint8_t>(value > kNuclei); });
  c.inputs.image = Volume(image.geometry(), std::move(objects));
  c.values.set("units", "voxel");
  return c;
}

std::future<Measured> begin_fh_on_cpu(const OperationTable& table, const CheckCase& c) {
  return std::async(std::launch::async, [&table, &c] {
    const Operation& operation = table.at("reconstruct");
    return measured(operation, implementation_of(operation, "fh", Backend::Cpu), c, {.threads = 1},
                    1);
  });
}

ReconstructionTimes time_reconstruction(const OperationTable& table, const CheckCase& c, int device,
                                        int repeats, std::future<Measured> on_cpu, Report& report) {
  const Operation& operation = table.at("reconstruct");
  const auto time = [&](const char* algorithm) {
    return measured(operation, implementation_of(operation, algorithm, Backend::Cuda), c,
                    {.device = device}, repeats);
  };
  ReconstructionTimes times;
  const Measured sr_gpu = time("sr-gpu");
  const Measured fh_gpu = time("fh-gpu");
  const Measured tiles = time("tiles");
  const Measured expected = on_cpu.get();
  times.fh_cpu = expected.median_ms("propagate");
  const auto checked_ms = [&](const char* algorithm, const Measured& got) {
    if (const auto text = difference(expected.first, got.first)) {
      report.failures.push_back(c.name + ": " + algorithm + ": " + *text);
    }
    times.spread_percent = std::max(times.spread_percent, got.spread_percent());
    return got.median_ms("scans") + got.median_ms("propagate");
  };
  times.sr_gpu = checked_ms("sr-gpu", sr_gpu);
  times.fh_gpu = checked_ms("fh-gpu", fh_gpu);
  times.tiles = checked_ms("tiles", tiles);
  return times;
}

DistanceTimes time_distance(const OperationTable& table, const CheckCase& c, int device,
                            int repeats, Report& report) {
  const Operation& operation = table.at("distance");
  const auto time = [&](const char* algorithm, Backend backend) {
    return measured(operation, implementation_of(operation, algorithm, backend), c,
                    {.device = device, .threads = 1}, repeats);
  };
  DistanceTimes times;
  const Measured expected = time("min-plus", Backend::Cpu);
  const Measured ours = time("min-plus", Backend::Cuda);
  const Measured paper = time("iwpp-edt", Backend::Cuda);
  if (const auto text = difference(expected.first, ours.first)) {
    report.failures.push_back(c.name + ": min-plus: " + *text);
  }
  const auto exact = lengths_of(expected.first);
  const auto got = lengths_of(paper.first);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (exact[i] == got[i]) continue;
    if (got[i] < exact[i]) report.failures.push_back(c.name + ": iwpp-edt: a distance too small");
    ++times.too_large;
    times.largest_error =
        std::max(times.largest_error, static_cast<double>(got[i]) - static_cast<double>(exact[i]));
  }
  times.min_plus_cpu = expected.median_ms("distance");
  times.iwpp = paper.median_ms("distance");
  times.min_plus = ours.median_ms("distance");
  times.spread_percent = std::max(paper.spread_percent(), ours.spread_percent());
  return times;
}

void add_to(nlohmann::ordered_json& row, const ReconstructionTimes& times, double count) {
  row["fh_cpu"] = rounded_ms(count * times.fh_cpu);
  row["sr_gpu"] = rounded_ms(count * times.sr_gpu);
  row["fh_gpu"] = rounded_ms(count * times.fh_gpu);
  row["tiles"] = rounded_ms(count * times.tiles);
  row["sr_speedup"] = times.fh_cpu / times.sr_gpu;
  row["fh_speedup"] = times.fh_cpu / times.fh_gpu;
  row["tiles_speedup"] = times.fh_cpu / times.tiles;
  row["tiles_to_fh_gpu"] = times.fh_gpu / times.tiles;
  row["spread_percent"] = times.spread_percent;
}

void add_to(nlohmann::ordered_json& row, const DistanceTimes& times, double count) {
  row["min_plus_cpu"] = rounded_ms(count * times.min_plus_cpu);
  row["iwpp_edt"] = rounded_ms(count * times.iwpp);
  row["min_plus"] = rounded_ms(count * times.min_plus);
  row["min_plus_to_iwpp"] = times.iwpp / times.min_plus;
  row["too_large"] = times.too_large;
  row["largest_error"] = times.largest_error;
  row["spread_percent"] = times.spread_percent;
}

}  // namespace seedwave::gpu_check
