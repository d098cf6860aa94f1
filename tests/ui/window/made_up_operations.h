// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/length_scale.h"
#include "core/ops/operation_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Returns the x of a voxel, in steps of `scale` millimetres: an image output with a unit, and a
/// second one that is empty except for infinities. Reads no seeds.
inline Operation ramp_operation() {
  Operation ramp{.id = "ramp", .title = "Ramp", .help = "How far right a voxel lies."};
  ramp.inputs = {{.kind = InputKind::Image, .help = "any"}};
  ramp.parameters = {
      {.id = "scale",
       .title = "Scale",
       .initial = 1.0,
       .domain = NumberDomain{.unit = "mm", .low = 0.5, .high = 10.0}},
      {.id = "counted",
       .title = "Counted in",
       .initial = "cells",
       .domain = ChoiceDomain{{.id = "cells",
                               .title = "Cells",
                               .title_for =
                                   [](const Geometry& grid) {
                                     return std::string(grid.is_2d() ? "Pixels" : "Voxels");
                                   }},
                              {.id = "length", .title = "Lengths"}}}};
  ramp.outputs = {{.id = "image", .help = "", .form = ImageForm{.unit = "mm"}},
                  {.id = "far", .help = "", .form = ImageForm{.none = -1.0}}};
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

/// Returns the hours of a day from left to right, which are cyclic with period 24, and their
/// certainty, which is zero below the middle. Reads no seeds.
inline Operation hours_operation() {
  Operation hours{.id = "hours", .title = "Hours", .help = "What the clock says."};
  hours.inputs = {{.kind = InputKind::Image, .help = "any"}};
  hours.outputs = {
      {.id = "image", .help = "", .form = ImageForm{}},
      {.id = "hour", .help = "", .form = ImageForm{.unit = "h", .period = 24.0, .weight = "sure"}},
      {.id = "sure", .help = "", .form = ImageForm{.unit = "votes"}}};
  hours.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    const Geometry& grid = inputs.image.geometry();
    std::vector<float> hour;
    std::vector<float> sure;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const Index3 at = grid.index_of(i);
      hour.push_back(static_cast<float>(at[0]));
      sure.push_back(2 * at[1] < grid.size[1] ? 50.0F : 0.0F);
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = inputs.image;
    result.outputs["hour"] = Volume(grid, std::move(hour));
    result.outputs["sure"] = Volume(grid, std::move(sure));
    return result;
  };
  hours.implementations = {plain};
  return hours;
}

/// Divides the ball into columns of two voxels, each an object of its own. Reads no seeds.
inline Operation columns_operation() {
  Operation columns{.id = "columns", .title = "Columns", .help = "The ball in slices."};
  columns.inputs = {{.kind = InputKind::Image, .help = "bright is object"}};
  columns.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}}};
  columns.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    const Geometry& grid = inputs.image.geometry();
    std::vector<std::uint16_t> labels;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const Index3 index = grid.index_of(i);
      const bool bright = inputs.image.value_at(index) > 600.0;
      labels.push_back(bright ? static_cast<std::uint16_t>(index[0] / 2 + 1) : std::uint16_t{0});
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["labels"] = LabelMap(grid, std::move(labels));
    return result;
  };
  columns.implementations = {plain};
  return columns;
}

/// Labels the voxels at which the marker is not 0; it cannot run without the marker.
inline Operation marked_operation() {
  Operation marked{.id = "marked", .title = "Marked", .help = "Where the marker is."};
  marked.inputs = {{.kind = InputKind::Image, .help = "any"},
                   {.kind = InputKind::Marker, .required = true, .help = "where it is"}};
  marked.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}}};
  marked.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    const Geometry& grid = inputs.image.geometry();
    std::vector<std::uint16_t> labels;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i)
      labels.push_back(inputs.marker.value_at(grid.index_of(i)) != 0.0 ? 1 : 0);
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["labels"] = LabelMap(grid, std::move(labels));
    return result;
  };
  marked.implementations = {plain};
  return marked;
}

/// Gives only a curve: two bumps of that width over the angles of a line, at 40 and 120 degrees.
/// Reads no seeds.
inline Operation spectrum_operation() {
  Operation spectrum{.id = "spectrum", .title = "Spectrum", .help = "Two bumps."};
  spectrum.inputs = {{.kind = InputKind::Image, .help = "any"}};
  spectrum.parameters = {{.id = "width",
                          .title = "Width",
                          .help = "of a bump",
                          .initial = 8.0,
                          .domain = NumberDomain{.unit = "\u00b0", .low = 1.0, .high = 40.0}}};
  spectrum.outputs = {
      {.id = "spectrum",
       .help = "",
       .form =
           CurveForm{.columns = {{.id = "angle", .title = "Angle", .unit = "\u00b0", .period = 180},
                                 {.id = "response", .title = "Response"}},
                     .x_parameter = "tilt"}}};
  spectrum.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs&, const Values& values, Context& context) {
    const Context::Stage stage = context.stage("spectrum");
    const double width = values.number("width");
    Table curve{.columns = {"angle", "response"}, .rows = {}};
    for (double angle = 0; angle < 180; angle += 2.5) {
      const auto bump = [&](double at) {
        return std::exp(-(angle - at) * (angle - at) / (2 * width * width));
      };
      curve.rows.push_back({angle, 0.1 + 0.8 * bump(40) + 0.5 * bump(120)});
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["spectrum"] = std::move(curve);
    return result;
  };
  spectrum.implementations = {plain};
  return spectrum;
}

