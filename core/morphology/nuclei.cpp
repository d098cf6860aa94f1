// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/nuclei.h"

#include "core/base/error.h"
#include "core/filters/gaussian.h"
#include "core/image/histogram.h"
#include "core/image/label_counts.h"
#include "core/morphology/clean_labels.h"
#include "core/morphology/connected_parts.h"
#include "core/morphology/distance.h"
#include "core/morphology/flat_morphology.h"
#include "core/morphology/merge_ellipses.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/reconstruction_markers.h"
#include "core/morphology/split_objects.h"
#include "core/morphology/watershed.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

// Lengths as shares of the radius of a typical nucleus, areas as shares of its area.
constexpr double kSmoothing = 0.16;
constexpr double kBackgroundRadius = 5.0;
constexpr double kSurroundings = 1.5;
constexpr double kDistanceSmoothing = 0.1;
constexpr double kMarkerHeight = 0.05;
constexpr double kOutlineSmoothing = 0.1;
constexpr double kSmallest = 0.15;
constexpr double kLargest = 20.0;
constexpr double kHole = 0.5;
// Shares.
constexpr double kOtsuShare = 0.8;
constexpr double kLocalShare = 1.1;
constexpr double kWeight = 1.0;
/// Mean height of a nucleus in thresholds, at least.
constexpr double kContrast = 1.3;

/// Range of radii in pixels: smaller ones cannot be told from noise.
constexpr double kSmallestRadius = 2.0;
constexpr double kLargestRadius = 100.0;

double pixel_area(const Geometry& grid) {
  return grid.spacing[0] * grid.spacing[1];
}

double area_of_disc(double radius) {
  return std::numbers::pi * radius * radius;
}

double limited_radius(double radius, const Geometry& grid) {
  const double pixel = std::sqrt(pixel_area(grid));
  return std::clamp(radius, kSmallestRadius * pixel, kLargestRadius * pixel);
}

NucleiValues values_for(double radius, const NucleiProblem& problem) {
  return {.radius = radius,
          .threshold = problem.threshold.value_or(0.0),
          .background_radius = problem.background_radius.value_or(kBackgroundRadius * radius),
          .smoothing = problem.smoothing.value_or(kSmoothing * radius),
          .smallest = problem.smallest.value_or(kSmallest * area_of_disc(radius)),
          .largest = problem.largest.value_or(kLargest * area_of_disc(radius)),
          .h = problem.h.value_or(kMarkerHeight * radius),
          .outline_smoothing = problem.outline_smoothing.value_or(kOutlineSmoothing * radius)};
}

Volume above(const Volume& image, double threshold, Context& context) {
  const auto values = image.voxels<float>();
  return Volume(image.geometry(),
                tabulate<std::uint8_t>(std::ssize(values), context, [&](std::int64_t i) {
                  return static_cast<std::uint8_t>(values[i] > threshold ? 1 : 0);
                }));
}

Volume distances_to_background(const Volume& objects, Context& context) {
  const Geometry& grid = objects.geometry();
  DistanceProblem problem;
  problem.objects = objects;
  problem.scale = spacing_scale(grid.size, grid.spacing);
  return distance_map(problem, context).distance;
}

/// Returns the mean of the values in the objects, summed in order; 0 if there are none.
double mean_in(const Volume& image, const Volume& objects, Context& context) {
  const auto values = image.voxels<float>();
  const auto inside = objects.voxels<std::uint8_t>();
  double sum = 0.0;
  double count = 0.0;
  serial_for(context, std::ssize(values), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (inside[i] == 0) continue;
      sum += values[i];
      count += 1.0;
    }
  });
  return count > 0.0 ? sum / count : 0.0;
}

/// Returns three times the mean distance of foreground pixels to the background; 0 if there are
/// none, or nothing else.
double first_radius(const Volume& density, Context& context) {
  const auto stage = context.stage("radius");
  const Volume smooth = gaussian(density, {1.0, 1.0, 0.0}, context);
  const Volume objects = above(smooth, histogram(smooth).otsu_threshold(), context);
  const double mean = mean_in(distances_to_background(objects, context), objects, context);
  return std::isfinite(mean) ? 3.0 * mean : 0.0;
}

