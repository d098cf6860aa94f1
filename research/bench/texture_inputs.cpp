// SPDX-License-Identifier: Apache-2.0
#include "research/bench/texture_inputs.h"

#include "core/base/digest.h"
#include "core/texture/lag_table.h"
#include "research/bench/normal.h"
#include "research/bench/tissue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace seedwave::bench {
namespace {

constexpr std::int64_t kPhases = 4;
constexpr std::int64_t kSmallWindow = 32;

struct Windows {
  std::int64_t side;
  std::int64_t directions;
};

Volume volume_of(const LabelMap& phases) {
  return Volume(phases.geometry(),
                std::vector<std::uint16_t>(phases.labels().begin(), phases.labels().end()));
}

/// Returns the algorithms that would keep one core busy for longer than about kMostSeconds.
std::vector<std::string> too_long(const Windows& windows, const Index3& size) {
  constexpr double kMostSeconds = 20;
  // Seconds per pair of cells, per cell that enters or leaves, and per transformed cell.
  constexpr double kNaiveSeconds = 0.13e-9;
  constexpr double kUpdateSeconds = 0.3e-9;
  constexpr double kFftSeconds = 80e-9;
  const auto side = static_cast<double>(windows.side);
  const auto lags = static_cast<double>(lag_table(windows.side, windows.directions).lags.size());
  const auto masks =
      static_cast<double>(kPhases * (size[0] - windows.side + 1) * (size[1] - windows.side + 1));
  std::vector<std::string> names;
  if (masks * lags * side * side * kNaiveSeconds > kMostSeconds) names.emplace_back("naive");
  if (masks * lags * 2 * side * kUpdateSeconds > kMostSeconds) names.emplace_back("update");
  if (masks * side * side * kFftSeconds > kMostSeconds) names.emplace_back("fft");
  return names;
}

std::vector<TimedCase> correlations(const TimedCase& timed, const std::string& scene,
                                    const LabelMap& phases) {
  const Index3& size = phases.geometry().size;
  TimedCase on_phases = timed;
  on_phases.request.inputs.image = volume_of(phases);
  on_phases.digest = xxh64_digest(on_phases.request.inputs.image.bytes());
  on_phases.baseline = "update";
  std::vector<TimedCase> cases;
  const std::int64_t largest = std::min(size[0], size[1]);
  for (Windows windows : {Windows{kSmallWindow, 8}, Windows{64, 16}, Windows{128, 16}}) {
    if (windows.side > largest && !cases.empty()) break;
    windows.side = std::min(windows.side, largest);
    TimedCase& one = cases.emplace_back(on_phases);
    one.name = scene + " " + text_of_size(size) + ", " + std::to_string(kPhases) +
               " phases, window " + std::to_string(windows.side) + ", " +
               std::to_string(windows.directions) + " directions";
    one.request.values.set("window", static_cast<double>(windows.side));
    one.request.values.set("angle_step", 1.0 / static_cast<double>(windows.directions));
    one.left_out = too_long(windows, size);
  }
  return cases;
}

Geometry picture_of(const Index3& size) {
  Geometry grid;
  grid.size = {size[0], size[1], 1};
  grid.unit = LengthUnit::Pixel;
  return grid;
}

}  // namespace

LabelMap tissue_phases(const Index3& size, std::int64_t count, Context& context) {
  const Volume image = tissue(size, 1.0, context);
  const auto greys = image.voxels<std::uint8_t>();
  std::array<std::int64_t, 256> below{};  // number of darker pixels
  for (const std::uint8_t grey : greys)
    ++below[grey];
  std::exclusive_scan(below.begin(), below.end(), below.begin(), std::int64_t{0});
  std::vector<std::uint16_t> phases(greys.size());
  std::ranges::transform(greys, phases.begin(), [&](std::uint8_t grey) {
    return static_cast<std::uint16_t>(1 + below[grey] * count / std::ssize(phases));
  });
  return {image.geometry(), std::move(phases)};
}

LabelMap noise_phases(const Index3& size, std::int64_t count) {
  const Geometry grid = picture_of(size);
  std::vector<std::uint16_t> phases(static_cast<std::size_t>(grid.voxel_count()));
  for (std::size_t i = 0; i < phases.size(); ++i)
    phases[i] = static_cast<std::uint16_t>(1 + hash(i) % static_cast<std::uint64_t>(count));
  return {grid, std::move(phases)};
}

std::vector<TimedCase> texture_cases(const Operation& operation, const Index3& size,
                                     Context& context) {
  TimedCase timed;
  timed.request.operation = operation.id;
  if (operation.id == "tpcf") {
    std::vector<TimedCase> cases =
        correlations(timed, "tissue", tissue_phases(size, kPhases, context));
    std::ranges::move(correlations(timed, "noise", noise_phases(size, kPhases)),
                      std::back_inserter(cases));
    return cases;
  }
  const Volume image = tissue(size, 1.0, context);
  timed.name = "tissue " + text_of_size(image.geometry().size);
  timed.digest = xxh64_digest(image.bytes());
  timed.request.inputs.image = image;
  timed.request.values.set("window",
                           static_cast<double>(std::min({size[0], size[1], kSmallWindow})));
  if (operation.id == "look-alike")
    timed.request.values.set("at", std::to_string(size[0] / 2) + "," + std::to_string(size[1] / 2));
  return {timed};
}

}  // namespace seedwave::bench
