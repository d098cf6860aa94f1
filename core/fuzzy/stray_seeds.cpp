// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/stray_seeds.h"

#include "core/fuzzy/answer.h"
#include "core/fuzzy/kept_scene.h"
#include "core/fuzzy/stroke_parts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace seedwave::fuzzy {
namespace {

/// Fewer small groups can be a person's clicks.
constexpr std::size_t kFewestGroups = 100;

bool is_inside(const ObjectWindows& windows, double value) {
  return std::ranges::any_of(windows, [value](const IntensityWindow& window) {
    const double away = value - window.m;
    return away < 0.0 ? -away <= kWindowReach * window.below : away <= kWindowReach * window.above;
  });
}

bool is_like_its_label(const std::map<Label, ObjectWindows>& windows, Label label, double value) {
  if (const auto own = windows.find(label); own != windows.end())
    return is_inside(own->second, value);
  return std::ranges::none_of(
      windows, [value](const auto& other) { return is_inside(other.second, value); });
}

}  // namespace

std::size_t smallest_stroke_among(const Geometry& geometry, std::span<const Seed> seeds,
                                  Context& context) {
  std::size_t small_groups = 0;
  std::size_t in_small_groups = 0;
  for (const Label label : labels_of(seeds)) {
    for (const auto& group : connected_groups(geometry, cells_of(seeds, label), context)) {
      if (group.size() >= kFewestOfPart) continue;
      ++small_groups;
      in_small_groups += group.size();
    }
  }
  const bool scattered = small_groups >= kFewestGroups && 2 * in_small_groups > seeds.size();
  return scattered ? kFewestOfPart : 0;
}

std::vector<Seed> seeds_in_small_groups(const Geometry& geometry, std::span<const Seed> seeds,
                                        std::size_t smallest_stroke, Context& context) {
  std::vector<Seed> small;
  for (const Label label : labels_of(seeds)) {
    for (const auto& group : connected_groups(geometry, cells_of(seeds, label), context)) {
      if (group.size() >= smallest_stroke) continue;
      for (const std::int64_t cell : group)
        small.push_back({cell, label});
    }
  }
  std::ranges::sort(small, {}, &Seed::offset);
  return small;
}

std::vector<Seed> stray_seeds(const StraySeedsProblem& problem, Context& context) {
  const KeptScene kept(problem.image, problem.mask, problem.smooth, context);
  std::vector<Seed> stray;
  kept.image().visit([&](auto values) {
    std::ranges::copy_if(problem.doubtful, std::back_inserter(stray), [&](const Seed& seed) {
      const double value = kept.image().first + static_cast<double>(values[seed.offset]);
      return !is_like_its_label(problem.windows, seed.label, value);
    });
  });
  return stray;
}

std::vector<Seed> without(std::span<const Seed> seeds, std::span<const Seed> others) {
  std::vector<Seed> rest;
  std::ranges::set_difference(seeds, others, std::back_inserter(rest), {}, &Seed::offset,
                              &Seed::offset);
  return rest;
}

}  // namespace seedwave::fuzzy
