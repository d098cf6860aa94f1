// SPDX-License-Identifier: Apache-2.0
#include "core/ops/line_parameters.h"
#include "core/ops/lines.h"
#include "core/ops/timed_solver.h"

#include <utility>

namespace seedwave {
namespace {

Operation line_operation(LineFilter filter, std::string title, std::string help, int order,
                         std::string of_image, std::string digest) {
  Operation operation{
      .id = id_of(filter),
      .title = std::move(title),
      .help = std::move(help),
      .order = order,
      .inputs = {{InputKind::Image, true, std::move(of_image)}},
      .parameters = {angle_parameter(), direction_parameter(), length_parameter(41.0),
                     length_in_parameter(), border_parameter()},
      .outputs =
          {{.id = "image",
            .help =
                "the filtered image, of the same type; where no line fits, the type's lowest value "
                "(closing: highest)",
            .form = ImageForm{.unit = "image units"}}},
      .implementations = {},
      .reference_algorithm = kReferenceLines,
      .example = {.digest = std::move(digest)}};
  for (NamedLineSolver& solver : line_solvers_on_cpu()) {
    // Those of papers process the whole image.
    const Sharing sharing = solver.algorithm == "strips" ? Sharing::InParts : Sharing::None;
    operation.implementations.push_back(linear_opening_implementation(
        filter, std::move(solver.algorithm), Backend::Cpu, std::move(solver.open)));
    operation.implementations.back().sharing = sharing;
  }
  return operation;
}

}  // namespace

std::string id_of(LineFilter filter) {
  return filter == LineFilter::Opening ? "linear-opening" : "linear-closing";
}

LinearOpeningProblem linear_opening_problem(LineFilter filter, const Inputs& inputs,
                                            const Values& values) {
  const Geometry& geometry = inputs.image.geometry();
  const LineFamily lines = lines_of(values, geometry);
  return {.image = inputs.image,
          .lines = lines,
          .length = cells_of_length(values, lines, geometry),
          .border = border_of(values),
          .filter = filter};
}

Implementation linear_opening_implementation(LineFilter filter, std::string algorithm,
                                             Backend backend, LinearOpeningSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [filter, solver = timed_solver(backend, std::move(solver))](
                     const Inputs& inputs, const Values& values, Context& context) {
            Result result;
            result.outputs["image"] =
                solver(linear_opening_problem(filter, inputs, values), context);
            result.values = values;
            return result;
          }};
}

Operation linear_opening_operation() {
  return line_operation(
      LineFilter::Opening, "Linear opening",
      "Keeps bright structures that hold a line of this length and angle, and removes all others.",
      610, "bright structures on a darker background", "xxh64:3a6779d6d73f9c0a");
}

Operation linear_closing_operation() {
  return line_operation(
      LineFilter::Closing, "Linear closing",
      "Keeps dark structures that hold a line of this length and angle, and removes all others.",
      620, "dark structures on a brighter background", "xxh64:33347d60601089b5");
}

}  // namespace seedwave
