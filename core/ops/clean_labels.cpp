// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "core/ops/label_cleaning.h"
#include "core/ops/operation.h"
#include "core/ops/segment.h"

#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

Result run_clean_labels(const CleaningSolver& solver, const Inputs& inputs, const Values& given,
                        Context& context) {
  Values values = given;
  CleanLabelsProblem problem =
      cleaning_problem(inputs.image.geometry(), inputs.seeds.seeds, values);
  {
    const auto stage = context.stage("prepare");
    problem.labels = labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); });
  }
  if (values.word("removed") == "none") problem.unclaimed = Unclaimed::Nothing;
  Result result;
  result.outputs["labels"] = solver(problem, context);
  result.values = std::move(values);
  return result;
}

LabelMap cleaned_by_label(const CleanLabelsProblem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  return clean_labels(problem, context);
}

}  // namespace

Implementation clean_labels_implementation(std::string algorithm, Backend backend,
                                           CleaningSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                              Context& context) {
            return run_clean_labels(solver, inputs, values, context);
          }};
}

Operation clean_labels_operation() {
  std::vector<Parameter> parameters = cleaning_parameters();
  parameters.push_back(removed_parameter());
  return {
      .id = "clean-labels",
      .title = "Clean up labels",
      .help = "Removes specks, fills holes and smooths the outlines of labels.",
      .order = 345,
      .inputs = {{.kind = InputKind::Image,
                  .help = "label map; 0 is unlabelled",
                  .holds = kLabelsHeld},
                 {InputKind::Seeds, false, "voxels that keep their label, with their parts"}},
      .parameters = std::move(parameters),
      .outputs = {{.id = "labels",
                   .help = "the labels after clean-up",
                   .form = LabelsForm{},
                   .holds = kHeldByImage}},
      .implementations = {clean_labels_implementation("by-label", Backend::Cpu, cleaned_by_label)},
      .reference_algorithm = "by-label",
      .example = {.digest = "xxh64:f913fe0c8f5ac73c"}};
}

}  // namespace seedwave
