// SPDX-License-Identifier: Apache-2.0
#include "core/filters/gaussian.h"

#include "core/ops/operation.h"

namespace seedwave {
namespace {

Result run_gaussian(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("smooth");
  const Vec3 sigma = in_voxels(values.number("sigma"), inputs.image.geometry());
  Result result;
  result.outputs["image"] = gaussian(inputs.image, sigma, context);
  result.values = values;
  return result;
}

}  // namespace

Operation gaussian_operation() {
  return {.id = "gaussian",
          .title = "Gaussian smoothing",
          .help = "Smooths the image by a Gaussian, to reduce noise.",
          .order = 210,
          .inputs = {{InputKind::Image, true, "one channel"}},
          .parameters = {{.id = "sigma",
                          .title = "Sigma",
                          .help = "Standard deviation of the Gaussian; 0: none",
                          .initial = 1.0,
                          .domain =
                              NumberDomain{
                                  .unit = kGridLength, .low = 0.0, .high = 100.0, .step = 0.1}}},
          .outputs = {{.id = "image",
                       .help = "the smoothed image, of the image's type",
                       .form = ImageForm{.unit = "image units"}}},
          .implementations = {{.algorithm = "separable", .run = run_gaussian}},
          .reference_algorithm = "separable",
          .example = {.digest = "xxh64:b8594a3686265b25"}};
}

}  // namespace seedwave
