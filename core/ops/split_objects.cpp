// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/split_objects.h"

#include "core/ops/connectivity_parameter.h"
#include "core/ops/operation.h"

#include <string>
#include <utility>

namespace seedwave {
namespace {

Result run_solvers(const SplitSolvers& solvers, const Inputs& inputs, const Values& values,
                   Context& context) {
  const Geometry& geometry = inputs.image.geometry();
  SplitProblem problem;
  problem.objects = objects_of(inputs.image, context);
  problem.scale = spacing_scale(geometry.size, geometry.spacing);
  problem.h = values.number("h");
  problem.connectivity = connectivity_of(values);
  Result result;
  result.outputs["labels"] = split_objects(problem, solvers, context);
  result.values = values;
  return result;
}

/// Returns `split-objects` with the solvers of its steps, on any backend.
Implementation split_objects_implementation(std::string algorithm, Backend backend,
                                            SplitSolvers solvers) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solvers = std::move(solvers)](const Inputs& inputs, const Values& values,
                                                Context& context) {
            return run_solvers(solvers, inputs, values, context);
          }};
}

}  // namespace

Operation split_objects_operation() {
  return {
      .id = "split-objects",
      .title = "Split touching objects",
      .help = "Splits touching objects, such as nuclei, at their necks, and numbers them.",
      .order = 340,
      .inputs = {{.kind = InputKind::Image,
                  .help = "nonzero voxels are object, 0 is background",
                  .holds = kLabelsHeld}},
      .parameters = {{.id = "h",
                      .title = "Neck depth h",
                      .help = "Minimum difference in half width between the smaller part and the "
                              "neck; larger: fewer splits",
                      .initial = 1.0,
                      .domain =
                          NumberDomain{
                              .unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.25}},
                     connectivity_parameter()},
      .outputs = {{"labels", "a label for each object, 0 for background", LabelsForm{}}},
      .implementations = {split_objects_implementation(
                              "tiles", Backend::Cpu,
                              {distance_map, reconstruct_by_tiles, watershed_by_tiles}),
                          split_objects_implementation(
                              "flood", Backend::Cpu,
                              {distance_by_envelope, reconstruct_by_hybrid, watershed_by_flood})},
      .reference_algorithm = "flood",
      .example = {.digest = "xxh64:59013addc785e63f"}};
}

}  // namespace seedwave
