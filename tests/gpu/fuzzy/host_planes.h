// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/fuzzy/grid.h"
#include "tests/support/random_fuzzy_problem.h"

#include <cstdint>
#include <string>
#include <vector>

/// The device's planes in host memory. The threads' work can then run one thread after the other on
/// a machine without a GPU.
namespace seedwave::test {

/// A plane whose first cell is aligned to 16 bytes, as on the device.
class HostPlane {
 public:
  HostPlane(std::int64_t cells, std::uint16_t value)
      : vectors_(static_cast<std::size_t>((cells + gpu::kVector - 1) / gpu::kVector)) {
    for (gpu::U16Vector& vector : vectors_) {
      for (std::uint16_t& cell : vector.cell)
        cell = value;
    }
  }
  [[nodiscard]] std::uint16_t* data() { return vectors_.front().cell; }
  [[nodiscard]] const std::uint16_t* data() const { return vectors_.front().cell; }

 private:
  std::vector<gpu::U16Vector> vectors_;
};

/// A problem's grid, steps and affinity planes, by the rule of the affinity kernel.
struct HostAffinity {
  gpu::Grid grid;
  gpu::Steps steps;
  HostPlane planes;

  explicit HostAffinity(const fuzzy::Problem& problem)
      : grid(gpu::Grid::of(problem.scene.geometry)),
        steps(gpu::Steps::ahead(problem.connectivity)),
        planes(grid.cells() * steps.count, 0) {
    const fuzzy::KappaTables tables(problem.tables);
    const Geometry& geometry = problem.scene.geometry;
    const auto greys = problem.scene.grey.voxels<std::uint16_t>();
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      for (int s = 0; s < steps.count; ++s) {
        const NeighbourStep& step = steps.step[s];
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!geometry.contains(to)) continue;
        const std::int64_t j = geometry.offset(to);
        const auto* mask = problem.scene.mask ? problem.scene.mask->data() : nullptr;
        if (mask != nullptr && (mask[i] == 0 || mask[j] == 0)) continue;
        planes.data()[s * grid.cells() + grid.padded(i)] =
            fuzzy::kappa(tables.view(), greys[i], greys[j]);
      }
    }
  }
  [[nodiscard]] const std::uint16_t* plane(int step) const {
    return planes.data() + step * grid.cells();
  }
};

/// Returns a plane without its padding.
[[nodiscard]] inline std::vector<std::uint16_t> unpadded(const HostPlane& plane,
                                                         const gpu::Grid& grid) {
  std::vector<std::uint16_t> cells;
  for (std::int64_t i = 0; i < grid.nx * grid.ny * grid.nz; ++i)
    cells.push_back(plane.data()[grid.padded(i)]);
  return cells;
}

/// Returns a random problem; its number also varies the type and the source of the affinity's
/// statistics.
[[nodiscard]] inline fuzzy::Problem random_problem(const Index3& size, Connectivity connectivity,
                                                   int labels, WithMask mask, int number) {
  constexpr VoxelType kTypes[] = {VoxelType::U8, VoxelType::I16, VoxelType::U16};
  const RandomSegmentation input = random_segmentation(
      {.size = size, .type = kTypes[number % 3], .labels = labels, .mask = mask},
      static_cast<std::uint64_t>(number));
  return fuzzy_problem(input, connectivity,
                       number % 4 == 0 ? Statistics::OfEachLabel : Statistics::Given);
}

/// The parameters that the rows of both tests vary: sizes around a vector, a batch of loads and one
/// cell.
struct KernelCase {
  Index3 size;
  Connectivity connectivity;
  int labels;
  WithMask mask;

  [[nodiscard]] std::string name() const {
    return std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' + std::to_string(size[2]) +
           ", " + std::to_string(static_cast<int>(connectivity)) + "-connected, " +
           std::to_string(labels) + " labels" + (mask == WithMask::Yes ? ", mask" : "");
  }
  [[nodiscard]] static std::vector<KernelCase> all() {
    const std::vector<Index3> planes = {{2, 1, 1}, {1, 17, 1}, {9, 8, 1}, {16, 7, 1}, {33, 9, 1}};
    const std::vector<Index3> volumes = {{1, 1, 19}, {7, 1, 9},  {1, 9, 3}, {8, 8, 8},
                                         {17, 3, 2}, {5, 16, 9}, {9, 2, 33}};
    std::vector<KernelCase> cases;
    const auto add = [&](const Index3& size, Connectivity connectivity) {
      cases.push_back({size, connectivity, 2, WithMask::No});
      cases.push_back({size, connectivity, 2, WithMask::Yes});
      if (size[0] * size[1] * size[2] >= 8) {
        cases.push_back({size, connectivity, 4, WithMask::No});
        cases.push_back({size, connectivity, 4, WithMask::Yes});
      }
    };
    for (const Index3& size : planes) {
      add(size, Connectivity::C4);
      add(size, Connectivity::C8);
    }
    for (const Index3& size : volumes) {
      add(size, Connectivity::C6);
      add(size, Connectivity::C18);
      add(size, Connectivity::C26);
    }
    return cases;
  }
};

}  // namespace seedwave::test
