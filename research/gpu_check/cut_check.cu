// SPDX-License-Identifier: Apache-2.0
#include "core/border/minimum_cut.h"
#include "gpu/border/minimum_cut.cuh"
#include "gpu/device/device_run.h"
#include "research/gpu_check/checks.h"
#include "tests/support/random_network.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

using border::CutCell;
using border::CutSide;

template <typename T>
void upload(const std::vector<T>& from, T* to, const gpu::Stream& stream) {
  CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                             stream.get()));
}

/// Returns the sides of a network's cells, found on the device.
std::vector<CutSide> sides_on_device(const std::vector<CutCell>& cells, Context& context) {
  const std::size_t count = cells.size();
  std::vector<std::int32_t> excess(count);
  std::vector<std::int32_t> to_sink(count);
  std::vector<std::int32_t> residual(6 * count);
  std::vector<std::int32_t> neighbour(6 * count);
  std::vector<gpu::CellCode> codes(count);
  std::iota(codes.begin(), codes.end(), gpu::CellCode{0});
  for (std::size_t i = 0; i < count; ++i) {
    excess[i] = std::max(cells[i].terminal, 0);
    to_sink[i] = std::max(-cells[i].terminal, 0);
    for (std::size_t direction = 0; direction < 6; ++direction) {
      residual[direction * count + i] = cells[i].capacities[direction];
      neighbour[direction * count + i] = cells[i].neighbours[direction];
    }
  }
  // All are open.
  std::vector<gpu::SideWord> sides((count + 31) / 32, ~gpu::SideWord{0} << 32);
  gpu::DeviceRun run(context);
  const gpu::Stream& stream = run.stream;
  gpu::DeviceBuffer<gpu::SideWord> on_device = gpu::uploaded(sides, stream);
  gpu::NetworkOnDevice network(static_cast<std::int32_t>(count), stream);
  upload(excess, network.view().excess, stream);
  upload(to_sink, network.view().to_sink, stream);
  upload(residual, network.view().residual, stream);
  upload(neighbour, network.neighbours(), stream);
  upload(codes, network.cells(), stream);
  network.cut(on_device.data(), context);
  on_device.copy_to(sides, stream);
  stream.synchronize();
  std::vector<CutSide> result;
  for (std::size_t i = 0; i < count; ++i) {
    const gpu::SideWord word = sides[i / 32];
    const auto bit = static_cast<int>(i % 32);
    result.push_back(gpu::is_open(word, bit)     ? CutSide::Either
                     : gpu::is_inside(word, bit) ? CutSide::Source
                                                 : CutSide::Sink);
  }
  return result;
}

}  // namespace

Report check_cuts(const CutOptions& options) {
  // Some are as large as what a band leaves, others so small that all shapes occur.
  constexpr std::array<std::array<int, 3>, 4> kSizes{
      {{3, 2, 2}, {8, 6, 4}, {40, 30, 20}, {90, 80, 30}}};
  Context::Settings settings;
  settings.device = options.device;
  Context context(std::move(settings));
  Report report;
  for (const auto& size : kSizes) {
    int compared = 0;
    int different = 0;
    const int cases = size[0] > 40 ? options.random_cases / 20 : options.random_cases;
    for (int k = 0; k < cases; ++k) {
      test::RandomNumbers random(options.first_case + static_cast<std::uint64_t>(k));
      const test::RandomNetwork network = test::random_network(random, size);
      if (network.cells.empty()) continue;
      ++compared;
      if (sides_on_device(network.cells, context) !=
          border::minimum_cut(network.cells, context).sides)
        ++different;
    }
    const std::string name = "grids up to " + std::to_string(size[0]) + "x" +
                             std::to_string(size[1]) + "x" + std::to_string(size[2]);
    report.rows.push_back({{"inputs", name}, {"cases", compared}, {"different", different}});
    if (different != 0) {
      report.failures.push_back(name + ": " + std::to_string(different) +
                                " networks were cut otherwise than by the CPU");
    }
  }
  return report;
}

}  // namespace seedwave::gpu_check
