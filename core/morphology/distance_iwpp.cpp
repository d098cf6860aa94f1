// SPDX-License-Identifier: Apache-2.0
#include "core/image/connectivity.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance_envelope.h"
#include "core/wavefront/nearest_rule.h"
#include "core/wavefront/rule_tiles.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {

DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context) {
  const auto stage = context.stage("distance");
  const Geometry& geometry = problem.objects.geometry();
  // Offsets have 32 bits here.
  check_distance_fits(geometry, problem.form, NearestCells::Find);
  const NearestVoxelRule rule = NearestVoxelRule::on(geometry.size, problem.scale.weights);
  const auto objects = problem.objects.voxels<std::uint8_t>();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  std::vector<std::uint64_t> states(count, NearestVoxelRule::kNone);
  for (std::size_t i = 0; i < count; ++i) {
    if (objects[i] == 0) states[i] = i;
  }
  const Connectivity connectivity = geometry.is_2d() ? Connectivity::C8 : Connectivity::C26;
  // One worker gives one order.
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
