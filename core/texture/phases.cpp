// SPDX-License-Identifier: Apache-2.0
#include "core/texture/phases.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/image/shares_voxels.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"
#include "core/texture/clusters/k_means.h"
#include "core/texture/colours.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// The range of an image's values in steps: one per integer if these are at most kMost, else kMost
/// of equal width.
struct ValueSteps {
  static constexpr std::int64_t kMost = 1 << 16;

  double low = 0.0;
  double width = 1.0;
  std::int64_t count = 1;

  /// Returns the step of `value`: the first or last if it is beyond the range, as values of a
  /// mapped input can be if somebody changes it.
  [[nodiscard]] std::int64_t step_of(double value) const noexcept {
    const double step = std::clamp((value - low) / width, 0.0, static_cast<double>(count - 1));
    return static_cast<std::int64_t>(step);
  }
};

/// Returns the steps of an image. Throws InputError for NaN and infinities.
ValueSteps steps_of(const Volume& image) {
  refuse_nan(image, "the image");
  const ValueRange range = value_range(image);
  const double span = range.high - range.low;
  if (!std::isfinite(span)) throw InputError("the image contains infinite values");
  ValueSteps steps{.low = range.low};
  const bool whole = image.type() != VoxelType::F32 && span < ValueSteps::kMost;
  if (whole) {
    steps.count = static_cast<std::int64_t>(span) + 1;
  } else if (span > 0.0) {
    steps.count = ValueSteps::kMost;
    steps.width = span / ValueSteps::kMost;
  }
  return steps;
}

/// Returns the number of values in each step.
std::vector<std::int64_t> count_steps(const Volume& image, const ValueSteps& steps,
                                      Context& context) {
  constexpr std::int64_t kGrain = 1 << 18;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(steps.count));
  std::mutex mutex;  // guards counts
  visit_voxels(image, [&](auto voxels) {
    parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> here(counts.size());
      for (std::int64_t i = begin; i < end; ++i)
        ++here[steps.step_of(static_cast<double>(voxels[i]))];
      const std::lock_guard lock(mutex);
      for (std::size_t step = 0; step < counts.size(); ++step)
        counts[step] += here[step];
    });
  });
  return counts;
}

/// Largest number of kinds from which centres are computed.
constexpr std::int64_t kMostKinds = 1 << 16;

/// The distinct colours or values of an image.
struct Kinds {
  /// Their coordinates for k-means.
  Points places;
  /// Integers that increase with brightness.
  std::vector<std::int32_t> brightness;
};

struct PhasesOfKinds {
  std::vector<std::uint8_t> phase_of;
  std::int64_t count = 0;
};

/// Returns the phase of each centre: 1 for the darkest, 0 for a centre that is nearest to no kind.
///
/// `counts` are the numbers of pixels of each kind.
PhasesOfKinds from_dark_to_bright(std::span<const std::int32_t> brightness,
                                  std::span<const std::int64_t> counts,
                                  const std::vector<std::uint8_t>& centre_of,
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
    order[centre_of[kind]].pixels += counts[kind];
    order[centre_of[kind]].brightness += counts[kind] * std::int64_t{brightness[kind]};
  }
  std::erase_if(order, [](const Centre& centre) { return centre.pixels == 0; });
  std::ranges::stable_sort(order, {}, &Centre::mean);
  PhasesOfKinds result{.phase_of = std::vector<std::uint8_t>(static_cast<std::size_t>(centres))};
  for (const Centre& centre : order)
    result.phase_of[centre.number] = static_cast<std::uint8_t>(++result.count);
  return result;
}

PhasesOfKinds phases_of(const Kinds& kinds, std::span<const std::int64_t> counts,
                        const Points& centres, Context& context) {
  const std::vector<std::uint8_t> centre_of =
      tabulate<std::uint8_t>(kinds.places.count(), context, [&](std::int64_t kind) {
        return static_cast<std::uint8_t>(nearest(kinds.places.row(kind), centres).row);
      });
  const PhasesOfKinds ranks =
      from_dark_to_bright(kinds.brightness, counts, centre_of, centres.count());
  PhasesOfKinds result{.count = ranks.count};
  result.phase_of.reserve(centre_of.size());
  for (const std::uint8_t centre : centre_of)
    result.phase_of.push_back(ranks.phase_of[centre]);
  return result;
}

Points centres_of(Points places, std::vector<std::int64_t> counts, std::int64_t count,
                  Context& context) {
  const auto stage = context.stage("k-means");
  return k_means({std::move(places), std::move(counts), count}, context).centres;
}

