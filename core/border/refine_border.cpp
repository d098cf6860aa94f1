// SPDX-License-Identifier: Apache-2.0
#include "core/border/refine_border.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/border/minimum_cut.h"
#include "core/border/network.h"
#include "core/image/large_labels.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/label_boxes.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace seedwave::border {
namespace {

constexpr double kRingPerBand = 3.0;
/// Number of voxels that a thread takes at once.
constexpr std::int64_t kVoxelsAtOnce = 1 << 16;

template <LabelType T>
LargeArray<T> copy_of(std::span<const T> labels, Context& context) {
  auto copy = large_array<T>(context, labels.size());
  parallel_for(context, std::ssize(labels), kVoxelsAtOnce,
               [&](std::int64_t begin, std::int64_t end) {
                 std::copy(labels.begin() + begin, labels.begin() + end, copy.get() + begin);
               });
  return copy;
}

/// Finds the sides that are not known yet.
void solve_all(std::vector<Network>& networks, Context& context) {
  std::vector<std::vector<CutCell>> cells;
  cells.reserve(networks.size());
  for (Network& network : networks)
    cells.push_back(std::move(network.cells));
  const std::vector<MinimumCut> cuts = minimum_cuts(cells, context);
  for (std::size_t k = 0; k < networks.size(); ++k)
    networks[k].set_sides(cuts[k].sides);
}

/// Calls body(offset, side) for the voxels that move, on all threads, and for those that were open
/// in their part.
template <LabelType T, typename Body>
void visit_sides(const Network& network, std::span<const T> before, Context& context,
                 const Body& body) {
  parallel_for(context, std::ssize(network.parts), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      if (!network.parts[k]) continue;
      for (const std::int64_t at : network.parts[k]->moved)
        body(at, before[at] == network.label ? CutSide::Sink : CutSide::Source);
    }
  });
  for (std::size_t i = 0; i < network.open.size(); ++i)
    body(network.open[i].offset, network.sides[i]);
}

/// Resolves the claims of all labels; the smallest label comes last and wins.
template <LabelType T>
LabelMap resolved(const LabelMap& labels, std::span<const T> before,
                  const std::vector<Network>& networks, Context& context) {
  std::set<Label> have_cuts;
  for (const Network& network : networks)
    have_cuts.insert(network.label);
  LargeArray<T> after = copy_of(before, context);
  const auto is_given_up = sparse_zeros<std::uint8_t>(before.size());
  for (const Network& network : networks) {
    visit_sides(network, before, context, [&](std::int64_t at, CutSide side) {
      if (before[at] != network.label || side == CutSide::Source) return;
      is_given_up[at] = 1;
      if (side == CutSide::Sink) after[at] = 0;
    });
  }
  for (std::size_t k = networks.size(); k-- > 0;) {
    const Network& network = networks[k];
    visit_sides(network, before, context, [&](std::int64_t at, CutSide side) {
      if (side != CutSide::Source) return;
      if (is_given_up[at] != 0 || !have_cuts.contains(before[at]))
        after[at] = static_cast<T>(network.label);
    });
  }
  return label_map_of(labels.geometry(), std::move(after));
}

}  // namespace

LabelMap with_seeds(const LabelMap& labels, const std::vector<Seed>& seeds) {
  const bool differs = std::ranges::any_of(seeds, [&](const Seed& seed) {
    return labels.labels()[static_cast<std::size_t>(seed.offset)] != seed.label;
  });
  if (!differs) return labels;
  Label most = largest_label(labels.labels());
  for (const Seed& seed : seeds)
    most = std::max(most, seed.label);
  return make_labels(labels.geometry(), most, [&](auto& made) {
    using T = typename std::decay_t<decltype(made)>::value_type;
    visit_labels(labels.labels(), [&](auto from) {
      std::transform(from.begin(), from.end(), made.begin(),
                     [](auto label) { return static_cast<T>(label); });
    });
    for (const Seed& seed : seeds)
      made[static_cast<std::size_t>(seed.offset)] = static_cast<T>(seed.label);
  });
}

std::map<Label, BorderModel> estimate_models(const Volume& image, const LabelMap& labels,
                                             std::span<const Seed> seeds, double band,
                                             const std::map<Label, BorderModel>& known,
                                             Label giving_way, Context& context) {
  const Geometry& geometry = image.geometry();
  const double reach = std::min(kRingPerBand * band, widest_band(geometry));
  std::map<Label, BorderModel> models = known;
  const std::map<Label, Box> boxes = label_boxes(labels, context);
  if (boxes.size() > kMostLabels) {
    throw InputError("the borders of at most " + std::to_string(kMostLabels) +
                     " labels can be refined, but there are " + std::to_string(boxes.size()));
  }
  for (const auto& [label, box] : boxes) {
    if (label == giving_way || models.contains(label)) continue;
    models.emplace(
        label, estimate_model(image, ring_around(labels, label, box, reach, band, context), seeds,
                              context));
  }
  return models;
}

LabelMap refine_border(const RefineBorderProblem& problem, Context& context) {
  const LabelMap labels = with_seeds(problem.labels, problem.seeds);
  Networks all(problem, labels, context);
  std::vector<Network> networks;
  for (const auto& [label, box] : label_boxes(labels, context)) {
    context.checkpoint(0.0);
    if (!problem.models.contains(label)) continue;
    networks.push_back(all.make(label, box));
  }
  solve_all(networks, context);
  LabelMap refined = visit_labels(labels.labels(), [&]<LabelType T>(std::span<const T> before) {
    return resolved<T>(labels, before, networks, context);
  });
  all.keep(std::move(networks));
  return refined;
}

}  // namespace seedwave::border
