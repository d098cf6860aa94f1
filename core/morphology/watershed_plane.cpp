// SPDX-License-Identifier: Apache-2.0
#include "core/base/fetch_ahead.h"
#include "core/base/large_memory.h"
#include "core/morphology/watershed.h"
#include "core/morphology/watershed_gates.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/apart.h"
#include "core/parallel/fetch_pages.h"
#include "core/wavefront/gated/gated_tiles.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::watershed {
namespace {

using gated::kCells;
using gated::kPaddedCells;
using gated::kPaddedFirst;
using gated::kPaddedRow;
using gated::kSide;

// The loops over cells are separate functions: inside larger ones they are not vectorised.

/// Finds the cells with 0 hops where the water comes in (comes_in()). Most cells of a natural image
/// need no more.
template <typename Cell>
[[gnu::noinline]] void find_coming_in(const Cell* __restrict cells, const Cell* __restrict limits,
                                      const std::uint8_t* __restrict lower,
                                      const std::uint8_t* __restrict takes,
                                      std::uint8_t* __restrict in) {
  for (int i = 0; i < kCells; ++i)
    in[i] = static_cast<std::uint8_t>((cells[i] == limits[i] ? 0xFF : 0) & lower[i] & takes[i]);
}
template <typename Marker>
[[gnu::noinline]] void start_hops(const std::uint8_t* __restrict in,
                                  const Marker* __restrict markers,
                                  std::uint16_t* __restrict hops) {
  for (int i = 0; i < kCells; ++i) {
    const int marker = static_cast<int>(markers[i] != 0);
    hops[i] = static_cast<std::uint16_t>((in[i] | -marker) != 0 ? 0 : kFarInPlane);
  }
}
/// Sets the states of BasinRule, one less than the labels, or the upper or lower half of them.
template <typename Marker>
[[gnu::noinline]] void start_labels(const Marker* __restrict markers, int shift,
                                    std::uint16_t* __restrict states) {
  for (int i = 0; i < kCells; ++i)
    states[i] = static_cast<std::uint16_t>(static_cast<Marker>(markers[i] - 1) >> shift);
}
[[gnu::noinline]] void to_labels(const std::uint16_t* __restrict states, int count,
                                 std::uint16_t* __restrict labels) {
  for (int i = 0; i < count; ++i)
    labels[i] = static_cast<std::uint16_t>(states[i] + 1);
}
[[gnu::noinline]] void join_halves(const std::uint16_t* __restrict upper,
                                   const std::uint16_t* __restrict lower, int count,
                                   std::uint32_t* __restrict labels) {
  for (int i = 0; i < count; ++i)
    labels[i] = (std::uint32_t{upper[i]} << 16U | lower[i]) + 1U;
}

/// The three passes over one image, tile by tile. Each pass finds the previous one's result in the
/// tile; only the image and the labels are in rows. Cell is the image's voxel type as ordered
/// cells, Marker the type of the markers. States have 16 bits: the upper halves of 32-bit labels
/// are found first, then the lower halves through the edges between equal upper ones.
template <typename Voxel, typename Marker>
class PlanePasses {
 public:
  using Cell = CellOf<Voxel>;

  PlanePasses(const WatershedProblem& problem, Context& context)
      : problem_(problem),
        context_(context),
        voxels_(problem.image.voxels<Voxel>().data()),
        markers_(problem.markers.labels().as<Marker>().data()),
        mask_(problem.mask.empty() ? nullptr : problem.mask.labels().as<std::uint8_t>().data()),
        altitudes_(std::in_place, problem.image.geometry().size, problem.connectivity,
                   context.threads()),
        grid_(altitudes_->grid()),
        neighbours_(problem.connectivity == Connectivity::C8 ? gated::Neighbours::Square
                                                             : gated::Neighbours::Cross),
        states_(new_states()),
        gates_(large_array<std::uint8_t>(static_cast<std::size_t>(grid_.tile_count() * kCells))),
        workers_(static_cast<std::size_t>(context.threads())) {}

