// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// Code shared by the solvers of a watershed.
namespace seedwave::watershed {

/// Returns the problem as solvers read it: markers as u16 or u32, the mask as u8. Throws as
/// described for WatershedSolver.
[[nodiscard]] WatershedProblem prepared(const WatershedProblem& problem);

[[nodiscard]] inline bool is_masked_out(const WatershedProblem& problem, std::int64_t cell) {
  return !problem.mask.empty() && problem.mask.labels()[static_cast<std::size_t>(cell)] == 0;
}

/// Calls visitor(std::span<const T>) with the markers of a prepared problem, u16 or u32.
template <typename Visitor>
decltype(auto) visit_markers(const WatershedProblem& problem, Visitor&& visitor) {
  const LabelSpan& markers = problem.markers.labels();
  if (markers.bytes_each() == 2) return visitor(markers.as<std::uint16_t>());
  return visitor(markers.as<std::uint32_t>());
}

/// Labels as BasinRule has them: one less, so that none is the highest.
template <typename T>
using Basins = std::vector<T>;

/// The markers of a prepared problem inside the mask, by cell.
template <typename T>
class FirstBasins {
 public:
  explicit FirstBasins(const WatershedProblem& problem)
      : markers_(problem.markers.labels().as<T>()),
        mask_(problem.mask.empty() ? nullptr : problem.mask.labels().as<std::uint8_t>().data()) {}

  [[nodiscard]] T operator[](std::int64_t i) const {
    return static_cast<T>((mask_ == nullptr || mask_[i] != 0 ? markers_[i] : T{0}) - 1);
  }

 private:
  std::span<const T> markers_;
  const std::uint8_t* mask_;
};
template <typename T>
[[nodiscard]] Basins<T> first_basins(const WatershedProblem& problem, Context& context) {
  const FirstBasins<T> first(problem);
  return tabulate<T>(problem.image.geometry().voxel_count(), context,
                     [&](std::int64_t i) { return first[i]; });
}

/// Returns the labels of basins.
template <typename T>
[[nodiscard]] LabelMap labels_of(const WatershedProblem& problem, Basins<T> basins,
                                 Context& context) {
  constexpr std::int64_t kGrain = 1 << 16;
  parallel_for(context, std::ssize(basins), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      basins[i] = static_cast<T>(basins[i] + 1);
  });
  return LabelMap(problem.image.geometry(), std::move(basins));
}

/// Computes watershed_by_tiles() with 4 or 8 neighbours: hops and labels through gates, with vector
/// code. Returns nothing if a plateau has more hops than 16 bits hold.
[[nodiscard]] std::optional<LabelMap> labels_in_planes(const WatershedProblem& problem,
                                                       Context& context);

/// Runs watershed_by_tiles() within the context's memory limit.
[[nodiscard]] LabelMap labels_in_slabs(const WatershedProblem& problem, Context& context);

}  // namespace seedwave::watershed
