// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_cleaning.h"

#include "core/filters/gaussian.h"
#include "core/ops/grid_size.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace seedwave {
namespace {

/// Standard deviation for `auto`, in edges of the smallest voxel side.
constexpr double kAutoSmoothing = 0.7;

KeptParts kept_parts(const std::string& keep) {
  if (keep == "largest") return KeptParts::Largest;
  return keep == "all" ? KeptParts::All : KeptParts::WithSeeds;
}

}  // namespace

double shortest_edge(const Geometry& geometry) {
  const Vec3& edge = geometry.spacing;
  const double in_plane = std::min(edge[0], edge[1]);
  return geometry.is_2d() ? in_plane : std::min(in_plane, edge[2]);
}

std::vector<Parameter> cleaning_parameters(const std::string& prefix) {
  return {{.id = prefix + "keep",
           .title = "Keep",
           .help = "The connected parts of each label that stay",
           .initial = "with-strokes",
           .domain = ChoiceDomain{{"with-strokes", "Parts with a stroke"},
                                  {"largest", "Largest part"},
                                  {"all", "All parts"}}},
          {.id = prefix + "smallest",
           .title = "Smallest part",
           .help = "Parts below this size are removed, except those with a stroke",
           .initial = 0.0,
           .domain = NumberDomain{.unit = kGridSize, .low = 0.0, .high = 1e6, .step = 0.1}},
          {.id = prefix + "fill_holes",
           .title = "Fill holes",
           .help = "Unlabelled voxels that one label encloses get this label",
           .initial = "yes",
           .domain = ChoiceDomain{{"yes", "Yes"}, {"no", "No"}}},
          {.id = prefix + "outline_smooth",
           .title = "Smooth outlines",
           .help = "Sigma of a Gaussian over each label, cut at one half; 0: outlines stay; auto: "
                   "0.7 of the shortest voxel edge",
           .initial = kAuto,
           .domain = NumberDomain{
               .unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.1, .word = kAuto}}};
}

Parameter removed_parameter() {
  return {.id = "removed",
          .title = "Removed parts get",
          .help = "The label of removed parts",
          .initial = "nearest",
          .domain = ChoiceDomain{{"nearest", "The nearest label"}, {"none", "No label"}}};
}

CleanLabelsProblem cleaning_problem(const Geometry& geometry, std::vector<Seed> seeds,
                                    Values& values, const std::string& prefix) {
  const std::string smooth = prefix + "outline_smooth";
  if (values.is_word(smooth)) values.set(smooth, kAutoSmoothing * shortest_edge(geometry));
  CleanLabelsProblem problem;
  problem.seeds = std::move(seeds);
  problem.sigma = in_voxels(values.number(smooth), geometry);
  problem.parts = kept_parts(values.word(prefix + "keep"));
  problem.fewest_voxels = voxels_in(values.number(prefix + "smallest"), geometry);
  problem.holes =
      values.word(prefix + "fill_holes") == "yes" ? EnclosedHoles::Fill : EnclosedHoles::Keep;
  problem.scale = spacing_scale(geometry.size, geometry.spacing);
  return problem;
}

}  // namespace seedwave
