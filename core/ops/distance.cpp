// SPDX-License-Identifier: Apache-2.0
#include "core/image/crop.h"
#include "core/image/length_scale.h"
#include "core/ops/each_label.h"
#include "core/ops/morphology.h"
#include "core/ops/shared_in_parts.h"
#include "core/parallel/shared_items.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

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

Result result_of(DistanceMap map, const Values& values) {
  Result result;
  result.outputs["image"] = std::move(map.distance);
  if (!map.nearest.empty()) result.outputs[kNearest] = std::move(map.nearest);
  result.values = values;
  return result;
}

/// Returns the distances in each label to the nearest voxel outside that label, of T.
template <typename T>
DistanceMap distances_in_labels(const LabelledObjects& objects, DistanceProblem problem,
                                const DistanceSolver& solver, Context& context) {
  const Geometry& whole = objects.labels.geometry();
  const auto count = static_cast<std::size_t>(whole.voxel_count());
  std::vector<T> distances(count);
  std::vector<std::int32_t> nearest(problem.nearest == NearestCells::Find ? count : 0);
  std::iota(nearest.begin(), nearest.end(), 0);
  // The box of a label is too small to divide.
  leave_to_first(context);
  Context::Settings alone = context.for_part(0.0, 1.0);
  alone.ranks = nullptr;
  alone.workers.clear();
  Context undivided(alone);
  Context& within = context.is_shared() ? undivided : context;
  visit_label_masks(objects, 1, context, [&](const LabelMask& each) {
    problem.objects = each.mask;
    const DistanceMap map = solver(problem, within);
    const auto mask = each.mask.voxels<std::uint8_t>();
    const auto lengths = map.distance.voxels<T>();
    for (std::int64_t i = 0; i < std::ssize(mask); ++i) {
      if (mask[i] == 0) continue;
      const std::int64_t at = offset_in_whole(i, each.box, whole);
      distances[at] = lengths[i];
      if (map.nearest.empty()) continue;
      const std::int32_t of = map.nearest.voxels<std::int32_t>()[i];
      nearest[at] = of < 0 ? of : static_cast<std::int32_t>(offset_in_whole(of, each.box, whole));
    }
  });
  return {.distance = Volume(whole, std::move(distances)),
          .nearest = nearest.empty() ? Volume() : Volume(whole, std::move(nearest))};
}

Result run_distance_on_labels(const DistanceSolver& solver, const Inputs& inputs,
                              const Values& given, Context& context) {
  Values values = given;
  const LabelledObjects objects = labelled_objects(inputs, values, context);
  const DistanceProblem problem = distance_question(inputs, values);
  check_distance_fits(inputs.labels.geometry(), problem.form, problem.nearest);
  return result_of(problem.form == DistanceForm::SquareInVoxels
                       ? distances_in_labels<std::int32_t>(objects, problem, solver, context)
                       : distances_in_labels<float>(objects, problem, solver, context),
                   values);
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
          .run =
              [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                           Context& context) {
                if (inputs.reads() == Reads::Labels)
                  return run_distance_on_labels(solver, inputs, values, context);
                DistanceMap map = solver(distance_problem(inputs, values, context), context);
                leave_to_first(context);
                return result_of(std::move(map), values);
              },
          .why_not = labels_on_cpu_alone(backend)};
}

/// Returns the paper's algorithm.
Implementation by_propagation() {
  Implementation made =
      distance_implementation("iwpp-edt", Backend::Cpu, distance_by_iwpp, Exactness::Approximate);
  made.sharing = Sharing::BySlabs;
  return made;
}

Operation distance_operation() {
  return {
      .id = "distance",
      .title = "Distance transform",
      .help = "Exact distance from each object voxel to the nearest background voxel.",
      .order = 310,
      .inputs = {{.kind = InputKind::Image,
                  .help = "nonzero voxels are object, 0 is background",
                  .holds = kLabelsHeld},
                 labels_in_place("label map in place of the image: distances to the nearest voxel "
                                 "outside the own label")},
      .parameters = {units_parameter("Distances in millimetres (by the spacing) or in voxels"),
                     {.id = "squared",
                      .title = "Squared",
                      .help = "yes: squared distances, which are whole numbers in voxels",
                      .initial = "no",
                      .domain = ChoiceDomain{{"no", "No"}, {"yes", "Yes"}}},
                     background_parameter()},
      .outputs =
          {{.id = "image",
            .help =
                "f32, infinite without background; squared in voxels: i32, -1 without background",
            .form = ImageForm{.unit_for = unit_of_distance}},
           {.id = kNearest,
            .help = "i32: offset of the nearest background voxel, x fastest; -1 without background",
            .form = ImageForm{.none = -1.0},
            .on_request = true}},
      .implementations = {shared_in_parts(
                              distance_implementation("min-plus", Backend::Cpu, distance_map)),
                          distance_implementation("envelope", Backend::Cpu, distance_by_envelope),
                          by_propagation()},
      .reference_algorithm = "envelope",
      .example = {.digest = "xxh64:14a3c245daf9004a"}};
}

}  // namespace seedwave
