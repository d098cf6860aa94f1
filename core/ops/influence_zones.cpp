// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "core/ops/morphology.h"
#include "core/ops/shared_by_ranks.h"

#include <string>
#include <utility>

namespace seedwave {
InfluenceZonesProblem influence_zones_problem(const Inputs& inputs, const Values& values,
                                              Context& context) {
  return {.labels = labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); }),
          .scale = distance_scale(inputs, values)};
}

Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                              InfluenceZonesSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                              Context& context) {
            Result result;
            result.outputs["labels"] =
                solver(influence_zones_problem(inputs, values, context), context);
            result.values = values;
            return result;
          }};
}

Operation influence_zones_operation() {
  return {.id = "influence-zones",
          .title = "Influence zones",
          .help = "Assigns the label of the nearest labelled voxel to each unlabelled voxel.",
          .order = 320,
          .inputs = {{.kind = InputKind::Image,
                      .help = "label map; 0 is unlabelled",
                      .holds = kLabelsHeld}},
          .parameters = {units_parameter("Distances in millimetres (by the spacing) or in voxels")},
          .outputs = {{.id = "labels",
                       .help = "the label of each voxel; of equally near labels the smallest",
                       .form = LabelsForm{},
                       .holds = kHeldByImage}},
          .implementations = {shared_by_ranks(influence_zones_implementation(
                                  "min-plus", Backend::Cpu,
                                  [](const InfluenceZonesProblem& problem, Context& context) {
                                    return influence_zones_by_min_plus(problem, context);
                                  })),
                              influence_zones_implementation("envelope", Backend::Cpu,
                                                             influence_zones_by_envelope)},
          .reference_algorithm = "envelope",
          .example = {.digest = "xxh64:9c5a5b7dd20e2592"}};
}

}  // namespace seedwave
