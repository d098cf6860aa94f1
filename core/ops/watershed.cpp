// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/labels_from.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/morphology.h"
#include "core/ops/timed_solver.h"
#include "core/parallel/shared_items.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

LabelMap labels_of(const Volume& marker, Context& context) {
  if (marker.components() != 1) {
    throw InputError("the marker must have one value per voxel, a label; it has " +
                     std::to_string(marker.components()));
  }
  return labels_from(marker, "the marker", [&] { context.checkpoint(0.0); });
}

/// Returns the markers with the seeds drawn over them, as u16 or u32.
LabelMap with_seeds(const LabelMap& markers, const SeedVoxels& seeds, const Geometry& geometry) {
  Label most = std::numeric_limits<std::uint16_t>::max();
  for (const Seed& seed : seeds.seeds)
    most = std::max(most, seed.label);
  if (!markers.empty()) most = std::max(most, largest_label(markers.labels()));
  return make_labels(geometry, most, [&]<typename T>(std::vector<T>& labels) {
    if (!markers.empty()) {
      visit_labels(markers.labels(), [&](auto from) {
        std::transform(from.begin(), from.end(), labels.begin(),
                       [](auto label) { return static_cast<T>(label); });
      });
    }
    for (const Seed& seed : seeds.seeds)
      labels[seed.offset] = static_cast<T>(seed.label);
  });
}

Result run_solver(const WatershedSolver& solver, const Inputs& inputs, const Values& values,
                  Context& context) {
  const WatershedProblem problem = watershed_problem(inputs, values, context);
  Result result;
  result.values = values;
  if (const std::int64_t dropped = markers_outside_mask(problem); dropped > 0) {
    result.warnings.push_back(std::to_string(dropped) +
                              " marker voxels lie outside the mask and were left out");
  }
  LabelMap labels = solver(problem, context);
  leave_to_first(context);
  if (values.word("lines") == "yes") labels = with_watershed_lines(problem, labels, context);
  result.outputs["labels"] = std::move(labels);
  return result;
}

/// Returns `tiles` on the CPU, which can work within a memory limit.
Implementation on_tiles() {
  Implementation made = watershed_implementation("tiles", Backend::Cpu, watershed_by_tiles);
  made.least_bytes = [](const Inputs& inputs, const Values& values) {
    return least_watershed_bytes(inputs.image.geometry(), inputs.image.type(),
                                 connectivity_of(values));
  };
  made.sharing = Sharing::BySlabs;
  return made;
}

}  // namespace

WatershedProblem watershed_problem(const Inputs& inputs, const Values& values, Context& context) {
  WatershedProblem problem;
  problem.image = inputs.image;
  problem.mask = inputs.mask;
  problem.connectivity = connectivity_of(values);
  if (!inputs.marker.empty()) problem.markers = at_least_u16(labels_of(inputs.marker, context));
  if (problem.markers.empty() || !inputs.seeds.seeds.empty())
    problem.markers = with_seeds(problem.markers, inputs.seeds, inputs.image.geometry());
  if (largest_label(problem.markers.labels()) == 0) {
    throw InputError("watershed needs markers to flood from: a marker image with labels, or seeds");
  }
  return problem;
}

Implementation watershed_implementation(std::string algorithm, Backend backend,
                                        WatershedSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = timed_solver(backend, std::move(solver))](
                     const Inputs& inputs, const Values& values, Context& context) {
            return run_solver(solver, inputs, values, context);
          }};
}

Operation watershed_operation() {
  return {
      .id = "watershed",
      .title = "Watershed from markers",
      .help =
          "Floods the image from markers; each voxel gets the label of the marker that reaches "
          "it first.",
      .order = 330,
      .inputs = {{InputKind::Image, true, "one channel; boundaries follow high values"},
                 {InputKind::Marker, false, "a label map; nonzero voxels are markers"},
                 {InputKind::Seeds, false, "strokes or a label map; they override the markers"},
                 {InputKind::Mask, false, "voxels outside are ignored"}},
      .one_of = {InputKind::Seeds, InputKind::Marker},
      .parameters = {connectivity_parameter(),
                     {.id = "lines",
                      .title = "Watershed lines",
                      .help = "Separate touching basins by a line of voxels with label 0",
                      .initial = "no",
                      .domain = ChoiceDomain{{"no", "none", Applies::Always},
                                             {"yes", "between basins", Applies::Always}}}},
      .outputs = {{"labels", "the label of each voxel, 0 if no marker reaches it", LabelsForm{}}},
      .implementations = {on_tiles(),
                          watershed_implementation("flood", Backend::Cpu, watershed_by_flood)},
      .reference_algorithm = "flood",
      .example = {.digest = "xxh64:9aa51041b7678c6a"}};
}

}  // namespace seedwave
