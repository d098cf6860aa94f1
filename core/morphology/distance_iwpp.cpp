// SPDX-License-Identifier: Apache-2.0
#include "core/image/connectivity.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance_envelope.h"
#include "core/wavefront/rule_tiles.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Whole squares are packed as they are up to 32 bits, others as f32, whose bits rise with them.
enum class Packing { Whole, Rounded };

/// A cell hands on the background voxel that it holds for its nearest: square above, offset below.
///
/// Not monotone, as WavefrontRule wants for one result whatever the order: when a cell learns of a
/// nearer voxel it forgets one that a neighbour may have needed. So the order of work decides
/// there, and the result may be too large. It still ends: what a cell holds only falls.
struct NearestVoxelRule {
  using State = std::uint64_t;
  static constexpr State kNone = std::numeric_limits<State>::max();

  std::uint32_t columns;
  std::uint32_t slice;
  Vec3 weights;
  Packing packing;

  [[nodiscard]] double square(std::uint32_t cell, std::uint32_t voxel) const {
    // Divisions are what this costs: of 32 bits, and none for slices where there is one.
    std::int64_t dz = 0;
    if (cell >= slice || voxel >= slice) {
      dz = std::int64_t{cell / slice} - std::int64_t{voxel / slice};
      cell %= slice;
      voxel %= slice;
    }
    const std::int64_t dy = std::int64_t{cell / columns} - std::int64_t{voxel / columns};
    const std::int64_t dx = std::int64_t{cell % columns} - std::int64_t{voxel % columns};
    return static_cast<double>(dx * dx) * weights[0] + static_cast<double>(dy * dy) * weights[1] +
           static_cast<double>(dz * dz) * weights[2];
  }
  [[nodiscard]] static std::uint32_t voxel_of(State state) {
    return static_cast<std::uint32_t>(state);
  }
  [[nodiscard]] State transfer(State from, const Edge& edge) const {
    if (from == kNone) return kNone;
    const double apart = square(static_cast<std::uint32_t>(edge.to), voxel_of(from));
    const std::uint32_t packed = packing == Packing::Whole
                                     ? static_cast<std::uint32_t>(apart)
                                     : std::bit_cast<std::uint32_t>(static_cast<float>(apart));
    return State{packed} << 32U | voxel_of(from);
  }
  [[nodiscard]] static State join(State a, State b) { return a < b ? a : b; }
};

}  // namespace

DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context) {
  const auto stage = context.stage("distance");
  const Geometry& geometry = problem.objects.geometry();
  // Offsets have 32 bits here.
  check_distance_fits(geometry, problem.form, NearestCells::Find);
  double diagonal = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<double>(geometry.size[axis]);
    diagonal += n * n * problem.scale.weights[axis];
  }
  const NearestVoxelRule rule{static_cast<std::uint32_t>(geometry.size[0]),
                              static_cast<std::uint32_t>(geometry.size[0] * geometry.size[1]),
                              problem.scale.weights,
                              diagonal < 4294967296.0 ? Packing::Whole : Packing::Rounded};
  const auto objects = problem.objects.voxels<std::uint8_t>();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  std::vector<std::uint64_t> states(count, NearestVoxelRule::kNone);
  for (std::size_t i = 0; i < count; ++i) {
    if (objects[i] == 0) states[i] = i;
  }
  const Connectivity connectivity = geometry.is_2d() ? Connectivity::C8 : Connectivity::C26;
  // One worker, and so one order.
  Context alone(Context::Settings{
      .stop = context.stop_token(),
      .progress = [&](const std::string&, double fraction) { context.checkpoint(fraction); },
      .threads = 1});
  run_rule(rule, geometry.size, connectivity, states, alone);

  NearestSources found;
  found.squared.resize(count);
  found.name.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool none = states[i] == NearestVoxelRule::kNone;
    found.name[i] = none ? -1 : NearestVoxelRule::voxel_of(states[i]);
    found.squared[i] =
        none ? std::numeric_limits<double>::infinity()
             : rule.square(static_cast<std::uint32_t>(i), NearestVoxelRule::voxel_of(states[i]));
  }
  return distance_map_of(found, problem, context);
}

}  // namespace seedwave
