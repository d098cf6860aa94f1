// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "core/ops/label_cleaning.h"
#include "core/ops/operation.h"

#include <utility>
#include <vector>

namespace seedwave {
namespace {

Result run_clean_labels(const Inputs& inputs, const Values& given, Context& context) {
  const auto stage = context.stage("propagate");
  Values values = given;
  CleanLabelsProblem problem =
      cleaning_problem(labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); }),
                       inputs.seeds.seeds, values);
  if (values.word("removed") == "none") problem.unclaimed = Unclaimed::Nothing;
  Result result;
  result.outputs["labels"] = clean_labels(problem, context);
  result.values = std::move(values);
  return result;
}

}  // namespace

Operation clean_labels_operation() {
  std::vector<Parameter> parameters = cleaning_parameters();
  parameters.push_back(removed_parameter());
  return {.id = "clean-labels",
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
          .implementations = {{.algorithm = "by-label",
                               .backend = Backend::Cpu,
                               .exactness = Exactness::Exact,
                               .run = run_clean_labels}},
          .reference_algorithm = "by-label",
          .example = {.digest = "xxh64:f913fe0c8f5ac73c"}};
}

}  // namespace seedwave