/// Gives two curves over lengths in units of the grid, both in one unit.
inline Operation sizes_operation() {
  Operation sizes{.id = "sizes", .title = "Sizes", .help = "What is left, and what was lost."};
  sizes.inputs = {{.kind = InputKind::Image, .help = "any"}};
  sizes.outputs = {
      {.id = "sizes",
       .help = "",
       .form = CurveForm{
           .columns = {
               {.id = "length",
                .title = "Length",
                .unit_for = [](const Values&, const Geometry& grid) { return grid_unit(grid); }},
               {.id = "left", .title = "Left", .unit = "%"},
               {.id = "lost", .title = "Lost", .unit = "%"}}}}};
  sizes.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs&, const Values& values, Context&) {
    Table curve{.columns = {"length", "left", "lost"}, .rows = {}};
    for (int length = 1; length <= 40; ++length)
      curve.rows.push_back({length * 1.0, 100.0 / length, 100.0 / length / (length + 1)});
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["sizes"] = std::move(curve);
    return result;
  };
  sizes.implementations = {plain};
  return sizes;
}

/// Returns the image unchanged. It has an angle with a name that no operation of the program uses
/// and that another operation's curve may have as its axis.
inline Operation tilted_operation() {
  Operation tilted{.id = "tilted", .title = "Tilted", .help = "The image."};
  tilted.inputs = {{.kind = InputKind::Image, .help = "any"}};
  tilted.parameters = {
      {.id = "tilt",
       .title = "Angle",
       .help = "of nothing",
       .initial = 0.0,
       .domain = NumberDomain{.unit = "\u00b0", .low = 0.0, .high = 180.0, .step = 0.5}}};
  tilted.outputs = {{.id = "image", .help = "", .form = ImageForm{}}};
  tilted.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = inputs.image;
    return result;
  };
  tilted.implementations = {plain};
  return tilted;
}

/// Returns the image unchanged. It takes the slope of a line, or its direction in a volume, and its
/// span.
inline Operation struck_operation() {
  Operation struck{.id = "struck", .title = "Struck", .help = "The image."};
  struck.inputs = {{.kind = InputKind::Image, .help = "any"}};
  struck.parameters = {{.id = "slope",
                        .title = "Slope",
                        .initial = 0.0,
                        .domain = NumberDomain{.unit = "\u00b0", .low = 0.0, .high = 180.0},
                        .role = DrawnAngle{},
                        .applies = Applies::Images},
                       {.id = "way",
                        .title = "Way",
                        .initial = "1,0,0",
                        .domain = DirectionDomain{},
                        .role = DrawnDirection{},
                        .applies = Applies::Volumes},
                       {.id = "span",
                        .title = "Span",
                        .initial = 8.0,
                        .domain = NumberDomain{.low = 1.0, .high = 100.0, .whole = true},
                        .role = DrawnLength{}}};
  struck.outputs = {{.id = "image", .help = "", .form = ImageForm{}}};
  struck.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = inputs.image;
    return result;
  };
  struck.implementations = {plain};
  return struck;
}

/// Returns labels 1 to 4 from left to right, or as many as requested.
inline Operation bands_operation() {
  Operation bands{.id = "bands", .title = "Bands", .help = "From left to right."};
  bands.inputs = {{.kind = InputKind::Image, .help = "any"}};
  bands.parameters = {{.id = "count",
                       .title = "Count",
                       .initial = 4.0,
                       .domain = NumberDomain{.low = 1.0, .high = 32.0}}};
  bands.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}, .holds = "bands"}};
  bands.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    const Geometry& grid = inputs.image.geometry();
    const auto count = static_cast<std::int64_t>(values.number("count"));
    std::vector<std::uint16_t> labels;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i)
      labels.push_back(static_cast<std::uint16_t>(1 + grid.index_of(i)[0] * count / grid.size[0]));
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["labels"] = LabelMap(grid, std::move(labels));
    return result;
  };
  bands.implementations = {plain};
  return bands;
}

/// Returns the program's operations and these.
inline OperationTable table_with(std::vector<Operation> made_up) {
  std::vector<Operation> operations = make_operation_table().operations();
  std::move(made_up.begin(), made_up.end(), std::back_inserter(operations));
  return OperationTable(std::move(operations));
}

}  // namespace seedwave::test
