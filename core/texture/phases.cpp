// SPDX-License-Identifier: Apache-2.0
#include "core/texture/phases.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/parallel/tabulate.h"
#include "core/texture/clusters/k_means.h"
#include "core/texture/colours.h"
#include "core/texture/value_steps.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// What centres are made from.
constexpr std::int64_t kMostKinds = 1 << 16;

/// The different colours or values of an image.
struct Kinds {
  /// What k-means reads of them.
  Points places;
  /// How many pixels are of each.
  std::vector<std::int64_t> counts;
  /// Whole numbers; the brighter the larger.
  std::vector<std::int64_t> brightness;
};

struct PhasesOfKinds {
  std::vector<std::uint8_t> phase_of;
  std::int64_t count = 0;
};

std::int64_t nearest(std::span<const double> place, const Points& centres) {
  std::int64_t best = 0;
  double least = squared_distance(place, centres.row(0));
  for (std::int64_t c = 1; c < centres.count(); ++c) {
    const double distance = squared_distance(place, centres.row(c));
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

/// The phase of each centre, 1 for the darkest one; 0 for one that is nearest to nothing.
PhasesOfKinds from_dark_to_bright(const Kinds& kinds, const std::vector<std::uint8_t>& centre_of,
                                  std::int64_t centres) {
  struct Centre {
    std::int64_t number;
    std::int64_t pixels = 0;
    std::int64_t brightness = 0;
    [[nodiscard]] double mean() const {
      return static_cast<double>(brightness) / static_cast<double>(pixels);
    }
  };
  std::vector<Centre> order;
  for (std::int64_t c = 0; c < centres; ++c)
    order.push_back({c});
  for (std::size_t kind = 0; kind < centre_of.size(); ++kind) {
    order[centre_of[kind]].pixels += kinds.counts[kind];
    order[centre_of[kind]].brightness += kinds.counts[kind] * kinds.brightness[kind];
  }
  std::erase_if(order, [](const Centre& centre) { return centre.pixels == 0; });
  std::ranges::stable_sort(order, {}, &Centre::mean);
  PhasesOfKinds result{.phase_of = std::vector<std::uint8_t>(static_cast<std::size_t>(centres))};
  for (const Centre& centre : order)
    result.phase_of[centre.number] = static_cast<std::uint8_t>(++result.count);
  return result;
}

PhasesOfKinds phases_of(const Kinds& kinds, const Points& centres, Context& context) {
  const std::vector<std::uint8_t> centre_of =
      tabulate<std::uint8_t>(kinds.places.count(), context, [&](std::int64_t kind) {
        return static_cast<std::uint8_t>(nearest(kinds.places.row(kind), centres));
      });
  const PhasesOfKinds ranks = from_dark_to_bright(kinds, centre_of, centres.count());
  PhasesOfKinds result{.count = ranks.count};
  for (const std::uint8_t centre : centre_of)
    result.phase_of.push_back(ranks.phase_of[centre]);
  return result;
}

Points centres_of(Points places, std::vector<std::int64_t> counts, std::int64_t count,
                  Context& context) {
  const auto stage = context.stage("k-means");
  return k_means({std::move(places), std::move(counts), count}, context).centres;
}

/// of(i): the phase of pixel i.
template <typename Of>
LabelMap labels_of(const Volume& image, Context& context, Of&& of) {
  const auto stage = context.stage("labels");
  return {image.geometry(),
          tabulate<std::uint16_t>(image.geometry().voxel_count(), context, std::forward<Of>(of))};
}

Kinds kinds_of_colours(const ColourCounts& colours, Stains stains, Context& context) {
  Kinds kinds{.places = places_of(colours, stains, context), .counts = colours.counts};
  for (const ColourCode code : colours.colours) {
    const Rgb rgb = colour_of(code);
    kinds.brightness.push_back(299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]);
  }
  return kinds;
}

Phases phases_of_colours(const PhasesProblem& problem, Context& context) {
  const auto rgb = problem.image.voxels<std::uint8_t>();
  const auto [colours, kinds] = [&] {
    const auto stage = context.stage("colours");
    ColourCounts counted = count_colours(rgb, context);
    Kinds kinds_of = kinds_of_colours(counted, problem.stains, context);
    return std::pair(std::move(counted), std::move(kinds_of));
  }();
  ColourCells cells = cells_of(colours, kinds.places, kMostKinds);
  const Points centres =
      centres_of(std::move(cells.places), std::move(cells.counts), problem.count, context);
  const PhasesOfKinds of_kinds = phases_of(kinds, centres, context);
  const auto phase_of = sparse_zeros<std::uint8_t>(kColourCodes);
  for (std::size_t kind = 0; kind < colours.colours.size(); ++kind)
    phase_of[colours.colours[kind]] = of_kinds.phase_of[kind];
  return {labels_of(problem.image, context,
                    [&](std::int64_t pixel) { return phase_of[code_of(&rgb[3 * pixel])]; }),
          of_kinds.count};
}

Phases phases_of_values(const PhasesProblem& problem, Context& context) {
  const ValueSteps steps = steps_of(problem.image);
  const std::vector<std::int64_t> counts = count_steps(problem.image, steps, context);
  Kinds kinds{.places = {.dimensions = 1, .values = {}}};
  for (std::int64_t step = 0; step < steps.count; ++step) {
    if (counts[step] == 0) continue;
    kinds.places.values.push_back(static_cast<double>(step));  // k-means needs no unit
    kinds.counts.push_back(counts[step]);
    kinds.brightness.push_back(step);
  }
  const Points centres = centres_of(kinds.places, kinds.counts, problem.count, context);
  const PhasesOfKinds of_kinds = phases_of(kinds, centres, context);
  std::vector<std::uint8_t> phase_of(static_cast<std::size_t>(steps.count));
  for (std::size_t kind = 0; kind < kinds.brightness.size(); ++kind)
    phase_of[kinds.brightness[kind]] = of_kinds.phase_of[kind];
  return visit_voxels(problem.image, [&](auto voxels) -> Phases {
    return {labels_of(problem.image, context,
                      [&](std::int64_t pixel) {
                        return phase_of[steps.step_of(static_cast<double>(voxels[pixel]))];
                      }),
            of_kinds.count};
  });
}

void check(const PhasesProblem& problem) {
  if (problem.count < 1 || problem.count > kMostPhases)
    throw UsageError("the number of phases must be from 1 to " + std::to_string(kMostPhases));
  if (problem.image.components() == 3 && problem.image.type() != VoxelType::U8)
    throw InputError("colours can only be told apart in a picture of 8 bits (RGB)");
}

}  // namespace

Phases phases(const PhasesProblem& problem, Context& context) {
  check(problem);
  return problem.image.components() == 3 ? phases_of_colours(problem, context)
                                         : phases_of_values(problem, context);
}

}  // namespace seedwave
