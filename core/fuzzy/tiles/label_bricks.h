// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/edge_bricks.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/reach_bricks.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Pass 2 on bricks: which labels reach a cell along optimal edges, one bit per cell and plane.
///
/// A label's code is its rank among the labels. Each bit of the code has two planes: "a label with
/// a 1 here reaches the cell" and "... with a 0". A cell that one label reaches can be read off;
/// where both planes of some bit are set, two labels met, and the cell is a tie. So n labels take
/// 2 ceil(log2 n) floods along the same edges.
class LabelBricks {
 public:
  /// For seeds of these labels, ascending.
  LabelBricks(const BrickGrid& grid, const BrickSteps& steps, std::vector<std::uint16_t> labels);

  /// Floods from the seeds; whatever was reached before is forgotten. The strengths are those to
  /// these seeds, sorted by offset. A cell may also be given as kTie. Throws: Cancelled.
  void grow(const std::vector<Seed>& seeds, const SettledStrength& settled, Context& context);

  /// The same result from that of the last grow() or regrow(), where `added` seeds were added and
  /// strength.raised() tells what they raised. `seeds`: all of them. Throws: Cancelled; then only
  /// grow() helps.
  ///
  /// A cell keeps its labels unless an optimal in-edge of it was lost, or of one that it hangs on:
  /// with D those cells and all that they reach along the new edges, every former path to a cell
  /// outside D still stands. So the labels in D are taken away, and the flood goes on from there.
  /// Where D is most of the object, all starts over, which is faster.
  void regrow(const std::vector<Seed>& seeds, const std::vector<Seed>& added,
              const SettledStrength& settled, Context& context);

  /// Those that it was made for.
  [[nodiscard]] const std::vector<std::uint16_t>& known_labels() const noexcept {
    return label_of_code_;
  }
  /// What stands for a cell that several labels reach.
  enum class Ties { Zero, Kept };  // 0; kTie
  /// The labels on the image's grid: 0 not reached; seeds may be outdone.
  [[nodiscard]] std::vector<std::uint16_t> labels(const TileKernel& kernel, Context& context,
                                                  Ties ties = Ties::Zero) const;
  /// Memory held.
  [[nodiscard]] std::size_t bytes() const { return edges_.bytes() + reach_.bytes(); }

 private:
  using Bricks = std::vector<std::int64_t>;
  struct Planted {
    std::int64_t brick;
    int cell;
    std::uint16_t code;
  };
  [[nodiscard]] std::vector<Planted> planted(const std::vector<Seed>& seeds) const;
  void flood(const std::vector<Planted>& seeds, const Bricks& from, std::uint32_t pending,
             const SettledStrength& settled, Context& context);
  void plant(const Planted& seed, BitPlane* reached) const;
  Bricks renew_edges(const Bricks& raised, const SettledStrength& settled, ReachBricks& lost,
                     Context& context);
  [[nodiscard]] bool spread_lost(const Bricks& losers, const SettledStrength& settled,
                                 ReachBricks& lost, Context& context);
  void clear_lost(std::int64_t brick, const BitPlane* lost, const TileKernel& kernel);

  BrickGrid grid_;
  BrickSteps steps_;
  int depth_;
  std::vector<std::uint16_t> label_of_code_;
  EdgeBricks edges_;
  ReachBricks reach_;
};

}  // namespace seedwave::fuzzy
