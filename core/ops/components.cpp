// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/labels_from.h"
#include "core/morphology/connected_parts.h"
#include "core/morphology/measure_objects.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/each_label.h"
#include "core/ops/grid_size.h"
#include "core/ops/object_table.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kSmallest = "smallest";
constexpr const char* kEach = "each";
constexpr const char* kLabel = "label";
constexpr const char* kMeasures = "measures";
constexpr const char* kSizeAlone = "size";

InputSpec parts_input() {
  return {.kind = InputKind::Image,
          .help = "label map or objects: whole numbers, 0 is background",
          .holds = kLabelsHeld};
}

/// Returns the image as labels, which share its voxels where they can.
LabelMap image_labels(const Inputs& inputs, Context& context) {
  return labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); });
}

Parameter smallest_part_parameter(const char* help) {
  return {.id = kSmallest,
          .title = "Smallest part",
          .help = help,
          .initial = 0.0,
          .domain = NumberDomain{.unit = kGridSize, .low = 0.0, .high = 1e6, .step = 1.0}};
}

std::int64_t fewest_voxels(const Inputs& inputs, const Values& values) {
  return voxels_in(values.number(kSmallest), inputs.image.geometry());
}

Result run_components(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("components");
  Result result;
  result.outputs["labels"] =
      number_connected_parts(image_labels(inputs, context), connectivity_of(values),
                             fewest_voxels(inputs, values), context);
  result.values = values;
  return result;
}

/// Returns the objects of a run, without shape or intensity.
MeasuredObjects objects_alone(const LabelMap& labels, const ObjectRules& rules, Context& context) {
  MeasuredObjects found;
  found.objects = connected_parts(labels, rules.connectivity, rules.smallest, context);
  if (rules.are == ObjectsAre::Labels) found.objects = joined_by_label(std::move(found.objects));
  return found;
}

Result run_measure(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("measure");
  const Geometry& grid = inputs.image.geometry();
  const bool in_image = inputs.reads() == Reads::Labels;
  if (!in_image && inputs.image.components() != 1)
    throw InputError("a colour image holds no objects: give them as labels");
  const LabelMap labels = in_image ? inputs.labels : image_labels(inputs, context);
  const ObjectRules rules{
      .are = values.word(kEach) == kLabel ? ObjectsAre::Labels : ObjectsAre::Parts,
      .connectivity = connectivity_of(values),
      .smallest = fewest_voxels(inputs, values)};
  Result result;
  result.values = values;
  if (values.word(kMeasures) == kSizeAlone) {
    result.outputs["objects"] =
        object_table(size_columns(), objects_alone(labels, rules, context), grid);
    return result;
  }
  const MeasuredObjects objects =
      measure_objects(labels, rules, MeasuredChannels(in_image ? inputs.image : Volume()), context);
  result.outputs["objects"] = object_table(measured_columns(grid, objects.channels), objects, grid);
  return result;
}

Parameter measures_parameter() {
  return {.id = kMeasures,
          .title = "Measure",
          .help =
              "all: also shape, neighbours and, with labels, the intensity of the image; size: "
              "size, centre and box alone, which is faster",
          .initial = "all",
          .domain = ChoiceDomain{{"all", "Size, shape and intensity"}, {kSizeAlone, "Size alone"}}};
}

}  // namespace

Operation components_operation() {
  return {.id = "components",
          .title = "Connected components",
          .help =
              "Numbers the connected parts of objects or labels: 1, 2, ... in the order of "
              "their first voxels, row by row.",
          .order = 341,
          .inputs = {parts_input()},
          .parameters = {smallest_part_parameter("Parts below this size become background"),
                         connectivity_parameter()},
          .outputs = {{"labels", "a number for each part, 0 for background", LabelsForm{}}},
          .implementations = {{.algorithm = "strips",
                               .backend = Backend::Cpu,
                               .exactness = Exactness::Exact,
                               .run = run_components}},
          .reference_algorithm = "strips",
          .example = {.digest = "xxh64:71c1175aaa9eb223"}};
}

Operation measure_objects_operation() {
  return {.id = "measure-objects",
          .title = "Measure objects",
          .help =
              "Lists size, place, shape, neighbours and intensity of each connected part of "
              "objects or labels, or of each label.",
          .order = 355,
          .inputs = {{.kind = InputKind::Image,
                      .help = "with labels: the image, scalar or RGB, whose intensity is measured; "
                              "without: the objects themselves, whole numbers, 0 is background",
                      .components = 0,
                      .holds = kLabelsHeld},
                     labels_in_place("label map or objects to be measured in the image")},
          .parameters = {{.id = kEach,
                          .title = "A row for each",
                          .help = "Rows of the table: connected parts of labels, or labels",
                          .initial = "part",
                          .domain = ChoiceDomain{{"part", "Connected part"}, {kLabel, "Label"}}},
                         measures_parameter(),
                         smallest_part_parameter("Parts below this size are left out"),
                         connectivity_parameter()},
          .outputs = {{.id = "objects",
                       .help = "the objects in the order of their first voxels, labels in "
                               "increasing order; voxel indices count from 0; those of these "
                               "columns that apply",
                       .form = TableForm{.columns = all_object_columns()}}},
          .implementations = {{.algorithm = "strips",
                               .backend = Backend::Cpu,
                               .exactness = Exactness::Exact,
                               .run = run_measure}},
          .reference_algorithm = "strips",
          .example = {.digest = "xxh64:254e0db768a98f39"}};
}

}  // namespace seedwave
