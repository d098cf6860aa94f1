// SPDX-License-Identifier: Apache-2.0
#include "core/border/capacities.h"

#include "core/base/error.h"
#include "core/border/band.h"

#include <algorithm>

namespace seedwave::border {
namespace {

constexpr double kEdgeWeight = 0.5;
constexpr double kLeastEdge = 0.05;
constexpr std::size_t kTable = std::size_t{kSteps} + 1;

double interpolated(const std::vector<double>& knots, std::size_t step) {
  const double at = static_cast<double>(step) * static_cast<double>(knots.size() - 1) / kSteps;
  const auto below = std::min(static_cast<std::size_t>(at), knots.size() - 2);
  const double share = at - static_cast<double>(below);
  return (1.0 - share) * knots[below] + share * knots[below + 1];
}

}  // namespace

Capacities::Capacities(const RefineBorderProblem& problem, const BorderModel& model)
    : intensities_{model.low, model.high, kSteps / (model.high - model.low)},
      priors_{band_scale(problem.image.geometry()).unit,
              0.5 * smallest_spacing(problem.image.geometry()), problem.prior / problem.band} {
  const Geometry& geometry = problem.image.geometry();
  require(model.evidence.size() >= 2 && model.high > model.low);
  entries_.reserve(kEntries);
  for (std::size_t i = 0; i < kTable; ++i)
    entries_.push_back(in_units(model.evidence_weight * interpolated(model.evidence, i)));
  const double size = cube_edge(geometry);
  const double weight = kEdgeWeight * (1.0 + model.evidence_weight) * problem.smoothness;
  for (int axis = 0; axis < 3; ++axis) {
    const double factor = weight * size / geometry.spacing[axis];
    for (std::size_t i = 0; i < kTable; ++i) {
      const double difference =
          static_cast<double>(i) / intensities_.steps_per_unit / model.contrast;
      entries_.push_back(
          in_units(factor * (kLeastEdge + std::exp(-0.5 * difference * difference))));
    }
  }
  for (std::int32_t square = 0; square < kFewSquares; ++square)
    entries_.push_back(priors_.prior_of(square));
}

CapacityTables Capacities::tables_at(const std::int32_t* entries) const {
  const std::int32_t* const edges = entries + kTable;
  return {.intensities = intensities_,
          .priors = priors_,
          .evidence = entries,
          .edges = {edges, edges + kTable, edges + 2 * kTable},
          .few_priors = edges + 3 * kTable};
}

}  // namespace seedwave::border
