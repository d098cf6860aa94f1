// SPDX-License-Identifier: Apache-2.0
#include "core/border/refine_border.h"

#include "core/ops/border_models.h"
#include "core/ops/operation.h"
#include "core/ops/segment.h"

#include <string>
#include <utility>

namespace seedwave {
namespace {

Result run_refine_border(const BorderSolver& solver, const Inputs& inputs, const Values& given,
                         Context& context) {
  Values values = given;
  border::RefineBorderProblem problem{.image = inputs.image,
                                      .labels = inputs.labels,
                                      .seeds = inputs.seeds.seeds,
                                      .mask = inputs.mask};
  {
    const auto stage = context.stage("prepare");
    set_up_border(values, problem, problem.seeds, 0, context);
  }
  Result result;
  result.outputs["labels"] = solver(problem, context);
  result.values = std::move(values);
  return result;
}

LabelMap refined_by_two_trees(const border::RefineBorderProblem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  return border::refine_border(problem, context);
}

}  // namespace

Implementation refine_border_implementation(std::string algorithm, Backend backend,
                                            BorderSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                              Context& context) {
            return run_refine_border(solver, inputs, values, context);
          }};
}

Operation refine_border_operation() {
  return {.id = "refine-border",
          .title = "Refine borders",
          .help =
              "Moves the borders of labels to where the image has them, by exact minimum cuts in a "
              "band around each border.",
          .order = 343,
          .inputs = {{InputKind::Image, true, "the image that the labels belong to, one channel"},
                     {.kind = InputKind::Labels,
                      .help = "label map to refine; 0 is unlabelled",
                      .holds = kLabelsHeld},
                     {InputKind::Seeds, false, "voxels that keep their label"},
                     {InputKind::Mask, false, "voxels outside keep their label"}},
          .parameters = border_parameters(),
          .outputs = {{.id = "labels",
                       .help = "the labels with refined borders",
                       .form = LabelsForm{},
                       .holds = kHeldByImage}},
          .implementations = {refine_border_implementation("two-trees", Backend::Cpu,
                                                           refined_by_two_trees)},
          .reference_algorithm = "two-trees",
          .example = {.digest = "xxh64:0799f3a807198cc4"}};
}

}  // namespace seedwave
