// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "core/ops/morphology.h"
#include "core/ops/shared_in_parts.h"
#include "core/parallel/shared_items.h"
#include "core/parallel/tabulate.h"

#include <cstdint>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kReach = "reach";
constexpr const char* kNoLimit = "none";

/// Returns the distances to the nearest label, as `distance` gives them.
Volume distance_to_labels(const InfluenceZonesProblem& problem, const DistanceSolver& solver,
                          Context& context) {
  const Geometry& grid = problem.labels.geometry();
  const Volume unlabelled = visit_labels(problem.labels.labels(), [&](auto labels) {
    return Volume(grid, tabulate<std::uint8_t>(grid.voxel_count(), context, [&](std::int64_t i) {
                    return static_cast<std::uint8_t>(labels[i] == 0);
                  }));
  });
  return solver({.objects = unlabelled, .scale = problem.scale}, context).distance;
}

/// Returns the zones without the voxels that lie farther from their label than the reach. Both are
/// rounded to f32, so that rounding takes no voxel that is exactly as far.
LabelMap zones_within(double reach, const LabelMap& zones, const Volume& distance,
                      Context& context) {
  const auto farthest = static_cast<float>(reach);
  const auto lengths = distance.voxels<float>();
  return visit_labels(zones.labels(), [&]<LabelType T>(std::span<const T> labels) {
    return LabelMap(zones.geometry(), tabulate<T>(std::ssize(labels), context, [&](std::int64_t i) {
                      return lengths[i] <= farthest ? labels[i] : T{0};
                    }));
  });
}

Parameter reach_parameter() {
  return {.id = kReach,
          .title = "Reach",
          .help =
              "Voxels farther from every label stay unlabelled (in voxels if the units are "
              "voxels); none: no limit",
          .initial = kNoLimit,
          .domain = NumberDomain{
              .unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.5, .word = kNoLimit}};
}

}  // namespace

InfluenceZonesProblem influence_zones_problem(const Inputs& inputs, const Values& values,
                                              Context& context) {
  return {.labels = labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); }),
          .scale = distance_scale(inputs, values)};
}

Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                              InfluenceZonesSolver solver,
                                              DistanceSolver distance) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = std::move(solver), distance = std::move(distance)](
                     const Inputs& inputs, const Values& values, Context& context) {
            const InfluenceZonesProblem problem = influence_zones_problem(inputs, values, context);
            LabelMap zones = solver(problem, context);
            const bool has_reach = !values.is_word(kReach);
            const Volume distances =
                has_reach ? distance_to_labels(problem, distance, context) : Volume();
            leave_to_first(context);
            if (has_reach) zones = zones_within(values.number(kReach), zones, distances, context);
            Result result;
            result.outputs["labels"] = std::move(zones);
            result.values = values;
            return result;
          }};
}

Operation influence_zones_operation() {
  return {.id = "influence-zones",
          .title = "Influence zones",
          .help =
              "Assigns the label of the nearest labelled voxel to each unlabelled voxel, or grows "
              "labels by a distance (cells around nuclei).",
          .order = 320,
          .inputs = {{.kind = InputKind::Image,
                      .help = "label map; 0 is unlabelled",
                      .holds = kLabelsHeld}},
          .parameters = {units_parameter("Distances in millimetres (by the spacing) or in voxels"),
                         reach_parameter()},
          .outputs = {{.id = "labels",
                       .help = "the label of each voxel; of equally near labels the smallest",
                       .form = LabelsForm{},
                       .holds = kHeldByImage}},
          .implementations = {shared_in_parts(influence_zones_implementation(
                                  "min-plus", Backend::Cpu,
                                  [](const InfluenceZonesProblem& problem, Context& context) {
                                    return influence_zones_by_min_plus(problem, context);
                                  },
                                  distance_map)),
                              influence_zones_implementation("envelope", Backend::Cpu,
                                                             influence_zones_by_envelope,
                                                             distance_by_envelope)},
          .reference_algorithm = "envelope",
          .example = {.digest = "xxh64:9c5a5b7dd20e2592"}};
}

}  // namespace seedwave