  std::optional<LabelMap> run() {
    find_altitudes();
    const auto cells = static_cast<std::size_t>(grid_.tile_count() * kCells);
    fetch_pages(context_, states_.get(), cells * sizeof(std::uint16_t));
    fetch_pages(context_, gates_.get(), cells);
    GatedTiles hops(grid_, problem_.connectivity, gated::Steps::One, context_.threads(),
                    states_.get(), gates_.get());
    hops.run(context_, [&](std::int64_t tile, int worker) { start_hops_of(tile, worker); });
    // Until a tile is visited, its states are still hops. The published sides of the tiles around
    // it are always available.
    GatedTiles labels(grid_, problem_.connectivity, gated::Steps::None, context_.threads(),
                      states_.get(), gates_.get());
    labels.run(context_,
               [&](std::int64_t tile, int worker) { start_labels_of(tile, worker, hops); });
    if (too_far_) return std::nullopt;
    altitudes_.reset();
    if constexpr (sizeof(Marker) == 4) {
      upper_ = std::exchange(states_, new_states());
      fetch_pages(context_, states_.get(), cells * sizeof(std::uint16_t));
      GatedTiles lower(grid_, problem_.connectivity, gated::Steps::None, context_.threads(),
                       states_.get(), gates_.get());
      lower.run(context_,
                [&](std::int64_t tile, int worker) { start_lower_of(tile, worker, labels); });
    }
    gates_.reset();
    return labels_of_image();
  }

 private:
  struct alignas(kApart) Worker {
    std::array<Cell, kPaddedCells> cells{};
    std::array<std::uint16_t, kPaddedCells> hops{};
    std::array<Marker, kCells> markers;
    std::array<std::uint8_t, kCells> takes;
    std::array<std::uint8_t, kCells> lower;
    std::array<std::uint8_t, kCells> in;
  };

  /// The shift that leaves the part of a label that the first label pass finds.
  static constexpr int kUpperHalf = sizeof(Marker) == 4 ? 16 : 0;

  [[nodiscard]] LargeArray<std::uint16_t> new_states() const {
    return large_array<std::uint16_t>(static_cast<std::size_t>(grid_.tile_count() * kCells));
  }

  /// Reconstructs the image by erosion from the markers, inverted. A cell that takes nothing starts
  /// at its limit.
  void find_altitudes() {
    altitudes_->run(context_, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      fetch_row_behind(voxels_ + offset, count);
      fetch_row_behind(markers_ + offset, count);
      to_cells(voxels_ + offset, count, true, limits);
      set_start(markers_ + offset, count, cells, limits);
      if (mask_ == nullptr) return;
      set_masked_out(mask_ + offset, count, std::numeric_limits<Cell>::lowest(), cells);
      set_masked_out(mask_ + offset, count, std::numeric_limits<Cell>::lowest(), limits);
    });
  }

