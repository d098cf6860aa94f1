// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/connectivity.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/rule.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"
#include "core/wavefront/tile_shell.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {

enum class FirstVisit { Yes, No };

/// A tile during a visit: a copy with a rim, which holds the published cells of the neighbours. The
/// cells beside the rim have already taken its offers.
template <typename State>
struct TileCopy {
  const TileShell& shell;
  std::int64_t tile = 0;
  /// Offset of the tile's first cell in the image.
  std::int64_t first_offset = 0;
  FirstVisit first_visit = FirstVisit::Yes;
  std::vector<TileShell::Place> places;
  std::vector<State> cells;
  /// Cells that the rim raised.
  std::vector<int> risen;

  [[nodiscard]] Edge edge(int from, int to, int step) const {
    return {first_offset + shell.offsets()[static_cast<std::size_t>(from)],
            first_offset + shell.offsets()[static_cast<std::size_t>(to)], step};
  }
  [[nodiscard]] TileShell::Place place(int cell) const {
    return places[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] State& at(int cell) { return cells[static_cast<std::size_t>(cell)]; }
};

/// Brings the inside of a tile to its fixpoint for any rule. The first visit makes a raster and an
/// anti-raster scan, and then works breadth first from the cells that still have an offer (the
/// order of L. Vincent, IEEE Trans. Image Process. 2(2), 1993, fh). Later visits start from the
/// cells that the rim raised.
template <WavefrontRule Rule>
class PlainLoops {
 public:
  using State = typename Rule::State;

  explicit PlainLoops(const Rule& rule) : rule_(rule) {}

  /// Returns whether a cell rose, not counting those raised by the rim.
  bool settle(TileCopy<State>& tile) {
    wave_.swap(tile.risen);
    waits_.resize(tile.cells.size());
    const bool rose = tile.first_visit == FirstVisit::Yes && scan(tile);
    return spread(tile) || rose;
  }

 private:
  [[nodiscard]] State raised(TileCopy<State>& tile, int from, int to, int step) const {
    return taken(rule_, tile.at(to), tile.at(from), tile.edge(from, to, step));
  }
  /// Raises a cell by the neighbours at the steps begin .. end - 1. Returns whether it rose.
  bool take(TileCopy<State>& tile, int cell, int begin, int end) const {
    const std::vector<int>& steps = tile.shell.steps();
    const int last = static_cast<int>(steps.size()) - 1;
    bool rose = false;
    for (int i = begin; i < end; ++i) {
      const int from = cell + steps[static_cast<std::size_t>(i)];
      if (tile.place(from) != TileShell::Own) continue;
      const State now = raised(tile, from, cell, last - i);
      rose |= !(now == tile.at(cell));
      tile.at(cell) = now;
    }
    return rose;
  }

  /// Scans twice. Leaves in `wave` the cells whose offer was not taken.
  bool scan(TileCopy<State>& tile) {
    const std::vector<int>& steps = tile.shell.steps();
    const int count = static_cast<int>(steps.size());
    wave_.clear();
    bool rose = false;
    for (int cell = 0; cell < tile.shell.cell_count(); ++cell) {
      if (tile.place(cell) == TileShell::Own) rose |= take(tile, cell, 0, count / 2);
    }
    for (int cell = tile.shell.cell_count() - 1; cell >= 0; --cell) {
      if (tile.place(cell) != TileShell::Own) continue;
      rose |= take(tile, cell, count / 2, count);
      for (int i = count / 2; i < count; ++i) {
        const int to = cell + steps[static_cast<std::size_t>(i)];
        if (tile.place(to) != TileShell::Own || raised(tile, cell, to, i) == tile.at(to)) continue;
        wave_.push_back(cell);
        break;
      }
    }
    return rose;
  }

  /// Works breadth first from `wave`.
  bool spread(TileCopy<State>& tile) {
    const std::vector<int>& steps = tile.shell.steps();
    const int count = static_cast<int>(steps.size());
    bool rose = false;
    for (; !wave_.empty(); wave_.swap(next_)) {
      next_.clear();
      for (const int cell : wave_) {
        waits_[static_cast<std::size_t>(cell)] = 0;
        for (int i = 0; i < count; ++i) {
          const int to = cell + steps[static_cast<std::size_t>(i)];
          if (tile.place(to) != TileShell::Own) continue;
          const State now = raised(tile, cell, to, i);
          if (now == tile.at(to)) continue;
          tile.at(to) = now;
          rose = true;
          char& waits = waits_[static_cast<std::size_t>(to)];
          if (waits == 0) next_.push_back(to);
          waits = 1;
        }
      }
    }
    return rose;
  }

  Rule rule_;
  std::vector<int> wave_;  // cells with an offer
  std::vector<int> next_;
  std::vector<char> waits_;  // is in `next`
};

/// Runs any rule (rule.h) on any grid: a wavefront on tiles.
///
/// The states remain in the caller's memory, where only a tile's owner accesses its cells. Other
/// workers see the published shell. `Loops` bring the inside of a tile to its fixpoint, each worker
/// with its own copy. PlainLoops serve every rule; frequent rules may have vector code.
template <WavefrontRule Rule, typename Loops = PlainLoops<Rule>>
class RuleTiles {
 public:
  using State = typename Rule::State;

