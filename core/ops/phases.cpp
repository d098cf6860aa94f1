// SPDX-License-Identifier: Apache-2.0
#include "core/texture/phases.h"

#include "core/ops/phase_picture.h"
#include "core/ops/phases_parameters.h"

#include <string>
#include <utility>

namespace seedwave {
namespace {

Result run_k_means(const Inputs& inputs, const Values& values, Context& context) {
  const auto count = static_cast<std::int64_t>(values.number("count"));
  Phases found =
      phases({.image = inputs.image, .count = count, .stains = stains_of(values)}, context);
  Result result;
  result.outputs["labels"] = std::move(found.labels);
  result.values = values;
  if (found.count < count) {
    result.warnings.push_back("only " + std::to_string(found.count) +
                              " phases: the image has no more different colours or values");
  }
  return result;
}

}  // namespace

Operation phases_operation() {
  return {
      .id = "phases",
      .title = "Phases",
      .help = "Groups the colours or values of an image into phases: nuclei, cytoplasm, glass ...",
      .order = 710,
      .inputs = {{.kind = InputKind::Image,
                  .help = "a colour image, or one value per pixel",
                  .components = 0}},
      .parameters = {{.id = "count",
                      .title = "Phases",
                      .help = "Number of phases, numbered from dark to bright",
                      .initial = 4.0,
                      .domain =
                          NumberDomain{
                              .low = 2.0, .high = static_cast<double>(kMostPhases), .whole = true}},
                     stains_parameter()},
      .outputs = {{.id = "labels",
                   .help = "the phase of each pixel, 1 is the darkest",
                   .form = LabelsForm{.ranked = true},
                   .holds = kPhasesHeld}},
      .implementations = {{.algorithm = "k-means",
                           .backend = Backend::Cpu,
                           .exactness = Exactness::Exact,
                           .run = run_k_means}},
      .reference_algorithm = "k-means",
      .example = {.digest = "xxh64:fcd32ac8bf30bc0b"}};
}

}  // namespace seedwave
