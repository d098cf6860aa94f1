// SPDX-License-Identifier: Apache-2.0
#include "core/filters/gradient_magnitude.h"

#include "core/filters/gaussian.h"
#include "core/image/length_scale.h"
#include "core/ops/operation.h"

namespace seedwave {
namespace {

Result run_gradient_magnitude(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("gradient");
  const Vec3 sigma = in_voxels(values.number("sigma"), inputs.image.geometry());
  Result result;
  result.outputs["image"] = gradient_magnitude(inputs.image, sigma, context);
  result.values = values;
  return result;
}

}  // namespace

Operation gradient_magnitude_operation() {
  return {
      .id = "gradient-magnitude",
      .title = "Gradient magnitude",
      .help = "Computes how steeply the smoothed image rises at each voxel: high at boundaries.",
      .order = 230,
      .inputs = {{InputKind::Image, true, "one channel"}},
      .parameters = {{.id = "sigma",
                      .title = "Sigma",
                      .help = "Standard deviation of the Gaussian that smooths the image "
                              "first; 0: none",
                      .initial = 1.0,
                      .domain =
                          NumberDomain{
                              .unit = kGridLength, .low = 0.0, .high = 100.0, .step = 0.1}}},
      .outputs = {{.id = "image",
                   .help = "f32: length of the gradient, in image units per mm (per pixel in "
                           "2-D)",
                   .form = ImageForm{.unit_for =
                                         [](const Values&, const Geometry& geometry) {
                                           return "image units/" + grid_unit(geometry);
                                         }}}},
      .implementations = {{.algorithm = "separable", .run = run_gradient_magnitude}},
      .reference_algorithm = "separable",
      .example = {.digest = "xxh64:f6e565640c8d378f"}};
}

}  // namespace seedwave
