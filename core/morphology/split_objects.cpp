// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/split_objects.h"

#include "core/base/error.h"
#include "core/morphology/components.h"
#include "core/parallel/tabulate.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// The peaks of the distance that rise by more than h.
LabelMap centres_of(const SplitProblem& problem, const Volume& distance,
                    const SplitSolvers& solvers, Context& context) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const Geometry& geometry = problem.objects.geometry();
  const std::int64_t count = geometry.voxel_count();
  const auto objects = problem.objects.voxels<std::uint8_t>();
  const auto lengths = distance.voxels<float>();
  const auto h = static_cast<float>(problem.h);
  // Background so low that no peak reaches over it to another object: none loses its own.
  ReconstructionProblem lowered;
  lowered.connectivity = problem.connectivity;
  lowered.mask = Volume(geometry, tabulate<float>(count, context, [&](std::int64_t i) {
                          return objects[i] != 0 ? lengths[i] : kLowest;
                        }));
  lowered.marker = Volume(geometry, tabulate<float>(count, context, [&](std::int64_t i) {
                            return objects[i] != 0 ? lengths[i] - h : kLowest;
                          }));
  const Volume peaks = solvers.reconstruct(lowered, context).image;
  const Components centres = regional_maxima(peaks, problem.objects, problem.connectivity, context);
  constexpr std::int64_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (centres.count > kMost) {
    throw InputError("the image splits into " + std::to_string(centres.count) +
                     " objects, and there are only " + std::to_string(kMost) +
                     " labels: raise h, or take a part of the image");
  }
  return LabelMap(geometry, tabulate<std::uint16_t>(count, context, [&](std::int64_t i) {
                    return static_cast<std::uint16_t>(centres.numbers[i] + 1);
                  }));
}

}  // namespace

LabelMap split_objects(const SplitProblem& problem, const SplitSolvers& solvers, Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  const auto objects = problem.objects.voxels<std::uint8_t>();
  Volume distance;
  {
    const auto stage = context.stage("distance");
    DistanceProblem wanted;
    wanted.objects = problem.objects;
    wanted.scale = problem.scale;
    distance = solvers.distance(wanted, context).distance;
  }
  WatershedProblem watershed;
  watershed.connectivity = problem.connectivity;
  {
    const auto stage = context.stage("markers");
    watershed.markers = centres_of(problem, distance, solvers, context);
  }
  const auto stage = context.stage("watershed");
  const std::int64_t count = geometry.voxel_count();
  const auto lengths = distance.voxels<float>();
  watershed.image = Volume(
      geometry, tabulate<float>(count, context, [&](std::int64_t i) { return -lengths[i]; }));
  watershed.mask = LabelMap(geometry, tabulate<std::uint16_t>(count, context, [&](std::int64_t i) {
                              return static_cast<std::uint16_t>(objects[i] != 0 ? 1 : 0);
                            }));
  return LabelMap(geometry, solvers.watershed(watershed, context));
}

}  // namespace seedwave
