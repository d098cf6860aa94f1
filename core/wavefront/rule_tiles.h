// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {

/// Any rule (rule.h) on any grid: a wavefront on tiles with plain loops.
///
/// Inside a tile: on its first visit a raster and an anti-raster scan, then breadth first from the
/// cells that still have something to offer (the order of L. Vincent, IEEE Trans. Image Process.
/// 2(2), 1993, fh); later visits go breadth first from the halo. The states stay in the caller's
/// memory, where a tile's owner alone touches its cells; what others see is the published shell.
/// Rules that deserve vector code have tiles of their own (geodesic/).
template <WavefrontRule Rule>
class RuleTiles {
 public:
  using State = typename Rule::State;

  /// states: of grid.size() cells, x fastest; borrowed, and not touched by others while this lives.
  RuleTiles(const Rule& rule, const TileGrid& grid, Connectivity connectivity,
            std::span<State> states, int threads)
      : rule_(rule),
        grid_(grid),
        shell_(grid, connectivity),
        steps_(neighbour_steps(connectivity)),
        states_(states),
        shell_bytes_((static_cast<std::int64_t>(shell_.shell().size()) * kSlotBytes + 7) / 8 * 8),
        shell_words_(static_cast<std::size_t>(grid.tile_count() * shell_bytes_ / 8)),
        visited_(static_cast<std::size_t>(grid.tile_count())),
        workers_(static_cast<std::size_t>(threads)) {
    for (Worker& worker : workers_) {
      worker.cells.resize(static_cast<std::size_t>(shell_.cell_count()));
      worker.waits.resize(worker.cells.size());
      worker.shell.resize(static_cast<std::size_t>(shell_bytes_));
    }
  }

  /// Brings the states to rest. Throws Cancelled; the states are then somewhere on the way.
  void run(Context& context) {
    parallel_for(context, grid_.tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
      Worker worker;
      worker.cells.resize(static_cast<std::size_t>(shell_.cell_count()));
      worker.shell.resize(static_cast<std::size_t>(shell_bytes_));
      for (std::int64_t tile = begin; tile < end; ++tile) {
        load(tile, worker);
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
  using Place = TileShell::Place;

  /// A state lies within one of the words that tiles share, so none is seen half written.
  static constexpr int kSlotBytes = static_cast<int>(std::bit_ceil(sizeof(State)));

  struct Worker {
    std::vector<State> cells;  // a tile with a rim
    std::vector<Place> places;
    std::optional<std::array<std::int64_t, 6>> places_of;  // which shape of tile
    std::vector<int> wave;                                 // cells that have something to offer
    std::vector<int> next;
    std::vector<char> waits;  // is in `next`
    std::vector<char> shell;
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
  [[nodiscard]] std::int64_t first_offset(std::int64_t tile) const {
    const Index3 first = grid_.first_cell(tile);
    return first[0] + grid_.size()[0] * (first[1] + grid_.size()[1] * first[2]);
  }
  /// The cell of the rimmed copy for a cell of the tile.
  [[nodiscard]] int rimmed(int cell) const {
    const int side = grid_.side();
    return shell_.cell_at(cell % side, cell / side % side, cell / (side * side));
  }

  void load(std::int64_t tile, Worker& worker) const {
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      std::copy_n(states_.begin() + offset, count, worker.cells.begin() + rimmed(cell));
    });
  }
  void store(std::int64_t tile, const Worker& worker) {
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      std::copy_n(worker.cells.begin() + rimmed(cell), count, states_.begin() + offset);
    });
  }
  /// Shows the shell to others. True: it is not what it was.
  bool publish(std::int64_t tile, Worker& worker) {
    char* slot = worker.shell.data();
    for (const int cell : shell_.shell()) {
      std::memcpy(slot, &worker.cells[static_cast<std::size_t>(cell)], sizeof(State));
      slot += kSlotBytes;
    }
    return SharedWords(shell_words_.data())
        .update(tile * shell_bytes_, shell_bytes_, worker.shell.data());
  }
  void read_halo(const Index3& place, Worker& worker) {
    std::array<std::int64_t, TileShell::kAways> tiles{};
    for (int away = 0; away < TileShell::kAways; ++away)
      tiles[static_cast<std::size_t>(away)] = shell_.neighbour_tile(place, away);
    const SharedWords words(shell_words_.data());
    for (const TileShell::HaloCell& halo : shell_.halo()) {
      const std::int64_t tile = tiles[static_cast<std::size_t>(halo.away)];
      if (tile < 0) continue;
      words.read_value(tile * shell_bytes_ + std::int64_t{halo.slot} * kSlotBytes,
                       worker.cells[static_cast<std::size_t>(halo.cell)]);
    }
  }
  /// Tiles inside the grid are alike; others differ by how much of them and around them is there.
  void set_places(std::int64_t tile, Worker& worker) const {
    const Index3 first = grid_.first_cell(tile);
    std::array<std::int64_t, 6> shape{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t length = axis == 2 ? grid_.depth() : grid_.side();
      shape[axis] = first[axis] == 0 ? 0 : 1;
      shape[axis + 3] = std::min(grid_.size()[axis] - first[axis], length + 1);
    }
    if (worker.places_of == shape) return;
    shell_.set_places(tile, worker.places);
    worker.places_of = shape;
  }