/// Returns the height of the smoothed density above its background.
Volume raised_density(const Volume& density, const NucleiValues& values, Context& context) {
  const auto stage = context.stage("background");
  const Geometry& grid = density.geometry();
  Volume smooth = gaussian(density, in_voxels(values.smoothing, grid), context);
  if (values.background_radius <= 0.0) return smooth;
  ReconstructionProblem background;
  background.mask = smooth;
  background.marker = eroded(smooth, FlatElement::ball(values.background_radius, grid), context);
  return difference(smooth, reconstruct_by_tiles(background, context).image, context);
}

/// Returns the objects with those holes filled that have at most that many pixels.
Volume without_small_holes(const Volume& objects, double most_pixels, Context& context) {
  const auto inside = objects.voxels<std::uint8_t>();
  const auto inverted = [&](std::span<const std::uint8_t> values) {
    return Volume(objects.geometry(),
                  tabulate<std::uint8_t>(std::ssize(values), context, [&](std::int64_t i) {
                    return static_cast<std::uint8_t>(values[i] == 0 ? 1 : 0);
                  }));
  };
  const Volume kept = kept_parts(
      inverted(inside), Connectivity::C4,
      [&](const ConnectedPart& part) { return static_cast<double>(part.voxels) > most_pixels; },
      context);
  return inverted(kept.voxels<std::uint8_t>());
}

Volume foreground_of(const Volume& raised, const NucleiValues& values, Context& context) {
  const auto stage = context.stage("threshold");
  const Geometry& grid = raised.geometry();
  const Volume around = gaussian(raised, in_voxels(kSurroundings * values.radius, grid), context);
  const auto heights = raised.voxels<float>();
  const auto means = around.voxels<float>();
  const auto share = static_cast<float>(kLocalShare);
  const Volume objects(
      grid, tabulate<std::uint8_t>(std::ssize(heights), context, [&](std::int64_t i) {
        const bool is_high = heights[i] > values.threshold && heights[i] > share * means[i];
        return static_cast<std::uint8_t>(is_high ? 1 : 0);
      }));
  return without_small_holes(objects, kHole * area_of_disc(values.radius) / pixel_area(grid),
                             context);
}

/// Returns heights whose peaks are the middles of nuclei, in the unit of the grid.
Volume peak_heights(const Volume& raised, const Volume& objects, double radius, Context& context) {
  const auto stage = context.stage("heights");
  const Geometry& grid = raised.geometry();
  const double mean = mean_in(raised, objects, context);
  const auto factor = static_cast<float>(mean > 0.0 ? kWeight * radius / mean : 0.0);
  Volume distances = distances_to_background(objects, context);
  const auto lengths = distances.voxels<float>();
  const auto most = static_cast<float>(kLargestRadius * radius);
  const Volume limited(grid, tabulate<float>(std::ssize(lengths), context, [&](std::int64_t i) {
                         return std::min(lengths[i], most);
                       }));
  const Volume smooth = gaussian(limited, in_voxels(kDistanceSmoothing * radius, grid), context);
  const auto depths = smooth.voxels<float>();
  const auto heights = raised.voxels<float>();
  return Volume(grid, tabulate<float>(std::ssize(depths), context, [&](std::int64_t i) {
                  return depths[i] + factor * heights[i];
                }));
}

/// Nuclei of any area with their outlines as flooded, and the density above the background.
struct RoughNuclei {
  LabelMap labels;
  Volume raised;
};

/// Sets the threshold if none is given.
RoughNuclei rough_nuclei(const NucleiProblem& problem, NucleiValues& values, Context& context) {
  Volume raised = raised_density(problem.density, values, context);
  if (!problem.threshold) values.threshold = kOtsuShare * histogram(raised).otsu_threshold();
  const Volume objects = foreground_of(raised, values, context);
  Volume heights = peak_heights(raised, objects, values.radius, context);
  const LabelMap parts =
      split_by_heights(std::move(heights), objects, values.h, Connectivity::C4,
                       {distance_map, reconstruct_by_tiles, watershed_by_tiles}, context);
  const auto stage = context.stage("merge");
  LabelMap merged =
      merge_ellipses({.parts = parts,
                      .image = raised,
                      .most_pixels = values.largest / pixel_area(problem.density.geometry())},
                     context);
  return {std::move(merged), std::move(raised)};
}

