// SPDX-License-Identifier: Apache-2.0
#include "core/image/length_scale.h"
#include "core/ops/morphology.h"

#include <utility>

namespace seedwave {
namespace {

constexpr const char* kNearest = "nearest";

DistanceForm form_of(const Values& values) {
  if (values.word("squared") == "no") return DistanceForm::Length;
  return values.word("units") == "voxel" ? DistanceForm::SquareInVoxels : DistanceForm::Square;
}

std::string unit_of_distance(const Values& values, const Geometry& geometry) {
  std::string unit = grid_unit(geometry);
  if (values.word("units") == "voxel") unit = geometry.is_2d() ? "px" : "voxels";
  return values.word("squared") == "yes" ? unit + "\u00b2" : unit;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text;
}

/// Without a pixel size, pixels are the only unit.
std::string title_by_size(const Geometry& geometry) {
  return geometry.unit == LengthUnit::Pixel ? std::string()
                                            : capitalised(length_scale(geometry).plural);
}

std::string title_by_count(const Geometry& geometry) {
  return geometry.is_2d() ? "Pixels" : "Voxels";
}

}  // namespace

Parameter units_parameter(std::string help) {
  return {.id = "units",
          .title = "Units",
          .help = std::move(help),
          .initial = "mm",
          .domain = ChoiceDomain{{.id = "mm", .title = "Millimetres", .title_for = title_by_size},
                                 {.id = "voxel", .title = "Voxels", .title_for = title_by_count}}};
}

DistanceScale distance_scale(const Inputs& inputs, const Values& values) {
  if (values.word("units") == "voxel") return voxel_scale();
  const Geometry& geometry = inputs.image.geometry();
  return spacing_scale(geometry.size, geometry.spacing);
}

DistanceProblem distance_question(const Inputs& inputs, const Values& values) {
  DistanceProblem problem;
  problem.form = form_of(values);
  problem.nearest = inputs.requested.contains(kNearest) ? NearestCells::Find : NearestCells::Skip;
  problem.scale = distance_scale(inputs, values);
  return problem;
}

DistanceProblem distance_problem(const Inputs& inputs, const Values& values, Context& context) {
  DistanceProblem problem = distance_question(inputs, values);
  check_distance_fits(inputs.image.geometry(), problem.form, problem.nearest);
  problem.objects = objects_of(inputs.image, context);
  return problem;
}

Implementation distance_implementation(std::string algorithm, Backend backend,
                                       DistanceSolver solver, Exactness exactness) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = exactness,
          .run = [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                              Context& context) {
            DistanceMap map = solver(distance_problem(inputs, values, context), context);
            Result result;
            result.outputs["image"] = std::move(map.distance);
            if (!map.nearest.empty()) result.outputs[kNearest] = std::move(map.nearest);
            result.values = values;
            return result;
          }};
}

Operation distance_operation() {
  return {
      .id = "distance",
      .title = "Distance transform",
      .help = "Exact distance from each object voxel to the nearest background voxel.",
      .order = 310,
      .inputs = {{.kind = InputKind::Image,
                  .help = "nonzero voxels are object, 0 is background",
                  .holds = kLabelsHeld}},
      .parameters = {units_parameter("Distances in millimetres (by the spacing) or in voxels"),
                     {.id = "squared",
                      .title = "Squared",
                      .help = "yes: squared distances, which are whole numbers in voxels",
                      .initial = "no",
                      .domain = ChoiceDomain{{"no", "No"}, {"yes", "Yes"}}}},
      .outputs =
          {{.id = "image",
            .help =
                "f32, infinite without background; squared in voxels: i32, -1 without background",
            .form = ImageForm{.unit_for = unit_of_distance}},
           {.id = kNearest,
            .help = "i32: offset of the nearest background voxel, x fastest; -1 without background",
            .form = ImageForm{.none = -1.0},
            .on_request = true}},
      .implementations = {distance_implementation("min-plus", Backend::Cpu, distance_map),
                          distance_implementation("envelope", Backend::Cpu, distance_by_envelope),
                          distance_implementation("iwpp-edt", Backend::Cpu, distance_by_iwpp,
                                                  Exactness::Approximate)},
      .reference_algorithm = "envelope",
      .example = {.digest = "xxh64:14a3c245daf9004a"}};
}

}  // namespace seedwave
