// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/split_objects.h"

#include "core/base/error.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/each_label.h"
#include "core/ops/operation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kStep = "label_step";
constexpr const char* kFit = "fit";
constexpr Label kMostStep = 1'000'000'000;

/// Returns the number by which the labels' numbers are multiplied.
Label label_step(const Values& values, const SplitLabels& split) {
  std::uint32_t most = 0;
  for (const auto& [label, parts] : split.counts)
    most = std::max(most, parts);
  if (!values.is_word(kStep)) {
    const auto step = static_cast<Label>(values.number(kStep));
    if (step == 0 || step > most) return step;
    throw UsageError(std::string(kStep) + " must be 0 or above " + std::to_string(most) +
                     ", the most parts of a label");
  }
  if (split.counts.size() < 2) return 0;
  std::uint64_t step = 10;
  while (step <= most)
    step *= 10;
  return static_cast<Label>(std::min<std::uint64_t>(step, kMostStep));
}

Result split_labels_of(const SplitProblem& how, const ObjectSplitter& split_label,
                       const Inputs& inputs, const Values& given, Context& context) {
  Result result;
  result.values = given;
  const LabelledObjects objects = labelled_objects(inputs, result.values, context);
  const SplitLabels split = split_labels(objects, how, split_label, context);
  const Label step = label_step(given, split);
  result.values.set(kStep, static_cast<double>(step));
  result.outputs["labels"] = numbered_parts(objects.labels, split, step, context);
  return result;
}

Result run_splitter(const ObjectSplitter& split, const Inputs& inputs, const Values& values,
                    Context& context) {
  const Geometry& geometry = inputs.image.geometry();
  SplitProblem problem;
  problem.scale = spacing_scale(geometry.size, geometry.spacing);
  problem.h = values.number("h");
  problem.connectivity = connectivity_of(values);
  if (inputs.reads() == Reads::Labels)
    return split_labels_of(problem, split, inputs, values, context);
  problem.objects = objects_of(inputs.image, context);
  Result result;
  result.outputs["labels"] = split(problem, context);
  result.values = values;
  return result;
}

Parameter step_parameter() {
  return {.id = kStep,
          .title = "Numbers per label",
          .help =
              "With labels: parts get the number of their label times this, plus 1, 2, ...; "
              "0: 1, 2, ... alone; fit: 0 for one label, else the smallest power of ten above "
              "the most parts of a label",
          .initial = kFit,
          .domain = NumberDomain{.low = 0.0, .high = kMostStep, .whole = true, .word = kFit},
          .role = NumbersParts{},
          .advanced = true};
}

Implementation split_objects_implementation(std::string algorithm, ObjectSplitter split) {
  return {.algorithm = std::move(algorithm),
          .backend = Backend::Cpu,
          .exactness = Exactness::Exact,
          .run = [split = std::move(split)](const Inputs& inputs, const Values& values,
                                            Context& context) {
            return run_splitter(split, inputs, values, context);
          }};
}

LabelMap split_by_tiles(const SplitProblem& problem, Context& context) {
  return split_objects_in_batches(problem, {distance_map, reconstruct_by_tiles, watershed_by_tiles},
                                  context);
}
LabelMap split_by_flood(const SplitProblem& problem, Context& context) {
  return split_objects(problem, {distance_by_envelope, reconstruct_by_hybrid, watershed_by_flood},
                       context);
}

}  // namespace

Operation split_objects_operation() {
  return {
      .id = "split-objects",
      .title = "Split touching objects",
      .help = "Splits touching objects, such as nuclei, at their necks, and numbers them.",
      .order = 340,
      .inputs = {{.kind = InputKind::Image,
                  .help = "nonzero voxels are object, 0 is background",
                  .holds = kLabelsHeld},
                 labels_in_place("label map in place of the image: each label is split by itself, "
                                 "0 is unlabelled")},
      .parameters = {{.id = "h",
                      .title = "Neck depth h",
                      .help = "Minimum difference in half width between the smaller part and the "
                              "neck; larger: fewer splits",
                      .initial = 1.0,
                      .domain =
                          NumberDomain{
                              .unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.25}},
                     connectivity_parameter(),
                     background_parameter(),
                     step_parameter()},
      .outputs = {{"labels", "a label for each object, 0 for background", LabelsForm{}}},
      .implementations = {split_objects_implementation("tiles", split_by_tiles),
                          split_objects_implementation("flood", split_by_flood)},
      .reference_algorithm = "flood",
      .example = {.digest = "xxh64:59013addc785e63f"}};
}

}  // namespace seedwave
