// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/image/large_labels.h"
#include "core/morphology/watershed.h"
#include "core/morphology/watershed_rows.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kTileCellsPerTask = 1 << 16;

/// A separate function: inside a larger one its loop is not vectorised.
template <typename Cell>
[[gnu::noinline]] void turn_over(const Cell* cells, std::int64_t count, Cell* __restrict result) {
  for (std::int64_t i = 0; i < count; ++i)
    result[i] = static_cast<Cell>(~cells[i]);
}

/// The three passes over one image with plain loops, for any neighbourhood and any number of hops.
/// Reads the heights again when needed: memory limits the size of the volumes that can be flooded.
template <typename Voxel>
class Passes {
 public:
  /// The image's voxels as ordered cells.
  using Cell = CellOf<Voxel>;

  Passes(const WatershedProblem& problem, std::span<const Voxel> voxels, Context& context)
      : problem_(problem),
        context_(context),
        size_(problem.image.geometry().size),
        voxels_(voxels),
        takes_(large_vector<std::uint8_t>(voxels.size())),
        mask_(problem.mask.empty() ? nullptr : problem.mask.labels().as<std::uint8_t>().data()) {
    watershed::visit_markers(problem, [&](auto markers) {
      find_takers(markers.data());
      find_altitudes(markers.data());
    });
  }

  /// Finds hops and labels. Returns nothing if there are more hops than the type holds.
  template <typename Hops>
  std::optional<LabelMap> find_labels() {
    using Far = HopsRule<Cell, Hops>;
    auto hops = first_hops<Hops>();
    run_rule(Far{altitudes_.data(), takes_.data()}, size_, problem_.connectivity, std::span(hops),
             context_);
    if (sizeof(Hops) == 2 &&
        watershed::holds(hops.data(), std::ssize(hops), static_cast<Hops>(Far::kFar - 1)))
      return {};
    const std::vector<std::uint32_t> predecessors = find_predecessors(hops);
    return watershed::visit_markers(
        problem_, [&]<typename T>(std::span<const T>) { return labels_over<T>(predecessors); });
  }

 private:
  void read_heights(std::int64_t first, std::int64_t count, Cell* heights) const {
    to_cells(voxels_.data() + first, count, false, heights);
  }
  template <typename Marker>
  void find_takers(const Marker* markers) {
    for_ranges([&](std::int64_t begin, std::int64_t end) {
      std::uint8_t* takes = takes_.data() + begin;
      watershed::set_takes(markers + begin, end - begin, takes);
      if (mask_ != nullptr)
        watershed::set_masked_out(mask_ + begin, end - begin, std::uint8_t{0}, takes);
    });
  }
  /// Reconstructs f by erosion from the markers, inverted. A cell that takes nothing starts at its
  /// limit.
  template <typename Marker>
  void find_altitudes(const Marker* markers) {
    GeodesicTiles<Cell> tiles(size_, problem_.connectivity, context_.threads());
    tiles.run(context_, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      to_cells(voxels_.data() + offset, count, true, limits);
      watershed::set_start(markers + offset, count, cells, limits);
      if (mask_ == nullptr) return;
      watershed::set_masked_out(mask_ + offset, count, std::numeric_limits<Cell>::lowest(), cells);
      watershed::set_masked_out(mask_ + offset, count, std::numeric_limits<Cell>::lowest(), limits);
    });
    altitudes_ = large_vector<Cell>(voxels_.size());
    tiles.read(context_, [&](std::int64_t offset, int count, const Cell* cells) {
      turn_over(cells, count, altitudes_.data() + offset);
    });
  }

  [[nodiscard]] watershed::WatershedCells<Cell> cells() const {
    return {size_, problem_.connectivity, altitudes_.data(), takes_.data(), mask_};
  }
  /// Calls body(first cell, end) for ranges of cells, on all threads.
  template <typename Body>
  void for_ranges(Body&& body) {
    parallel_for(context_, std::ssize(voxels_), kTileCellsPerTask, body);
  }

  /// Returns 0 at markers and where the water comes in. Most cells of a natural image need no more.
  template <typename Hops>
  std::vector<Hops> first_hops() {
    auto hops = large_vector<Hops>(voxels_.size());
    for_ranges([&](std::int64_t begin, std::int64_t end) {
      std::vector<Cell> heights(static_cast<std::size_t>(std::min(size_[0], end - begin)));
      watershed::set_first_hops(
          cells(), begin, end,
          [&](std::int64_t first, std::int64_t count) {
            read_heights(first, count, heights.data());
            return heights.data();
          },
          HopsRule<Cell, Hops>::kFar, hops.data());
    });
    return hops;
  }
  template <typename Hops>
  std::vector<std::uint32_t> find_predecessors(const std::vector<Hops>& hops) {
    auto predecessors = large_vector<std::uint32_t>(voxels_.size());
    for_ranges([&](std::int64_t begin, std::int64_t end) {
      watershed::set_predecessors(cells(), hops.data(), begin, end, predecessors.data());
    });
    return predecessors;
  }
  /// Returns the labels at the fixpoint of BasinRule.
  template <typename T>
  LabelMap labels_over(const std::vector<std::uint32_t>& predecessors) {
    auto basins = large_array<T>(context_, voxels_.size());
    for_ranges([&](std::int64_t begin, std::int64_t end) {
      watershed::write_first_basins(problem_, begin, end, basins.get() + begin);
    });
    run_rule(BasinRule<T>{predecessors.data()}, size_, problem_.connectivity,
             std::span(basins.get(), voxels_.size()), context_);
    for_ranges([&](std::int64_t begin, std::int64_t end) {
      watershed::make_labels(end - begin, basins.get() + begin);
    });
    return label_map_of(problem_.image.geometry(), std::move(basins));
  }

  const WatershedProblem& problem_;
  Context& context_;
  Index3 size_;
  std::span<const Voxel> voxels_;
  std::vector<std::uint8_t> takes_;
  const std::uint8_t* mask_;  // null: all cells are inside
  std::vector<Cell> altitudes_;
};

}  // namespace

LabelMap watershed_by_tiles(const WatershedProblem& given, Context& context) {
  const WatershedProblem problem = watershed::prepared(given);
  if (context.in_parts()) return watershed::labels_in_slabs(problem, context);
  const bool in_planes =
      problem.connectivity == Connectivity::C4 || problem.connectivity == Connectivity::C8;
  if (in_planes) {
    if (auto labels = watershed::labels_in_planes(problem, context)) return std::move(*labels);
  }
  return visit_voxels(problem.image, [&](auto voxels) {
    Passes passes(problem, voxels, context);
    if (!in_planes) {
      if (auto labels = passes.template find_labels<std::uint16_t>()) return std::move(*labels);
    }
    return std::move(*passes.template find_labels<std::uint32_t>());
  });
}

}  // namespace seedwave
