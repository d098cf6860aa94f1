// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

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

// The loops over cells are separate functions: inside larger ones they are not vectorised.

/// Sets the cells outside the mask.
template <typename T>
[[gnu::noinline]] void set_masked_out(const std::uint8_t* mask, std::int64_t count, T value,
                                      T* __restrict cells) {
  for (std::int64_t i = 0; i < count; ++i)
    cells[i] = mask[i] != 0 ? cells[i] : value;
}
/// Sets the cells that take water, those without a marker, to 0xFF and the others to 0.
template <typename T>
[[gnu::noinline]] void set_takes(const T* markers, std::int64_t count,
                                 std::uint8_t* __restrict takes) {
  for (std::int64_t i = 0; i < count; ++i)
    takes[i] = markers[i] == 0 ? 0xFF : 0;
}

/// Sets the start of the inverted altitudes. Markers start at their own height, the others at the
/// lowest value, with their own height as limit inside the mask. `limits` holds the heights,
/// inverted.
template <typename Marker, typename Cell>
[[gnu::noinline]] void set_start(const Marker* __restrict markers, std::int64_t count,
                                 Cell* __restrict cells, const Cell* __restrict limits) {
  constexpr Cell kNotReached = std::numeric_limits<Cell>::lowest();
  // Uses integer arithmetic only: with a condition it is not vectorised.
  for (std::int64_t i = 0; i < count; ++i) {
    const auto marker = static_cast<Cell>(-static_cast<int>(markers[i] != 0));
    cells[i] = static_cast<Cell>((limits[i] & marker) | (kNotReached & ~marker));
  }
}

/// Returns whether one of the values is this one.
template <typename T>
[[nodiscard, gnu::noinline]] bool holds(const T* values, std::int64_t count, T value) {
  int found = 0;
  for (std::int64_t i = 0; i < count; ++i)
    found |= static_cast<int>(values[i] == value);
  return found != 0;
}

/// Basins are labels as BasinRule has them: one less, so that none is the highest.
template <typename T>
[[gnu::noinline]] void set_basins(const T* labels, std::int64_t count, T* __restrict basins) {
  for (std::int64_t i = 0; i < count; ++i)
    basins[i] = static_cast<T>(labels[i] - 1);
}
/// Makes labels of basins, in place.
template <typename T>
[[gnu::noinline]] void make_labels(std::int64_t count, T* basins) {
  for (std::int64_t i = 0; i < count; ++i)
    basins[i] = static_cast<T>(basins[i] + 1);
}

/// Writes the first basins of the cells from `first` to `end` of a prepared problem: its markers
/// inside the mask.
template <typename T>
void write_first_basins(const WatershedProblem& problem, std::int64_t first, std::int64_t end,
                        T* to) {
  set_basins(problem.markers.labels().as<T>().data() + first, end - first, to);
  if (problem.mask.empty()) return;
  set_masked_out(problem.mask.labels().as<std::uint8_t>().data() + first, end - first,
                 std::numeric_limits<T>::max(), to);
}

/// Computes watershed_by_tiles() with 4 or 8 neighbours: hops and labels through gates, with vector
/// code. Returns nothing if a plateau has more hops than 16 bits hold.
[[nodiscard]] std::optional<LabelMap> labels_in_planes(const WatershedProblem& problem,
                                                       Context& context);

/// Runs watershed_by_tiles() within the context's memory limit.
[[nodiscard]] LabelMap labels_in_slabs(const WatershedProblem& problem, Context& context);

}  // namespace seedwave::watershed