  void visit(std::int64_t tile, Worker& worker, std::vector<Wake>& wakes) {
    const Index3 place = grid_.place_of(tile);
    set_places(tile, worker);
    load(tile, worker);
    read_halo(place, worker);
    const std::int64_t first = first_offset(tile);
    worker.wave.clear();
    bool changed = false;
    char& visited = visited_[static_cast<std::size_t>(tile)];
    if (visited == 0) {
      visited = 1;
      changed = scan(tile, first, worker);
    } else {
      for (const TileShell::HaloCell& halo : shell_.halo())
        worker.wave.push_back(halo.cell);
    }
    if (!spread(first, worker) && !changed) return;
    store(tile, worker);
    if (publish(tile, worker)) wake(place, first, worker, wakes);
  }

  /// What cell `to` of the copy is when a neighbour has made its offer.
  [[nodiscard]] State raised(const Worker& worker, std::int64_t first, int from, int to,
                             int step) const {
    const Edge edge{first + shell_.offsets()[static_cast<std::size_t>(from)],
                    first + shell_.offsets()[static_cast<std::size_t>(to)], step};
    return rule_.join(worker.cells[static_cast<std::size_t>(to)],
                      rule_.transfer(worker.cells[static_cast<std::size_t>(from)], edge));
  }
  /// Raises a cell by the neighbours that the steps begin .. end - 1 lead back to. True: it rose.
  bool take(Worker& worker, std::int64_t first, int cell, int begin, int end) const {
    const int last = static_cast<int>(steps_.size()) - 1;
    State& state = worker.cells[static_cast<std::size_t>(cell)];
    bool rose = false;
    for (int i = begin; i < end; ++i) {
      const int from = cell + shell_.steps()[static_cast<std::size_t>(i)];
      if (worker.places[static_cast<std::size_t>(from)] == Place::Outside) continue;
      const State now = raised(worker, first, from, cell, last - i);
      rose |= !(now == state);
      state = now;
    }
    return rose;
  }

  /// The first visit's two scans; leaves in `wave` the cells whose offer was not taken.
  bool scan(std::int64_t tile, std::int64_t first, Worker& worker) const {
    const int count = static_cast<int>(steps_.size());
    bool rose = false;
    std::vector<int>& order = worker.next;  // the tile's cells
    order.clear();
    grid_.for_each_row(tile, [&](std::int64_t, int cell, int length) {
      for (int i = 0; i < length; ++i)
        order.push_back(rimmed(cell) + i);
    });
    for (const int cell : order)
      rose |= take(worker, first, cell, 0, count / 2);
    for (std::size_t left = order.size(); left > 0; --left) {
      const int cell = order[left - 1];
      rose |= take(worker, first, cell, count / 2, count);
      for (int i = count / 2; i < count; ++i) {
        const int to = cell + shell_.steps()[static_cast<std::size_t>(i)];
        if (worker.places[static_cast<std::size_t>(to)] != Place::Own) continue;
        if (raised(worker, first, cell, to, i) == worker.cells[static_cast<std::size_t>(to)])
          continue;
        worker.wave.push_back(cell);
        break;
      }
    }
    order.clear();
    return rose;
  }

