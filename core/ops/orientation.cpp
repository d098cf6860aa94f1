// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/linear_opening.h"
#include "core/ops/line_parameters.h"
#include "core/ops/lines.h"
#include "core/ops/shared_in_parts.h"
#include "core/ops/timed_solver.h"
#include "core/parallel/shared_items.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr double kTurn = 180.0;

std::vector<double> angles_of(const Values& values) {
  return angles_between(0.0, kTurn, static_cast<std::int64_t>(values.number("angles")));
}

std::vector<Vec3> directions_in_half_sphere(const Values& values) {
  return half_sphere(static_cast<std::int64_t>(values.number("half_sphere")));
}

/// Returns an image with of(number of the direction) for each voxel.
template <typename T, typename Of>
Volume mapped(const Volume& first, Context& context, Of&& of) {
  const auto numbers = first.voxels<std::uint16_t>();
  return Volume(first.geometry(), tabulate<T>(std::ssize(numbers), context,
                                              [&](std::int64_t i) { return of(numbers[i]); }));
}

Volume angles_in(const Volume& first, const Values& values, Context& context) {
  const std::vector<double> angles = angles_of(values);
  const std::vector<float> degrees(angles.begin(), angles.end());
  return mapped<float>(first, context, [&](std::uint16_t number) { return degrees[number]; });
}

Table table_of(const std::vector<Vec3>& directions) {
  Table table{.columns = {"number", "x", "y", "z"}, .rows = {}};
  for (const Vec3& direction : directions) {
    table.rows.push_back(
        {static_cast<double>(table.rows.size()), direction[0], direction[1], direction[2]});
  }
  return table;
}

/// Returns the contrast of the strongest response to the background: the image opened (dark lines:
/// closed) by a square or cube as long as the line along each axis, with the same border. The
/// square consists of horizontal lines, so the opening along one of them is never below it.
Volume response_of(const Volume& strongest, const Inputs& inputs, const Values& values,
                   Context& context) {
  const Context::Stage stage = context.stage("response");
  const Geometry& geometry = strongest.geometry();
  Index3 length{1, 1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    Vec3 along{0.0, 0.0, 0.0};
    along[axis] = 1.0;
    length[axis] = cells_of_length(values, LineFamily::along(along, geometry.size), geometry);
  }
  const LineFilter filter = filter_of(values);
  const Volume ground = box_opening(inputs.image, length, border_of(values), filter, context);
  const double sign = filter == LineFilter::Opening ? 1.0 : -1.0;
  return visit_voxels(strongest, [&](auto answers) {
    using Voxel = typename decltype(answers)::value_type;
    const auto below = ground.voxels<Voxel>();
    const auto response = [&](std::int64_t i) {
      const double answer = static_cast<double>(answers[i]);
      const double rise = sign * (answer - static_cast<double>(below[i]));
      return static_cast<float>(std::max(0.0, rise));
    };
    return Volume(geometry, tabulate<float>(std::ssize(answers), context, response));
  });
}

Result result_of(OrientationMap map, const Inputs& inputs, const Values& values, Context& context) {
  Result result;
  result.outputs["response"] = response_of(map.strongest, inputs, values, context);
  result.outputs["image"] = std::move(map.strongest);
  if (map.first.geometry().is_2d()) {
    result.outputs["angle"] = angles_in(map.first, values, context);
  } else {
    result.outputs["direction"] = mapped<std::int32_t>(
        map.first, context, [](std::uint16_t number) { return std::int32_t{number}; });
    result.outputs["directions"] = table_of(directions_in_half_sphere(values));
  }
  result.values = values;
  return result;
}

}  // namespace

LineFanProblem orientation_problem(const Inputs& inputs, const Values& values) {
  const Geometry& geometry = inputs.image.geometry();
  LineFanProblem problem{
      .image = inputs.image, .border = border_of(values), .filter = filter_of(values)};
  if (geometry.is_2d()) {
    problem.directions = segments_at(angles_of(values), values, geometry);
    return problem;
  }
  for (const Vec3& direction : directions_in_half_sphere(values)) {
    const LineFamily lines = lines_toward(direction, geometry);
    problem.directions.push_back({lines, cells_of_length(values, lines, geometry)});
  }
  return problem;
}

Implementation orientation_implementation(std::string algorithm, Backend backend,
                                          OrientationSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = timed_solver(backend, std::move(solver))](
                     const Inputs& inputs, const Values& values, Context& context) {
            OrientationMap map = solver(orientation_problem(inputs, values), context);
            leave_to_first(context);
            return result_of(std::move(map), inputs, values, context);
          }};
}

Operation orientation_operation() {
  Operation operation{
      .id = "orientation",
      .title = "Orientation of lines",
      .help =
          "Opens the image along lines in all directions; keeps the strongest response and its "
          "direction.",
      .order = 630,
      .inputs = {{InputKind::Image, true, "bright or dark lines on a background"}},
      .parameters = {lines_parameter("bright"),
                     length_parameter(41.0),
                     length_in_parameter(),
                     {.id = "angles",
                      .title = "Angles",
                      .help = "Number of angles, evenly spaced over 180 degrees from 0",
                      .initial = 180.0,
                      .domain = NumberDomain{.low = 1.0, .high = 720.0, .whole = true},
                      .applies = Applies::Images},
                     {.id = "half_sphere",
                      .title = "Directions",
                      .help = "Number of directions, evenly distributed over the half sphere",
                      .initial = 100.0,
                      .domain = NumberDomain{.low = 1.0, .high = 1000.0, .whole = true},
                      .applies = Applies::Volumes},
                     border_parameter()},
      .outputs = {{.id = "image",
                   .help = "supremum of the openings (dark lines: infimum of the closings)",
                   .form = ImageForm{.unit = "image units"}},
                  {.id = "angle",
                   .help = "f32, degrees counter-clockwise from the right, below 180: the smallest "
                           "angle with this response",
                   .form = ImageForm{.unit = "\u00b0", .period = kTurn, .weight = "response"},
                   .applies = Applies::Images},
                  {.id = "response",
                   .help = "f32, contrast of `image` to the background, which is the image opened "
                           "(dark lines: closed) by a square or cube as wide as the line is "
                           "long, with the same border",
                   .form = ImageForm{.unit = "image units"}},
                  {.id = "direction",
                   .help = "i32, number of the first direction with this response, a row of "
                           "`directions`",
                   .form = ImageForm{},
                   .applies = Applies::Volumes},
                  {.id = "directions",
                   .help = "the directions, unit vectors along the volume's own axes",
                   .form = TableForm{.columns = {{.id = "number", .title = "Number"},
                                                 {.id = "x", .title = "x"},
                                                 {.id = "y", .title = "y"},
                                                 {.id = "z", .title = "z"}}},
                   .applies = Applies::Volumes}},
      .implementations = {shared_in_parts(
          orientation_implementation("strips", Backend::Cpu, orientation))},
      .reference_algorithm = kReferenceLines,
      .example = {.digest = "xxh64:2b8b3e481c474b3f"}};
  for (NamedLineSolver& solver : line_solvers_on_cpu()) {
    if (solver.algorithm == "strips") continue;
    operation.implementations.push_back(orientation_implementation(
        solver.algorithm, Backend::Cpu,
        [open = std::move(solver.open)](const LineFanProblem& problem, Context& context) {
          return orientation_by(open, problem, context);
        }));
  }
  return operation;
}

}  // namespace seedwave
