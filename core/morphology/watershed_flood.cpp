// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/rimmed_grid.h"
#include "core/morphology/watershed.h"
#include "core/morphology/watershed_scene.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Floods level by level, and wave by wave within a level. When a wave is taken, all its labels are
/// final, since every predecessor of a cell has a lower altitude or fewer hops.
template <typename Voxel>
class Flood {
 public:
  using Cell = CellOf<Voxel>;

  Flood(const WatershedProblem& problem, Context& context)
      : problem_(problem),
        context_(context),
        grid_(problem.image.geometry().size, problem.connectivity),
        cells_(grid_.cell_count()),
        labels_(grid_.cell_count()),
        states_(grid_.cell_count(), State::Closed),
        altitudes_(grid_.cell_count()),
        hops_(grid_.cell_count()),
        sources_(grid_.cell_count()) {
    load(problem);
    levels_ = cells_;
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    entries_.resize(levels_.size());
  }

  LabelMap run() {
    for_each_cell([&](std::int64_t cell, std::int64_t) {
      if (labels_[cell] != 0) enter(cell, State::Marker);
    });
    for (std::size_t level = 0; level < levels_.size(); ++level)
      flood(level);
    return watershed::visit_markers(problem_, [&]<typename T>(std::span<const T>) {
      std::vector<T> result;
      for_each_cell([&](std::int64_t cell, std::int64_t) {
        result.push_back(static_cast<T>(labels_[cell]));
      });
      return LabelMap(problem_.image.geometry(), std::move(result));
    });
  }

 private:
  enum class State : std::uint8_t {
    Closed,  // the rim, or outside the mask
    Dry,     // not reached
    Wet,     // altitude and hops are known; the label may decrease until its wave is taken
    Marker
  };

  /// Calls body(cell, offset) for the image's cells.
  template <typename Body>
  void for_each_cell(Body&& body) const {
    for (std::int64_t row = 0; row < grid_.row_count(); ++row) {
      for (std::int64_t x = 0; x < grid_.row_length(); ++x)
        body(grid_.row_start(row) + x, row * grid_.row_length() + x);
    }
  }
  void load(const WatershedProblem& problem) {
    const auto voxels = problem.image.voxels<Voxel>();
    const LabelSpan& markers = problem.markers.labels();
    for_each_cell([&](std::int64_t cell, std::int64_t offset) {
      cells_[cell] = to_cell(voxels[offset], false);
      if (watershed::is_masked_out(problem, offset)) return;
      labels_[cell] = markers[static_cast<std::size_t>(offset)];
      states_[cell] = State::Dry;
    });
  }
  /// The water rises to the cell's own value, so the cell waits for that level.
  void enter(std::int64_t cell, State state) {
    states_[cell] = state;
    altitudes_[cell] = cells_[cell];
    hops_[cell] = 0;
    const auto level = std::lower_bound(levels_.begin(), levels_.end(), cells_[cell]);
    entries_[static_cast<std::size_t>(level - levels_.begin())].push_back(cell);
  }

  void flood(std::size_t level) {
    std::vector<std::int64_t> wave = std::move(entries_[level]);
    std::vector<std::int64_t> next;
    for (; !wave.empty(); wave.swap(next)) {
      next.clear();
      for (const std::int64_t from : wave) {
        if (taken_++ % kCellsPerCheck == 0) {
          context_.checkpoint(static_cast<double>(level) / static_cast<double>(levels_.size()));
        }
        for (const std::int64_t step : grid_.neighbours())
          offer(from, from + step, next);
      }
    }
  }
  void offer(std::int64_t from, std::int64_t to, std::vector<std::int64_t>& next) {
    if (states_[to] == State::Closed || states_[to] == State::Marker) return;
    const Cell altitude = std::max(altitudes_[from], cells_[to]);
    const std::int64_t hops = altitude > altitudes_[from] ? 0 : hops_[from] + 1;
    if (states_[to] == State::Wet) {
      // Offers come in the order of altitude and hops, so the first one was from a predecessor.
      const std::int64_t source = sources_[to];
      if (altitudes_[from] == altitudes_[source] && hops_[from] == hops_[source]) {
        labels_[to] = std::min(labels_[to], labels_[from]);
      }
      return;
    }
    labels_[to] = labels_[from];
    sources_[to] = from;
    if (hops == 0) {
      enter(to, State::Wet);
      return;
    }
    states_[to] = State::Wet;
    altitudes_[to] = altitude;
    hops_[to] = hops;
    next.push_back(to);
  }

  const WatershedProblem& problem_;
  Context& context_;
  RimmedGrid grid_;
  std::vector<Cell> cells_;
  std::vector<Label> labels_;
  std::vector<State> states_;
  std::vector<Cell> altitudes_;
  std::vector<std::int64_t> hops_;
  std::vector<std::int64_t> sources_;  // of a wet cell: the neighbour that reached it first
  std::vector<Cell> levels_;
  std::vector<std::vector<std::int64_t>> entries_;  // by level: the cells whose value it is
  std::size_t taken_ = 0;
};

}  // namespace

LabelMap watershed_by_flood(const WatershedProblem& given, Context& context) {
  const WatershedProblem problem = watershed::prepared(given);
  return visit_voxels(problem.image, [&](auto voxels) {
    return Flood<typename decltype(voxels)::value_type>(problem, context).run();
  });
}

}  // namespace seedwave