  /// `states` has grid.size() cells, x fastest. It is borrowed, and nobody else may access it
  /// during the lifetime of this object.
  RuleTiles(const Rule& rule, const Loops& loops, const TileGrid& grid, Connectivity connectivity,
            std::span<State> states, int threads)
      : rule_(rule),
        grid_(grid),
        shell_(grid, connectivity),
        states_(states),
        shell_bytes_((static_cast<std::int64_t>(shell_.shell().size()) * kSlotBytes + 7) / 8 * 8),
        shell_words_(static_cast<std::size_t>(grid.tile_count() * shell_bytes_ / 8)),
        visited_(static_cast<std::size_t>(grid.tile_count())),
        workers_(static_cast<std::size_t>(threads), Worker(shell_, loops, shell_bytes_)) {}

  /// Brings the states to the fixpoint. Throws Cancelled; then the states are intermediate.
  void run(Context& context) {
    parallel_for(context, grid_.tile_count(), kTilesPerTask,
                 [&](std::int64_t begin, std::int64_t end) {
                   Worker worker(shell_, workers_[0].loops, shell_bytes_);
                   for (std::int64_t tile = begin; tile < end; ++tile) {
                     load(tile, worker.copy);
                     publish(tile, worker);
                   }
                 });
    TileQueue queue(grid_.tile_count(), strongest());
    for (std::int64_t tile = 0; tile < grid_.tile_count(); ++tile)
      queue.wake(tile, 0);
    run_tiles(
        std::move(queue), context,
        [&](std::int64_t tile, int worker, std::vector<Wake>& wakes) {
          visit(tile, workers_[static_cast<std::size_t>(worker)], wakes);
        },
        [](int) { return 0.0; });
  }

 private:
  /// A state lies within one of the words that tiles share, so it is never read half written.
  static constexpr int kSlotBytes = static_cast<int>(std::bit_ceil(sizeof(State)));
  static constexpr std::int64_t kTilesPerTask = 16;

  struct Worker {
    Worker(const TileShell& shell, Loops some, std::int64_t shell_bytes)
        : copy{shell, 0, 0, FirstVisit::Yes, {}, {}, {}}, loops(std::move(some)) {
      copy.cells.resize(static_cast<std::size_t>(shell.cell_count()));
      shown.resize(static_cast<std::size_t>(shell_bytes));
      shape.fill(-1);
    }
    TileCopy<State> copy;
    Loops loops;
    std::array<std::int64_t, 6> shape;  // for which the copy's places are set
    std::vector<char> shown;            // the published shell
  };

  static constexpr int strongest() {
    if constexpr (RuleWithPriority<Rule>) {
      return Rule::kStrongest;
    } else {
      return 0;
    }
  }
  [[nodiscard]] int priority(const State& state) const {
    if constexpr (RuleWithPriority<Rule>) {
      return rule_.priority(state);
    } else {
      return 0;
    }
  }
  /// Returns the cell of the rimmed copy for a cell of the tile.
  [[nodiscard]] int rimmed(int cell) const {
    const int side = grid_.side();
    return shell_.cell_at(cell % side, cell / side % side, cell / (side * side));
  }

