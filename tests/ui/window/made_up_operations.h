// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

#include <limits>
#include <utility>
#include <vector>

namespace seedwave::test {

/// A voxel's x, in steps of `scale` millimetres: an image output with a unit, and a second one with
/// infinities and nothing in it. Reads no seeds.
inline Operation ramp_operation() {
  Operation ramp{.id = "ramp", .title = "Ramp", .help = "How far right a voxel lies."};
  ramp.inputs = {{.kind = InputKind::Image, .help = "any"}};
  ramp.parameters = {
      {.id = "scale", .title = "Scale", .unit = "mm", .initial = 1.0, .low = 0.5, .high = 10.0}};
  ramp.outputs = {{.id = "image", .kind = OutputKind::Image, .help = "", .unit = "mm"},
                  {.id = "far", .kind = OutputKind::Image, .help = "", .none = -1.0}};
  ramp.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context& context) {
    const Context::Stage stage = context.stage("ramp");
    const Geometry& grid = inputs.image.geometry();
    std::vector<float> image;
    std::vector<float> far;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const auto x = static_cast<float>(grid.index_of(i)[0]);
      image.push_back(x * static_cast<float>(values.number("scale")));
      far.push_back(x < 2 ? -1.0F : x > 20 ? std::numeric_limits<float>::infinity() : x);
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = Volume(grid, std::move(image));
    result.outputs["far"] = Volume(grid, std::move(far));
    return result;
  };
  ramp.implementations = {plain};
  return ramp;
}

}  // namespace seedwave::test