/// Returns the radius of the disc with the median area of nuclei that are large enough, each
/// weighted by its area; 0 if there is none.
double typical_radius(const LabelMap& nuclei, double smallest) {
  const double pixel = pixel_area(nuclei.geometry());
  std::vector<std::int64_t> areas;
  std::int64_t total = 0;
  for (const auto& [label, pixels] : count_labels(nuclei)) {
    if (static_cast<double>(pixels) * pixel < smallest) continue;
    areas.push_back(pixels);
    total += pixels;
  }
  std::ranges::sort(areas);
  std::int64_t below = 0;
  for (const std::int64_t area : areas) {
    below += area;
    if (2 * below >= total) return std::sqrt(static_cast<double>(area) * pixel / std::numbers::pi);
  }
  return 0.0;
}

/// Returns smoothed outlines without holes, each in one piece.
LabelMap with_smooth_outlines(const LabelMap& nuclei, double sigma, Context& context) {
  CleanLabelsProblem outlines;
  outlines.labels = nuclei;
  outlines.sigma = in_voxels(sigma, nuclei.geometry());
  outlines.parts = KeptParts::Largest;
  outlines.holes = EnclosedHoles::Fill;
  outlines.unclaimed = Unclaimed::Nothing;
  CleanLabelsProblem pieces;
  pieces.labels = clean_labels(outlines, context);
  pieces.parts = KeptParts::Largest;
  pieces.unclaimed = Unclaimed::Nothing;
  return clean_labels(pieces, context);
}

/// Returns for each label whether its area is allowed and its mean height large enough.
std::vector<bool> are_nuclei(const LabelMap& labels, const Volume& raised,
                             const NucleiValues& values, Context& context) {
  const auto heights = raised.voxels<float>();
  const std::size_t count = largest_label(labels.labels()) + std::size_t{1};
  std::vector<double> pixels(count);
  std::vector<double> sums(count);
  visit_labels(labels.labels(), [&](auto of) {
    serial_for(context, std::ssize(of), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        pixels[of[i]] += 1.0;
        sums[of[i]] += heights[i];
      }
    });
  });
  const double pixel = pixel_area(labels.geometry());
  std::vector<bool> stays(count);
  for (std::size_t i = 1; i < count; ++i) {
    const double area = pixels[i] * pixel;
    stays[i] = area > 0.0 && area >= values.smallest && area <= values.largest &&
               sums[i] >= kContrast * values.threshold * pixels[i];
  }
  return stays;
}

/// Returns the objects that are nuclei, numbered in raster order.
LabelMap numbered_nuclei(const LabelMap& labels, const std::vector<bool>& stays, Context& context) {
  const LabelMap kept = visit_labels(labels.labels(), [&](auto of) {
    return tabulate_labels(labels.geometry(), static_cast<Label>(stays.size() - 1), context,
                           [&](std::int64_t i) { return stays[of[i]] ? Label{of[i]} : Label{0}; });
  });
  return number_connected_parts(kept, Connectivity::C4, 0, context);
}

}  // namespace

Nuclei find_nuclei(const NucleiProblem& problem, Context& context) {
  const Geometry& grid = problem.density.geometry();
  if (!grid.is_2d()) throw InputError("nuclei are found in 2-D images; this is a volume");
  const double first = problem.radius
                           ? *problem.radius
                           : limited_radius(first_radius(problem.density, context), grid);
  NucleiValues values = values_for(first, problem);
  RoughNuclei rough = rough_nuclei(problem, values, context);
  const double found = problem.radius ? 0.0 : typical_radius(rough.labels, values.smallest);
  if (found > 0.0) {
    values = values_for(limited_radius(found, grid), problem);
    rough = rough_nuclei(problem, values, context);
  }
  const auto stage = context.stage("outlines");
  const LabelMap smooth = with_smooth_outlines(rough.labels, values.outline_smoothing, context);
  const std::vector<bool> stays = are_nuclei(smooth, rough.raised, values, context);
  return {.labels = numbered_nuclei(smooth, stays, context), .values = values};
}

}  // namespace seedwave