/// of(i) returns the phase of pixel i.
template <typename Of>
LabelMap labels_of(const Volume& image, Context& context, Of&& of) {
  const auto stage = context.stage("labels");
  return {image.geometry(),
          tabulate<std::uint16_t>(image.geometry().voxel_count(), context, std::forward<Of>(of))};
}

Kinds kinds_of_colours(const ColourCounts& colours, Stains stains, Context& context) {
  Kinds kinds{.places = places_of(colours, stains, context), .brightness = {}};
  kinds.brightness.reserve(colours.colours.size());
  for (const ColourCode code : colours.colours) {
    const Rgb rgb = colour_of(code);
    kinds.brightness.push_back(299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]);
  }
  return kinds;
}

/// Data of an image that do not depend on the number of phases.
struct KeptColours {
  Volume image;
  Stains stains{};
  ColourCounts colours;
  Kinds kinds;
  ColourCells cells;

  [[nodiscard]] std::size_t bytes() const {
    const auto of = [](const auto& vector) { return vector.size() * sizeof(vector.front()); };
    return image.bytes().size() + of(colours.colours) + of(colours.counts) +
           of(kinds.places.values) + of(kinds.brightness) + of(cells.places.values) +
           of(cells.counts);
  }
};

/// Users try several numbers of phases, so colours are kept for the next run. Images with very many
/// colours are excluded, because they would displace much other data from the cache.
std::shared_ptr<const KeptColours> colours_of(const PhasesProblem& problem, Context& context) {
  constexpr const char* kKey = "colours of a picture";
  constexpr std::size_t kMostKept = 1 << 20;
  if (auto kept = context.cache().find<KeptColours>(kKey);
      kept != nullptr && shares_voxels(kept->image, problem.image) &&
      kept->stains == problem.stains) {
    return kept;
  }
  const auto stage = context.stage("colours");
  auto made = std::make_shared<KeptColours>(KeptColours{
      .image = problem.image, .stains = problem.stains, .colours = {}, .kinds = {}, .cells = {}});
  made->colours = count_colours(problem.image.voxels<std::uint8_t>(), context);
  made->kinds = kinds_of_colours(made->colours, problem.stains, context);
  made->cells = cells_of(made->colours, made->kinds.places, kMostKinds);
  if (made->colours.colours.size() <= kMostKept) context.cache().put(kKey, made, made->bytes());
  return made;
}

Phases phases_of_colours(const PhasesProblem& problem, Context& context) {
  const std::shared_ptr<const KeptColours> read = colours_of(problem, context);
  const Points centres = centres_of(read->cells.places, read->cells.counts, problem.count, context);
  const PhasesOfKinds of_kinds = phases_of(read->kinds, read->colours.counts, centres, context);
  const auto phase_of = sparse_zeros<std::uint8_t>(kColourCodes);
  const std::vector<ColourCode>& colours = read->colours.colours;
  for (std::size_t kind = 0; kind < colours.size(); ++kind)
    phase_of[colours[kind]] = of_kinds.phase_of[kind];
  const auto rgb = problem.image.voxels<std::uint8_t>();
  return {labels_of(problem.image, context,
                    [&](std::int64_t pixel) { return phase_of[code_of(&rgb[3 * pixel])]; }),
          of_kinds.count};
}

Phases phases_of_values(const PhasesProblem& problem, Context& context) {
  const ValueSteps steps = steps_of(problem.image);
  const std::vector<std::int64_t> counts = count_steps(problem.image, steps, context);
  Kinds kinds{.places = {.dimensions = 1, .values = {}}, .brightness = {}};
  std::vector<std::int64_t> counts_there;
  for (std::int64_t step = 0; step < steps.count; ++step) {
    if (counts[step] == 0) continue;
    kinds.places.values.push_back(static_cast<double>(step));  // k-means does not depend on units
    counts_there.push_back(counts[step]);
    kinds.brightness.push_back(static_cast<std::int32_t>(step));
  }
  const Points centres = centres_of(kinds.places, counts_there, problem.count, context);
  const PhasesOfKinds of_kinds = phases_of(kinds, counts_there, centres, context);
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
    throw InputError("colours can only be distinguished in an 8-bit RGB image");
}

}  // namespace

Phases phases(const PhasesProblem& problem, Context& context) {
  check(problem);
  return problem.image.components() == 3 ? phases_of_colours(problem, context)
                                         : phases_of_values(problem, context);
}

}  // namespace seedwave
