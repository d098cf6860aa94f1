// SPDX-License-Identifier: Apache-2.0
#include "core/ops/line_parameters.h"

#include "core/base/error.h"
#include "core/image/length_scale.h"
#include "core/ops/direction_text.h"

#include <algorithm>
#include <cmath>

namespace seedwave {
namespace {

constexpr double kLongest = 100'000.0;

std::string title_of_cells(const Geometry& geometry) {
  return geometry.is_2d() ? "Pixels along the line" : "Voxels along the line";
}

LineCount count_of(const Values& values) {
  const bool by_ruler = values.has("length_in") && values.word("length_in") == "euclidean";
  return by_ruler ? LineCount::Ruler : LineCount::Voxels;
}

/// On a 2-D image lengths are in pixels, whatever their size.
std::string title_of_lengths(const Geometry& geometry) {
  return "Euclidean (" + (geometry.is_2d() ? std::string("pixels") : grid_unit(geometry)) + ")";
}

}  // namespace

Parameter length_parameter(double initial) {
  return {.id = "length",
          .title = "Length",
          .help = "Length of the line; structures that are shorter along it are removed",
          .initial = initial,
          .domain = NumberDomain{.unit = "pixels or voxels, or the unit of length_in",
                                 .low = 1.0,
                                 .high = kLongest,
                                 .scale = Scale::Logarithmic,
                                 .whole = true},
          .role = DrawnLength{.counted = count_of}};
}

Parameter length_in_parameter() {
  return {
      .id = "length_in",
      .title = "Length unit",
      .help =
          "pixels: voxels along the line's longest axis; euclidean: Euclidean length, in "
          "pixels on images and in mm on volumes",
      .initial = "pixels",
      .domain =
          ChoiceDomain{{.id = "pixels", .title = "Pixels", .title_for = title_of_cells},
                       {.id = "euclidean", .title = "Euclidean", .title_for = title_of_lengths}},
      .advanced = true};
}

Parameter angle_parameter() {
  return {.id = "angle",
          .title = "Angle",
          .help = "Angle of the line, counter-clockwise from the right",
          .initial = 0.0,
          .domain = NumberDomain{.unit = "\u00b0", .low = -90.0, .high = 180.0, .step = 0.5},
          .role = DrawnAngle{},
          .applies = Applies::Images};
}

Parameter direction_parameter() {
  return {
      .id = "direction",
      .title = "Direction",
      .help =
          "Direction of the line, X,Y,Z in mm along the volume's own axes; only their ratio counts",
      .initial = "0,0,1",
      .domain = DirectionDomain{},
      .role = DrawnDirection{},
      .applies = Applies::Volumes};
}

Parameter border_parameter() {
  return {.id = "border",
          .title = "Border",
          .help =
              "Positions of the line: anchor, with its centre in the image; inside, all of it; "
              "ignore, any part of it",
          .initial = "anchor",
          .domain = ChoiceDomain{{"anchor", "Centre of the line inside"},
                                 {"inside", "Whole line inside"},
                                 {"ignore", "Part of the line inside"}},
          .advanced = true};
}

Parameter lines_parameter(const std::string& initial) {
  return {.id = "lines",
          .title = "Lines",
          .help = "bright: supremum of openings; dark: infimum of closings",
          .initial = initial,
          .domain = ChoiceDomain{{"bright", "Bright"}, {"dark", "Dark"}}};
}

LineBorder border_of(const Values& values) {
  const std::string& border = values.word("border");
  if (border == "inside") return LineBorder::Inside;
  return border == "ignore" ? LineBorder::Ignore : LineBorder::Anchor;
}

LineFilter filter_of(const Values& values) {
  return values.word("lines") == "dark" ? LineFilter::Closing : LineFilter::Opening;
}

LineFamily lines_of(const Values& values, const Geometry& geometry) {
  if (geometry.is_2d()) return LineFamily::at_angle(values.number("angle"), geometry.size);
  return lines_toward(parse_direction(values.word("direction")).value(), geometry);
}

LineFamily lines_toward(const Vec3& direction, const Geometry& geometry) {
  Vec3 cells{};
  for (int axis = 0; axis < 3; ++axis)
    cells[axis] = direction[axis] / geometry.spacing[axis];
  return LineFamily::along(cells, geometry.size);
}

std::int64_t cells_of_length(const Values& values, const LineFamily& lines,
                             const Geometry& geometry) {
  const double length = values.number("length");
  if (count_of(values) == LineCount::Voxels) return std::llround(length);
  Vec3 step = lines.step();
  for (int axis = 0; axis < 3 && !geometry.is_2d(); ++axis)
    step[axis] *= geometry.spacing[axis];
  const double each = std::hypot(step[0], step[1], step[2]);
  // Beyond any grid: the result is the same, without overflow.
  constexpr double kMost = 1e9;
  return std::max<std::int64_t>(1, std::llround(std::min(kMost, length / each)));
}

std::vector<double> angles_between(double from, double to, std::int64_t count) {
  std::vector<double> angles;
  for (std::int64_t i = 0; i < count; ++i)
    angles.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count));
  return angles;
}

std::vector<LineSegments> segments_at(const std::vector<double>& angles, const Values& values,
                                      const Geometry& geometry) {
  std::vector<LineSegments> segments;
  for (const double angle : angles) {
    const LineFamily lines = LineFamily::at_angle(angle, geometry.size);
    segments.push_back({lines, cells_of_length(values, lines, geometry)});
  }
  return segments;
}

std::vector<NamedLineSolver> line_solvers_on_cpu() {
  std::vector<NamedLineSolver> solvers{{"strips", linear_opening}};
  for (const LineAlgorithm algorithm : {LineAlgorithm::Naive, LineAlgorithm::Hgw,
                                        LineAlgorithm::Morard, LineAlgorithm::Bartovsky}) {
    solvers.push_back(
        {name_of(algorithm), [algorithm](const LinearOpeningProblem& problem, Context& context) {
           return linear_opening_by(algorithm, problem, context);
         }});
  }
  return solvers;
}

}  // namespace seedwave