  void read_markers(std::int64_t tile, Worker& worker) const {
    if (!grid_.is_whole(tile)) {
      worker.markers.fill(0);
      worker.takes.fill(0);
    }
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      fetch_row_behind(markers_ + offset, count);
      copy_row(markers_ + offset, count, worker.markers.data() + cell);
      set_takes(markers_ + offset, count, worker.takes.data() + cell);
      if (mask_ == nullptr) return;
      set_masked_out(mask_ + offset, count, Marker{0}, worker.markers.data() + cell);
      set_masked_out(mask_ + offset, count, std::uint8_t{0}, worker.takes.data() + cell);
    });
  }
  /// Reads the altitudes of a tile and those around it.
  void read_altitudes(std::int64_t tile, Worker& worker) const {
    Cell* padded = worker.cells.data() + kPaddedFirst;
    const Index3 place = grid_.place_of(tile);
    for (int y = 0; y < kSide; ++y)
      copy_row(altitudes_->cells(tile) + y * kSide, kSide, padded + y * kPaddedRow);
    constexpr std::array<Cell, kSide> kOutside = [] {
      std::array<Cell, kSide> outside{};
      outside.fill(std::numeric_limits<Cell>::lowest());
      return outside;
    }();
    for (const int dy : {-1, 1}) {
      const std::int64_t there = grid_.neighbour(place, 0, dy, 0);
      const Cell* row =
          there < 0 ? kOutside.data() : altitudes_->cells(there) + (dy < 0 ? kCells - kSide : 0);
      copy_row(row, kSide, padded + (dy < 0 ? -1 : kSide) * kPaddedRow);
    }
    for (const int dx : {-1, 1}) {
      const int column = dx < 0 ? kSide - 1 : 0;
      Cell* to = padded + (dx < 0 ? -1 : kSide);
      const auto cells_there = [&](int dy) {
        const std::int64_t there = grid_.neighbour(place, dx, dy, 0);
        return there < 0 ? nullptr : altitudes_->cells(there) + column;
      };
      const Cell* above = cells_there(-1);
      const Cell* beside = cells_there(0);
      const Cell* below = cells_there(1);
      to[-kPaddedRow] = above == nullptr ? kOutside[0] : above[kCells - kSide];
      for (int y = 0; y < kSide; ++y)
        to[y * kPaddedRow] = beside == nullptr ? kOutside[0] : beside[y * kSide];
      to[kSide * kPaddedRow] = below == nullptr ? kOutside[0] : below[0];
    }
  }

  void start_hops_of(std::int64_t tile, int worker_number) {
    Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
    read_markers(tile, worker);
    read_altitudes(tile, worker);
    gated::best_gate_kernel<Cell>().plateaus(worker.cells.data() + kPaddedFirst,
                                             worker.takes.data(), neighbours_,
                                             gates_.get() + tile * kCells, worker.lower.data());
    find_coming_in(altitudes_->cells(tile), altitudes_->limits(tile), worker.lower.data(),
                   worker.takes.data(), worker.in.data());
    start_hops(worker.in.data(), worker.markers.data(), states_.get() + tile * kCells);
  }
  void start_labels_of(std::int64_t tile, int worker_number, GatedTiles& hops) {
    Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
    std::uint16_t* states = states_.get() + tile * kCells;
    if (holds(states, kCells, kMostInPlane)) too_far_ = true;
    read_markers(tile, worker);
    read_altitudes(tile, worker);
    hops.read(tile, worker.hops.data() + kPaddedFirst);
    gated::best_gate_kernel<Cell>().basins(worker.cells.data() + kPaddedFirst,
                                           worker.hops.data() + kPaddedFirst, worker.takes.data(),
                                           neighbours_, gates_.get() + tile * kCells);
    start_labels(worker.markers.data(), kUpperHalf, states);
  }
  void start_lower_of(std::int64_t tile, int worker_number, GatedTiles& upper) {
    Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
    read_markers(tile, worker);
    upper.read(tile, worker.hops.data() + kPaddedFirst);
    block_other_halves(worker.hops.data() + kPaddedFirst, neighbours_,
                       gates_.get() + tile * kCells);
    start_labels(worker.markers.data(), 0, states_.get() + tile * kCells);
  }

  LabelMap labels_of_image() {
    auto result = large_vector<Marker>(
        context_, static_cast<std::size_t>(problem_.image.geometry().voxel_count()));
    parallel_for(context_, grid_.band_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t band = begin; band < end; ++band) {
        grid_.for_each_row_of_band(band, [&](std::int64_t offset, std::int64_t tile, int cell,
                                             int count) {
          const std::uint16_t* states = states_.get() + tile * kCells + cell;
          if constexpr (sizeof(Marker) == 4) {
            join_halves(upper_.get() + tile * kCells + cell, states, count, result.data() + offset);
          } else {
            to_labels(states, count, result.data() + offset);
          }
        });
      }
    });
    return LabelMap(problem_.image.geometry(), std::move(result));
  }

  const WatershedProblem& problem_;
  Context& context_;
  const Voxel* voxels_;
  const Marker* markers_;
  const std::uint8_t* mask_;                      // null: all cells are inside
  std::optional<GeodesicTiles<Cell>> altitudes_;  // until hops and first labels are known
  TileGrid grid_;
  gated::Neighbours neighbours_;
  LargeArray<std::uint16_t> states_;
  LargeArray<std::uint16_t> upper_;  // u32 labels only: the states of the upper halves
  LargeArray<std::uint8_t> gates_;
  std::vector<Worker> workers_;
  std::atomic<bool> too_far_{false};
};

}  // namespace

std::optional<LabelMap> labels_in_planes(const WatershedProblem& problem, Context& context) {
  return visit_voxels(problem.image, [&]<typename Voxel>(std::span<const Voxel>) {
    return visit_markers(problem, [&]<typename Marker>(std::span<const Marker>) {
      return PlanePasses<Voxel, Marker>(problem, context).run();
    });
  });
}

}  // namespace seedwave::watershed
