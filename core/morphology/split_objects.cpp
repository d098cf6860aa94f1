// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/split_objects.h"

#include "core/base/error.h"
#include "core/image/crop.h"
#include "core/morphology/regional_maxima.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

// Frees data as soon as it is no longer needed: the peak memory determines which images can be
// split.

/// Returns the distances in the objects.
Volume distances_in(const SplitProblem& problem, const SplitSolvers& solvers, Context& context) {
  const auto stage = context.stage("distance");
  DistanceProblem wanted;
  wanted.objects = problem.objects;
  wanted.scale = problem.scale;
  return solvers.distance(wanted, context).distance;
}

/// Returns the heights with a background so low that no peak reaches across it. So no object loses
/// its own peak.
Volume heights_in(const Volume& all, const Volume& objects, Context& context) {
  const auto inside = objects.voxels<std::uint8_t>();
  const auto heights = all.voxels<float>();
  return Volume(objects.geometry(),
                tabulate<float>(std::ssize(heights), context, [&](std::int64_t i) {
                  return inside[i] != 0 ? heights[i] : kLowest;
                }));
}

/// Returns the peaks that rise by more than h, as plateaus.
Volume peaks_of(const Volume& heights, double height, Connectivity connectivity,
                const SplitSolvers& solvers, Context& context) {
  const auto values = heights.voxels<float>();
  const auto h = static_cast<float>(height);
  ReconstructionProblem lowered;
  lowered.connectivity = connectivity;
  lowered.mask = heights;
  lowered.marker = Volume(
      heights.geometry(),
      tabulate<float>(std::ssize(values), context, [&](std::int64_t i) { return values[i] - h; }));
  return solvers.reconstruct(lowered, context).image;
}

LabelMap centres_of(Volume peaks, const Volume& objects, Connectivity connectivity,
                    Context& context) {
  NumberedMaxima centres = regional_maxima(peaks, objects, connectivity, context);
  peaks = Volume();
  if (centres.count > std::numeric_limits<std::uint16_t>::max())
    return LabelMap(objects.geometry(), std::move(centres.numbers));
  return tabulate_labels(objects.geometry(), centres.count, context,
                         [&](std::int64_t i) { return centres.numbers[i]; });
}

/// Inverts the heights, so peaks become basins.
Volume depths_of(const Volume& heights, Context& context) {
  const auto values = heights.voxels<float>();
  return Volume(heights.geometry(), tabulate<float>(std::ssize(values), context,
                                                    [&](std::int64_t i) { return -values[i]; }));
}

}  // namespace

LabelMap split_objects(const SplitProblem& problem, const SplitSolvers& solvers, Context& context,
                       LabelMap* centres) {
  return split_by_heights(distances_in(problem, solvers, context), problem.objects, problem.h,
                          problem.connectivity, solvers, context, centres);
}

LabelMap split_by_heights(Volume heights, const Volume& objects, double h,
                          Connectivity connectivity, const SplitSolvers& solvers, Context& context,
                          LabelMap* centres) {
  heights = heights_in(heights, objects, context);
  WatershedProblem watershed;
  watershed.connectivity = connectivity;
  {
    const auto stage = context.stage("markers");
    watershed.markers = centres_of(peaks_of(heights, h, connectivity, solvers, context), objects,
                                   connectivity, context);
  }
  if (centres != nullptr) *centres = watershed.markers;
  const auto stage = context.stage("watershed");
  watershed.image = depths_of(heights, context);
  heights = Volume();
  const auto inside = objects.voxels<std::uint8_t>();
  watershed.mask = LabelMap(
      objects.geometry(), tabulate<std::uint8_t>(std::ssize(inside), context, [&](std::int64_t i) {
        return static_cast<std::uint8_t>(inside[i] != 0 ? 1 : 0);
      }));
  return solvers.watershed(watershed, context);
}

SplitLabels split_labels(const LabelledObjects& objects, SplitProblem how,
                         const ObjectSplitter& split_label, Context& context) {
  const Geometry& whole = objects.labels.geometry();
  SplitLabels split;
  split.parts.resize(static_cast<std::size_t>(whole.voxel_count()));
  visit_label_masks(objects, 1, context, [&](const LabelMask& each) {
    how.objects = each.mask;
    const LabelMap parts = split_label(how, context);
    split.counts[each.label] = largest_label(parts.labels());
    visit_labels(parts.labels(), [&](auto numbers) {
      for (std::int64_t i = 0; i < std::ssize(numbers); ++i) {
        if (numbers[i] != 0) split.parts[offset_in_whole(i, each.box, whole)] = numbers[i];
      }
    });
  });
  return split;
}

LabelMap numbered_parts(const LabelMap& labels, const SplitLabels& split, Label step,
                        Context& context) {
  // By label, the number to which those of its parts are added.
  std::map<Label, Label> first;
  std::uint64_t used = 0;
  std::uint64_t most = 0;
  for (const auto& [label, count] : split.counts) {
    const std::uint64_t begin = step == 0 ? used : std::uint64_t{label} * step;
    used += count;
    most = std::max(most, begin + count);
    if (most > std::numeric_limits<Label>::max()) {
      throw InputError("label " + std::to_string(label) + " with " + std::to_string(count) +
                       " parts gets numbers above 4294967295: choose a smaller label_step, or 0");
    }
    first[label] = static_cast<Label>(begin);
  }
  return visit_labels(labels.labels(), [&](auto from) {
    return tabulate_labels(labels.geometry(), static_cast<Label>(most), context,
                           [&](std::int64_t i) {
                             const std::uint32_t part = split.parts[static_cast<std::size_t>(i)];
                             return part == 0 ? 0 : first.at(from[i]) + part;
                           });
  });
}

}  // namespace seedwave
