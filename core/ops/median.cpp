// SPDX-License-Identifier: Apache-2.0
#include "core/filters/median.h"

#include "core/ops/operation.h"

namespace seedwave {
namespace {

/// Runs one of the algorithms.
template <Volume (*filter)(const Volume&, double, Context&)>
Result run_median(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("median");
  Result result;
  result.outputs["image"] = filter(inputs.image, values.number("radius"), context);
  result.values = values;
  return result;
}

}  // namespace

Operation median_operation() {
  return {.id = "median",
          .title = "Median filter",
          .help =
              "Replaces each voxel by the median of a disc or ball around it: reduces noise and "
              "keeps edges.",
          .order = 220,
          .inputs = {{InputKind::Image, true, "one channel"}},
          .parameters = {{.id = "radius",
                          .title = "Radius",
                          .help = "Radius of the disc, or of the ball on volumes",
                          .initial = 2.0,
                          .domain =
                              NumberDomain{
                                  .unit = kGridLength, .low = 0.0, .high = 50.0, .step = 0.5}}},
          .outputs = {{.id = "image",
                       .help = "the filtered image, of the image's type",
                       .form = ImageForm{.unit = "image units"}}},
          .implementations = {{.algorithm = "bits", .run = run_median<median_filtered>},
                              {.algorithm = "selection", .run = run_median<median_by_selection>}},
          .reference_algorithm = "selection",
          .example = {.digest = "xxh64:b8554193155b3d94"}};
}

}  // namespace seedwave
