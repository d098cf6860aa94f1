// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"
#include "core/morphology/connected_parts.h"
#include "core/ops/connectivity_parameter.h"
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

Result run_measure(const Inputs& inputs, const Values& values, Context& context) {
  const auto stage = context.stage("measure");
  const Geometry& geometry = inputs.image.geometry();
  std::vector<ConnectedPart> objects =
      connected_parts(image_labels(inputs, context), connectivity_of(values),
                      fewest_voxels(inputs, values), context);
  if (values.word(kEach) == kLabel) objects = joined_by_label(std::move(objects));
  Result result;
  result.outputs["objects"] = object_table(objects, geometry);
  result.values = values;
  return result;
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
              "Lists the size, centre and box of each connected part of objects or labels, or "
              "of each label.",
          .order = 355,
          .inputs = {parts_input()},
          .parameters = {{.id = kEach,
                          .title = "A row for each",
                          .help = "Rows of the table: connected parts of labels, or labels",
                          .initial = "part",
                          .domain = ChoiceDomain{{"part", "Connected part"}, {kLabel, "Label"}}},
                         smallest_part_parameter("Parts below this size are left out"),
                         connectivity_parameter()},
          .outputs = {{.id = "objects",
                       .help = "the objects in the order of their first voxels, labels in "
                               "increasing order; voxel indices count from 0",
                       .form = TableForm{.columns = object_columns()}}},
          .implementations = {{.algorithm = "strips",
                               .backend = Backend::Cpu,
                               .exactness = Exactness::Exact,
                               .run = run_measure}},
          .reference_algorithm = "strips",
          .example = {.digest = "xxh64:e0285f000554f3c2"}};
}

}  // namespace seedwave
