// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/wavefront/gated/kernel.h"
#include "core/wavefront/geodesic/kernel.h"
#include "core/wavefront/plain_loops.h"
#include "core/wavefront/tile_grid.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::gated {

/// What the gates of a tile are made from: copies of its cells, with cells before and after that
/// only have to be there.
template <typename Cell>
class TileInputs {
 public:
  static constexpr int kMargin = kSide + 1;

  explicit TileInputs(const TileGrid& grid) : grid_(grid) {
    altitudes_.resize(kCells + 2 * kMargin);
    hops_.resize(altitudes_.size());
    takes_.resize(kCells);
  }
  /// hops: null where they are not needed.
  void load(std::int64_t tile, const Cell* altitudes, const std::uint16_t* hops,
            const std::uint8_t* takes) {
    if (!grid_.is_whole(tile)) std::fill(takes_.begin(), takes_.end(), std::uint8_t{0});
    grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      copy_row(altitudes + offset, count, altitudes_.data() + kMargin + cell);
      copy_row(takes + offset, count, takes_.data() + cell);
      if (hops != nullptr) copy_row(hops + offset, count, hops_.data() + kMargin + cell);
    });
  }
  [[nodiscard]] const Cell* altitudes() const { return altitudes_.data() + kMargin; }
  [[nodiscard]] const std::uint16_t* hops() const { return hops_.data() + kMargin; }
  [[nodiscard]] const std::uint8_t* takes() const { return takes_.data(); }

 private:
  TileGrid grid_;
  std::vector<Cell> altitudes_;
  std::vector<std::uint16_t> hops_;
  std::vector<std::uint8_t> takes_;
};

/// The gates of HopsRule: a plateau's cells take from each other.
template <typename Cell>
class PlateauGates {
 public:
  using Rule = HopsRule<Cell, std::uint16_t>;
  static constexpr Steps kSteps = Steps::One;
  static constexpr std::uint16_t kNothing = Rule::kFar;

  PlateauGates(const Rule& rule, const TileGrid& grid) : rule_(rule), inputs_(grid) {}
  void load(std::int64_t tile) { inputs_.load(tile, rule_.altitudes, nullptr, rule_.takes); }
  void make(int shift, std::uint8_t* gates) const {
    best_gate_kernel<Cell>().plateaus(inputs_.altitudes(), inputs_.takes(), shift, gates);
  }

 private:
  Rule rule_;
  TileInputs<Cell> inputs_;
};

/// The gates of BasinRule: a cell takes from its optimal predecessors.
template <typename Cell>
class BasinGates {
 public:
  using Rule = BasinRule<Cell, std::uint16_t>;
  static constexpr Steps kSteps = Steps::None;
  static constexpr std::uint16_t kNothing = Rule::kNone;

  BasinGates(const Rule& rule, const TileGrid& grid) : rule_(rule), inputs_(grid) {}
  void load(std::int64_t tile) { inputs_.load(tile, rule_.altitudes, rule_.hops, rule_.takes); }
  void make(int shift, std::uint8_t* gates) const {
    best_gate_kernel<Cell>().basins(inputs_.altitudes(), inputs_.hops(), inputs_.takes(), shift,
                                    gates);
  }

 private:
  Rule rule_;
  TileInputs<Cell> inputs_;
};

/// Loops for RuleTiles on tiles of 64 x 64 cells of a plane: sweeps over columns, and on the turned
/// tile over rows, until neither lowers a cell.
template <typename GateSource>
class GatedLoops {
 public:
  GatedLoops(GateSource source, Connectivity connectivity)
      : source_(std::move(source)),
        neighbours_(connectivity == Connectivity::C8 ? Neighbours::Square : Neighbours::Cross),
        gates_(std::size_t{kCells} * static_cast<std::size_t>(neighbours_)),
        turned_gates_(std::size_t{kCells} * static_cast<std::size_t>(Neighbours::Across)),
        cells_(kCells),
        turned_(kCells) {}

  bool settle(TileCopy<std::uint16_t>& tile) {
    make_gates(tile.tile);
    load(tile);
    const PlaneKernel& kernel = best_plane_kernel();
    const auto& turn = geodesic::best_kernel<std::uint16_t, kSide>().turn;
    bool fell = false;
    bool rows = true;
    // A sweep that lowered nothing leaves its lines stable, as long as nothing else lowers them.
    for (bool columns = true; columns || rows;) {
      if (columns) {
        columns = kernel.sweep(cells_.data(), gates_.data(), GateSource::kSteps, neighbours_);
        fell |= columns;
        rows |= columns;
      }
      if (!rows) continue;
      turn(cells_.data(), turned_.data());
      rows = kernel.sweep(turned_.data(), turned_gates_.data(), GateSource::kSteps,
                          Neighbours::Across);
      if (!rows) continue;
      turn(turned_.data(), cells_.data());
      fell = columns = true;
    }
    if (fell) store(tile);
    return fell;
  }

 private:
  void make_gates(std::int64_t tile) {
    constexpr std::array kShifts{-kSide,     kSide,      -1,        1,
                                 -kSide - 1, -kSide + 1, kSide - 1, kSide + 1};
    const auto turn = geodesic::best_kernel<std::uint8_t, kSide>().turn;
    const auto at = [](std::vector<std::uint8_t>& gates, From from) {
      return gates.data() + from * kCells;
    };
    source_.load(tile);
    for (std::size_t from = 0; from * kCells < gates_.size(); ++from)
      source_.make(kShifts[from], at(gates_, static_cast<From>(from)));
    turn(at(gates_, Left), at(turned_gates_, Above));
    turn(at(gates_, Right), at(turned_gates_, Below));
  }

  void load(const TileCopy<std::uint16_t>& tile) {
    for (int y = 0; y < kSide; ++y)
      copy_row(tile.cells.data() + tile.shell.cell_at(0, y, 0), kSide, cells_.data() + y * kSide);
    if (tile.place(tile.shell.cell_at(kSide - 1, kSide - 1, 0)) != TileShell::Outside) return;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        if (tile.place(tile.shell.cell_at(x, y, 0)) == TileShell::Outside) {
          cells_[static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * kSide] =
              GateSource::kNothing;
        }
      }
    }
  }
  void store(TileCopy<std::uint16_t>& tile) const {
    for (int y = 0; y < kSide; ++y)
      copy_row(cells_.data() + y * kSide, kSide, tile.cells.data() + tile.shell.cell_at(0, y, 0));
  }

  GateSource source_;
  Neighbours neighbours_;
  std::vector<std::uint8_t> gates_;
  std::vector<std::uint8_t> turned_gates_;
  std::vector<std::uint16_t> cells_;
  std::vector<std::uint16_t> turned_;
};

}  // namespace seedwave::gated