  void load(std::int64_t tile, TileCopy<State>& copy) const {
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      copy_row(states_.data() + offset, count, copy.cells.data() + rimmed(cell));
    });
  }
  void store(std::int64_t tile, const TileCopy<State>& copy) {
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      copy_row(copy.cells.data() + rimmed(cell), count, states_.data() + offset);
    });
  }
  /// Publishes the shell. Returns whether it changed.
  bool publish(std::int64_t tile, Worker& worker) {
    // Local copies of the loops' variables: stores of bytes could alias anything else.
    char* slot = worker.shown.data();
    const State* cells = worker.copy.cells.data();
    const std::span<const int> shell(shell_.shell());
    for (const int cell : shell) {
      std::memcpy(slot, cells + cell, sizeof(State));
      slot += kSlotBytes;
    }
    return SharedWords(shell_words_.data())
        .update(tile * shell_bytes_, shell_bytes_, worker.shown.data());
  }
  void read_rim(const Index3& place, TileCopy<State>& copy) {
    std::array<std::int64_t, TileShell::kAways> starts{};
    for (int away = 0; away < TileShell::kAways; ++away) {
      starts[static_cast<std::size_t>(away)] = shell_.neighbour_tile(place, away) * shell_bytes_;
    }
    const SharedWords words(shell_words_.data());
    State* cells = copy.cells.data();
    const std::span<const TileShell::HaloCell> halos(shell_.halo());
    for (const TileShell::HaloCell& halo : halos) {
      const std::int64_t start = starts[static_cast<std::size_t>(halo.away)];
      if (start < 0) continue;
      State state;
      words.read_value(start + std::int64_t{halo.slot} * kSlotBytes, state);
      cells[halo.cell] = state;
    }
  }
  /// Interior tiles are alike. The others differ in how much of them and around them lies in the
  /// grid.
  void set_places(std::int64_t tile, Worker& worker) const {
    const Index3 first = grid_.first_cell(tile);
    std::array<std::int64_t, 6> shape{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t length = axis == 2 ? grid_.depth() : grid_.side();
      shape[axis] = first[axis] == 0 ? 0 : 1;
      shape[axis + 3] = std::min(grid_.size()[axis] - first[axis], length + 1);
    }
    if (worker.shape == shape) return;
    shell_.set_places(tile, worker.copy.places);
    worker.shape = shape;
  }

  void visit(std::int64_t tile, Worker& worker, std::vector<Wake>& wakes) {
    const Index3 place = grid_.place_of(tile);
    const Index3 first = grid_.first_cell(tile);
    TileCopy<State>& copy = worker.copy;
    char& visited = visited_[static_cast<std::size_t>(tile)];
    set_places(tile, worker);
    copy.tile = tile;
    copy.first_offset = first[0] + grid_.size()[0] * (first[1] + grid_.size()[1] * first[2]);
    copy.first_visit = visited == 0 ? FirstVisit::Yes : FirstVisit::No;
    load(tile, copy);
    read_rim(place, copy);
    const bool rose = take_from_rim(copy);
    if (!rose && visited != 0) return;
    visited = 1;
    if (!worker.loops.settle(copy) && !rose) return;
    store(tile, copy);
    if (publish(tile, worker)) wake(place, copy, wakes);
  }

  /// Returns the state of cell `to` of the copy after a neighbour's offer.
  [[nodiscard]] State raised(TileCopy<State>& copy, int from, int to, int step) const {
    return taken(rule_, copy.at(to), copy.at(from), copy.edge(from, to, step));
  }

  /// Returns whether both cells exist.
  [[nodiscard]] static bool meets(const TileCopy<State>& copy, const TileShell::Meeting& meeting) {
    return copy.place(meeting.halo) != TileShell::Outside &&
           copy.place(meeting.own) != TileShell::Outside;
  }

  bool take_from_rim(TileCopy<State>& copy) const {
    copy.risen.clear();
    const std::span<const TileShell::Meeting> meetings(shell_.meetings());
    for (const TileShell::Meeting& meeting : meetings) {
      if (!meets(copy, meeting)) continue;
      const State now = raised(copy, meeting.halo, meeting.own, meeting.inward);
      if (now == copy.at(meeting.own)) continue;
      copy.at(meeting.own) = now;
      copy.risen.push_back(meeting.own);
    }
    return !copy.risen.empty();
  }

  /// Wakes the tiles in which a cell gains from ours. Our knowledge of their cells may be outdated,
  /// so a tile may be woken in vain but is never missed.
  void wake(const Index3& place, TileCopy<State>& copy, std::vector<Wake>& wakes) const {
    std::array<int, TileShell::kAways> urgency;
    urgency.fill(-1);
    const int last = static_cast<int>(shell_.steps().size()) - 1;
    const std::span<const TileShell::Meeting> meetings(shell_.meetings());
    for (const TileShell::Meeting& meeting : meetings) {
      int& most = urgency[static_cast<std::size_t>(meeting.away)];
      if (most == strongest() || !meets(copy, meeting)) continue;
      const State now = raised(copy, meeting.own, meeting.halo, last - meeting.inward);
      if (!(now == copy.at(meeting.halo))) most = std::max(most, priority(now));
    }
    for (int away = 0; away < TileShell::kAways; ++away) {
      const int most = urgency[static_cast<std::size_t>(away)];
      if (most >= 0) wakes.push_back({shell_.neighbour_tile(place, away), most});
    }
  }

  Rule rule_;
  TileGrid grid_;
  TileShell shell_;
  std::span<State> states_;
  std::int64_t shell_bytes_;
  std::vector<SharedWords::Word> shell_words_;
  std::vector<char> visited_;  // accessed by the owner only
  std::vector<Worker> workers_;
};

/// Returns tiles of a suitable size for plain loops: 64 x 64 in 2-D, 16 x 16 x 16 in 3-D.
[[nodiscard]] inline TileGrid rule_grid(const Index3& size, Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  return planar ? TileGrid(size, 64, 1) : TileGrid(size, 16, 16);
}

/// Brings `states` (x fastest) to the least fixpoint of `rule` above their initial values, on all
/// of the context's threads. The result is bitwise equal for any number of threads and any tiles.
/// Throws Cancelled.
template <WavefrontRule Rule>
void run_rule(const Rule& rule, const TileGrid& grid, Connectivity connectivity,
              std::span<typename Rule::State> states, Context& context) {
  require(std::ssize(states) == grid.size()[0] * grid.size()[1] * grid.size()[2]);
  RuleTiles<Rule>(rule, PlainLoops<Rule>(rule), grid, connectivity, states, context.threads())
      .run(context);
}
template <WavefrontRule Rule>
void run_rule(const Rule& rule, const Index3& size, Connectivity connectivity,
              std::span<typename Rule::State> states, Context& context) {
  run_rule(rule, rule_grid(size, connectivity), connectivity, states, context);
}

}  // namespace seedwave