  /// Breadth first from `wave`. True: a cell of the tile rose.
  bool spread(std::int64_t first, Worker& worker) const {
    const int count = static_cast<int>(steps_.size());
    bool rose = false;
    for (; !worker.wave.empty(); worker.wave.swap(worker.next)) {
      worker.next.clear();
      for (const int cell : worker.wave) {
        worker.waits[static_cast<std::size_t>(cell)] = 0;
        if (worker.places[static_cast<std::size_t>(cell)] == Place::Outside) continue;
        for (int i = 0; i < count; ++i) {
          const int to = cell + shell_.steps()[static_cast<std::size_t>(i)];
          // Beyond the rim: outside the copy, or by wrapping another cell of the rim.
          if (to < 0 || to >= shell_.cell_count()) continue;
          if (worker.places[static_cast<std::size_t>(to)] != Place::Own) continue;
          const State now = raised(worker, first, cell, to, i);
          State& state = worker.cells[static_cast<std::size_t>(to)];
          if (now == state) continue;
          state = now;
          rose = true;
          char& waits = worker.waits[static_cast<std::size_t>(to)];
          if (waits == 0) worker.next.push_back(to);
          waits = 1;
        }
      }
    }
    return rose;
  }

  /// Wakes the tiles in which a cell gains by ours. What we know of theirs may be old: then it is
  /// woken for nothing, never too seldom.
  void wake(const Index3& place, std::int64_t first, Worker& worker,
            std::vector<Wake>& wakes) const {
    std::array<int, TileShell::kAways> urgency;
    urgency.fill(-1);
    const int last = static_cast<int>(steps_.size()) - 1;
    for (const TileShell::HaloCell& halo : shell_.halo()) {
      if (worker.places[static_cast<std::size_t>(halo.cell)] == Place::Outside) continue;
      if (strongest() == 0 && urgency[static_cast<std::size_t>(halo.away)] == 0) continue;
      const State before = worker.cells[static_cast<std::size_t>(halo.cell)];
      for (int i = 0; i <= last; ++i) {
        const int from = halo.cell + shell_.steps()[static_cast<std::size_t>(i)];
        if (from < 0 || from >= shell_.cell_count()) continue;
        if (worker.places[static_cast<std::size_t>(from)] != Place::Own) continue;
        const State now = raised(worker, first, from, halo.cell, last - i);
        if (now == before) continue;
        int& most = urgency[static_cast<std::size_t>(halo.away)];
        most = std::max(most, priority(now));
      }
    }
    for (int away = 0; away < TileShell::kAways; ++away) {
      const int most = urgency[static_cast<std::size_t>(away)];
      if (most >= 0) wakes.push_back({shell_.neighbour_tile(place, away), most});
    }
  }

  Rule rule_;
  TileGrid grid_;
  TileShell shell_;
  std::vector<Step> steps_;
  std::span<State> states_;
  std::int64_t shell_bytes_;
  std::vector<SharedWords::Word> shell_words_;
  std::vector<char> visited_;  // the owner's
  std::vector<Worker> workers_;
};

/// Tiles of a size that suits plain loops: 64 x 64 in the plane, 16 x 16 x 16 in space.
[[nodiscard]] TileGrid rule_grid(const Index3& size, Connectivity connectivity);

/// Brings `states` (x fastest, as they start) to the least fixpoint of `rule` above them, on all of
/// the context's threads: the same bits for any number, and for any tiles. Throws Cancelled.
template <WavefrontRule Rule>
void run_rule(const Rule& rule, const TileGrid& grid, Connectivity connectivity,
              std::span<typename Rule::State> states, Context& context) {
  assert(static_cast<std::int64_t>(states.size()) ==
         grid.size()[0] * grid.size()[1] * grid.size()[2]);
  RuleTiles<Rule>(rule, grid, connectivity, states, context.threads()).run(context);
}
template <WavefrontRule Rule>
void run_rule(const Rule& rule, const Index3& size, Connectivity connectivity,
              std::span<typename Rule::State> states, Context& context) {
  run_rule(rule, rule_grid(size, connectivity), connectivity, states, context);
}

}  // namespace seedwave
