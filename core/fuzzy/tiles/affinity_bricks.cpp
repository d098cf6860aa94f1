// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/affinity_bricks.h"

#include <algorithm>
#include <cstring>

namespace seedwave::fuzzy {
namespace {

/// Returns the number of affinities of one brick whose cells connect by faces.
std::size_t affinity_cells(int depth) {
  const int along_z = depth == 1 ? 0 : (depth + 1) * kPlane;
  return 2 * std::size_t(depth) * (kPlane + kSide) + along_z;
}

FaceAffinities cut(Level* memory, int depth) {
  const auto next = [&](int cells) {
    Level* first = memory;
    memory += cells;
    return first;
  };
  FaceAffinities parts;
  parts.x = next(depth * kPlane);
  parts.y = next(depth * kPlane);
  parts.x_upper = next(depth * kSide);
  parts.y_upper = next(depth * kSide);
  if (depth == 1) return parts;
  parts.z = next(depth * kPlane);
  parts.z_upper = next(kPlane);
  return parts;
}

}  // namespace

BrickSteps::BrickSteps(Connectivity connectivity)
    : faces_only(connectivity == Connectivity::C4 || connectivity == Connectivity::C6) {
  for (const NeighbourStep& step : neighbour_steps(connectivity)) {
    all.push_back({step, shell_index(step.dx, step.dy, step.dz) - shell_index(0, 0, 0)});
  }
}

AffinityBricks::AffinityBricks(const Problem& problem, const TileKernel& kernel)
    : problem_(problem),
      kernel_(kernel),
      grid_(problem.scene.geometry),
      steps_(problem.connectivity),
      kept_(steps_.faces_only ? static_cast<std::size_t>(grid_.tile_count()) : 0),
      pool_(affinity_cells(grid_.depth()), kept_.size()) {}

Shell AffinityBricks::make_shell() const {
  Shell shell{};
  shell.objects.resize(problem_.tables.objects.size());
  return shell;
}

void AffinityBricks::fill_shell(std::int64_t brick, Shell& shell) const {
  const std::span<const std::uint16_t> grey = problem_.scene.grey.voxels<std::uint16_t>();
  const std::uint8_t* mask = problem_.scene.mask ? problem_.scene.mask->data() : nullptr;
  const Index3 first = grid_.first_cell(brick);
  const Index3& size = grid_.size();
  const auto below = static_cast<int>(std::min<std::int64_t>(first[0], 1));
  const auto ahead = static_cast<int>(std::min<std::int64_t>(size[0] - first[0], kSide + 1));
  const std::int64_t depth = grid_.depth();
  const bool inside = below == 1 && ahead == kSide + 1 && first[1] > 0 &&
                      first[1] + kSide < size[1] && first[2] > 0 && first[2] + depth < size[2];
  if (!inside) {
    for (auto& object : shell.objects)
      object.fill(0.0F);
  }
  for (int z = -1; z <= depth; ++z) {
    if (first[2] + z < 0 || first[2] + z >= size[2]) continue;
    for (int y = -1; y <= kSide; ++y) {
      if (first[1] + y < 0 || first[1] + y >= size[1]) continue;
      const std::int64_t row = first[0] + size[0] * (first[1] + y + size[1] * (first[2] + z));
      const int at = shell_index(0, y, z);
      const std::uint16_t* from = grey.data() + row - below;
      std::uint16_t* to = shell.grey.data() + at - below;
      // For 18 cells a call of memmove takes longer than the copy, so the usual count is a
      // constant.
      if (below + ahead == kShellSide) {
        std::memcpy(to, from, kShellSide * sizeof *to);
      } else {
        std::copy_n(from, below + ahead, to);
      }
      for (std::size_t k = 0; k < shell.objects.size(); ++k) {
        float* object = shell.objects[k].data() + at - below;
        kernel_.look_up(from, below + ahead, problem_.tables.objects[k].data(), object);
        if (mask == nullptr) continue;
        for (int i = 0; i < below + ahead; ++i) {
          if (mask[row - below + i] == 0) object[i] = 0.0F;
        }
      }
    }
  }
}

void AffinityBricks::affinity_row(const Shell& shell, int from, int offset, int count,
                                  Level* result) const {
  kernel_.affinity_row(shell, problem_.tables.homogeneity.data(), from, offset, count, result);
}

FaceAffinities AffinityBricks::of(std::int64_t brick, Shell& shell) {
  Level*& memory = kept_[brick];
  if (memory != nullptr) return cut(memory, grid_.depth());
  memory = pool_.take();
  const FaceAffinities affinities = cut(memory, grid_.depth());
  fill_shell(brick, shell);
  kernel_.face_affinities(shell, problem_.tables.homogeneity.data(), grid_.depth(),
                          problem_.connectivity != Connectivity::C4, affinities);
  return affinities;
}

}  // namespace seedwave::fuzzy
