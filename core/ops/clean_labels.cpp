// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/clean_labels.h"

#include "core/filters/gaussian.h"
#include "core/image/labels_from.h"
#include "core/ops/operation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace seedwave {
namespace {

/// Standard deviation for `auto`, in edges of the smallest voxel side.
constexpr double kAutoSmoothing = 0.7;
constexpr double kMm3PerMl = 1000.0;

/// The size of a voxel in the unit of `smallest`: ml, or mm2 in 2-D, or 1 without a scale.
double voxel_size(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Pixel) return 1.0;
  const Vec3& edge = geometry.spacing;
  return geometry.is_2d() ? edge[0] * edge[1] : edge[0] * edge[1] * edge[2] / kMm3PerMl;
}

double shortest_edge(const Geometry& geometry) {
  const Vec3& edge = geometry.spacing;
  const double in_plane = std::min(edge[0], edge[1]);
  return geometry.is_2d() ? in_plane : std::min(in_plane, edge[2]);
}

/// Returns the smallest number of voxels that are not fewer than `size`.
std::int64_t voxels_in(double size, const Geometry& geometry) {
  constexpr double kRounding = 1e-9;
  return static_cast<std::int64_t>(std::ceil(size / voxel_size(geometry) * (1.0 - kRounding)));
}

KeptParts kept_parts(const Values& values) {
  const std::string& keep = values.word("keep");
  if (keep == "largest") return KeptParts::Largest;
  return keep == "all" ? KeptParts::All : KeptParts::WithSeeds;
}

Result run_clean_labels(const Inputs& inputs, const Values& given, Context& context) {
  const auto stage = context.stage("propagate");
  const Geometry& geometry = inputs.image.geometry();
  Values values = given;
  if (values.is_word("outline_smooth"))
    values.set("outline_smooth", kAutoSmoothing * shortest_edge(geometry));
  Result result;
  result.outputs["labels"] = clean_labels(
      {.labels = labels_from(inputs.image, "the image", [&] { context.checkpoint(0.0); }),
       .seeds = inputs.seeds.seeds,
       .sigma = in_voxels(values.number("outline_smooth"), geometry),
       .parts = kept_parts(values),
       .fewest_voxels = voxels_in(values.number("smallest"), geometry),
       .holes = values.word("fill_holes") == "yes" ? EnclosedHoles::Fill : EnclosedHoles::Keep,
       .scale = spacing_scale(geometry.size, geometry.spacing)},
      context);
  result.values = std::move(values);
  return result;
}

}  // namespace

Operation clean_labels_operation() {
  return {
      .id = "clean-labels",
      .title = "Clean up labels",
      .help = "Removes specks, fills holes and smooths the outlines of labels.",
      .order = 345,
      .inputs = {{.kind = InputKind::Image,
                  .help = "label map; 0 is unlabelled",
                  .holds = kLabelsHeld},
                 {InputKind::Seeds, false, "voxels that keep their label, with their parts"}},
      .parameters =
          {{.id = "keep",
            .title = "Keep",
            .help = "The connected parts of each label that stay",
            .initial = "with-strokes",
            .domain = ChoiceDomain{{"with-strokes", "Parts with a stroke"},
                                   {"largest", "Largest part"},
                                   {"all", "All parts"}}},
           {.id = "smallest",
            .title = "Smallest part",
            .help = "Parts below this size are removed, except those with a stroke",
            .initial = 0.0,
            .domain = NumberDomain{.unit = kGridSize, .low = 0.0, .high = 1e6, .step = 0.1}},
           {.id = "fill_holes",
            .title = "Fill holes",
            .help = "Unlabelled voxels that one label encloses get this label",
            .initial = "yes",
            .domain = ChoiceDomain{{"yes", "Yes"}, {"no", "No"}}},
           {.id = "outline_smooth",
            .title = "Smooth outlines",
            .help = "Sigma of a Gaussian over each label, cut at one half; 0: outlines stay; auto: "
                    "0.7 of the shortest voxel edge",
            .initial = kAuto,
            .domain =
                NumberDomain{
                    .unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.1, .word = kAuto}}},
      .outputs = {{"labels", "the labels after clean-up", LabelsForm{}}},
      .implementations = {{.algorithm = "by-label",
                           .backend = Backend::Cpu,
                           .exactness = Exactness::Exact,
                           .run = run_clean_labels}},
      .reference_algorithm = "by-label",
      .example = {.digest = "xxh64:f913fe0c8f5ac73c"}};
}

}  // namespace seedwave
