// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/wavefront/rule.h"
#include "core/wavefront/tile_shell.h"

#include <cstddef>
#include <cstdint>
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

}  // namespace seedwave
