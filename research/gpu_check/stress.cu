// SPDX-License-Identifier: Apache-2.0
#include "core/image/connectivity.h"
#include "core/parallel/context.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/device_run.h"
#include "gpu/wavefront/rule_tiles.cuh"
#include "research/gpu_check/checks.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using Cell = std::uint16_t;
using Rule = RiseRule<Cell>;

[[nodiscard]] __device__ std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352DU;
  x = (x ^ (x >> 15)) * 0x846CA68BU;
  return x ^ (x >> 16);
}

/// Tiles whose visits have random delays before they read and after they have stored. The
/// protocol's steps then interleave in orders that hardly ever occur otherwise.
template <typename Tiles>
struct Delayed {
  static constexpr int kThreads = Tiles::kThreads;
  static constexpr int kBlocks = Tiles::kBlocks;
  using Scratch = typename Tiles::Scratch;

  Tiles tiles;
  std::uint32_t longest_ns;

  __device__ gpu::TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    wait(tile);
    const gpu::TileVisitEnd end = tiles.visit(tile, lane, scratch);
    wait(~tile);
    return end;
  }

 private:
  /// A quarter of the visits is not delayed.
  __device__ void wait(std::int32_t salt) const {
    const auto now = static_cast<std::uint32_t>(gpu::now_ns());
    const std::uint32_t drawn = __shfl_sync(0xFFFFFFFFU, mixed(now ^ mixed(salt)), 0);
    if (drawn % 4 != 0) __nanosleep(mixed(drawn) % longest_ns);
  }
};

/// A grid of rising cells: sparse markers, and limits that make paths long.
struct Scene {
  Index3 size;
  Connectivity connectivity;
  std::vector<Cell> marker;
  std::vector<Cell> limits;
};

Scene random_scene(std::uint64_t number) {
  test::RandomNumbers random(number);
  const bool planar = random.below(2) == 0;
  const auto length = [&](std::int64_t most) { return 1 + random.below(most); };
  Scene scene{
      planar ? Index3{length(90), length(60), 1} : Index3{length(24), length(20), length(16)},
      Connectivity::C4,
      {},
      {}};
  constexpr std::array kPlanar{Connectivity::C4, Connectivity::C8};
  constexpr std::array kSolid{Connectivity::C6, Connectivity::C18, Connectivity::C26};
  scene.connectivity = planar ? random.of(kPlanar) : random.of(kSolid);
  const std::int64_t count = scene.size[0] * scene.size[1] * scene.size[2];
  const std::int64_t levels = 2 + random.below(40);
  const std::int64_t walls = 2 + random.below(6);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto limit = static_cast<Cell>(random.below(walls) == 0 ? 0 : 1 + random.below(levels));
    scene.limits.push_back(limit);
    scene.marker.push_back(random.below(97) == 0 ? limit : Cell{0});
  }
  return scene;
}

/// Returns the fixpoint, found by sweeping the grid until nothing rises.
std::vector<Cell> expected_of(const Scene& scene) {
  std::vector<Cell> cells = scene.marker;
  const Rule rule{scene.limits.data()};
  const auto [nx, ny, nz] = scene.size;
  for (bool rose = true; rose;) {
    rose = false;
    for (std::int64_t i = 0; i < std::ssize(cells); ++i) {
      for (const NeighbourStep& step : neighbour_steps(scene.connectivity)) {
        const std::int64_t x = i % nx + step.dx;
        const std::int64_t y = i / nx % ny + step.dy;
        const std::int64_t z = i / nx / ny + step.dz;
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
        const std::int64_t from = x + nx * (y + ny * z);
        const Cell risen = taken(rule, cells[i], cells[from], Edge{from, i, 0});
        rose |= risen != cells[i];
        cells[i] = risen;
      }
    }
  }
  return cells;
}

template <typename Shape>
std::vector<Cell> by_tiles(const Scene& scene, std::uint32_t longest_ns, Context& context) {
  using Tiles = gpu::RuleTiles<Rule, Shape>;
  std::vector<Cell> cells = scene.marker;
  const gpu::DeviceRun run(context);
  gpu::DeviceBuffer<Cell> states(std::ssize(cells), run.stream);
  gpu::DeviceBuffer<Cell> limits(std::ssize(cells), run.stream);
  states.copy_from(cells, run.stream);
  limits.copy_from(scene.limits, run.stream);
  const Tiles tiles(Rule{limits.data()}, gpu::RuleGrid::of(scene.size, scene.connectivity),
                    states.data());
  gpu::DeviceQueue queue(tiles.tile_count(), run.stream);
  queue.queue_all(run.stream);
  const Delayed<Tiles> delayed{tiles, longest_ns};
  // Occasionally a worker runs out of patience, and the run is continued.
  const gpu::Patience patience{longest_ns / 2};
  int left = 3;
  while (left > 0 && gpu::run_tiles_with_patience(queue, delayed, patience, context, run.stream) ==
                         gpu::WaveEnd::Crawling) {
    --left;
  }
  if (left == 0) gpu::run_tiles(queue, delayed, context, run.stream);
  states.copy_to(cells, run.stream);
  run.stream.synchronize();
  return cells;
}

}  // namespace

Report check_stress(const StressOptions& options) {
  Context::Settings settings;
  settings.device = options.device;
  Context context(settings);
  Report report;
  std::int64_t different = 0;
  for (int k = 0; k < options.runs; ++k) {
    const std::uint64_t number = options.first_case + static_cast<std::uint64_t>(k);
    const Scene scene = random_scene(number);
    constexpr std::array<std::uint32_t, 3> kLongestNs{300, 3000, 30000};
    const std::uint32_t longest = kLongestNs[static_cast<std::size_t>(k) % kLongestNs.size()];
    const std::vector<Cell> got = scene.size[2] == 1
                                      ? by_tiles<gpu::TileShape<8, 4, 1>>(scene, longest, context)
                                      : by_tiles<gpu::TileShape<4, 4, 2>>(scene, longest, context);
    if (got == expected_of(scene)) continue;
    ++different;
    if (report.failures.size() < 10) {
      report.failures.push_back("random scene " + std::to_string(number) + " came out wrong");
    }
  }
  report.rows.push_back({{"tiles", "8x4x1, 4x4x2"},
                         {"longest_delay_us", 30},
                         {"runs", options.runs},
                         {"different", different}});
  return report;
}

}  // namespace seedwave::gpu_check
