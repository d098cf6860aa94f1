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

/// Pass 2 on bricks: finds which labels reach a cell along optimal edges, one bit per cell and
/// plane.
///
/// A label's code is its rank among the labels. Each bit of the code has two planes: "a label with
/// a 1 here reaches the cell" and "... with a 0". The code of a cell that one label reaches can be
/// read off. If both planes of some bit are set, two labels met and the cell is a tie. So n labels
/// take 2 ceil(log2 n) floods along the same edges.
class LabelBricks {
 public:
  /// Prepares for seeds of these labels, in ascending order.
  LabelBricks(const BrickGrid& grid, const BrickSteps& steps, std::vector<std::uint16_t> labels);

  /// Floods from the seeds and discards former bits. The strengths are those to these seeds, sorted
  /// by offset. A cell may also be given as kTie. Throws Cancelled.
  void grow(const std::vector<Seed>& seeds, const SettledStrength& settled, Context& context);

  /// Updates the last grow() or regrow() after seeds were added; the result is the same as that of
  /// grow(). `added` are the new seeds, and `seeds` are all of them. strength.raised() gives the
  /// bricks that the new seeds raised. Throws Cancelled; then only grow() is valid.
  ///
  /// A cell keeps its labels unless it, or a cell that it depends on, lost an optimal in-edge. Let
  /// D be those cells and all that they reach along the new edges. Every former path to a cell
  /// outside D is still valid. So the labels in D are removed, and the flood continues from there.
  /// If D is most of the object, a new flood is faster and is run instead.
  void regrow(const std::vector<Seed>& seeds, const std::vector<Seed>& added,
              const SettledStrength& settled, Context& context);

  /// Returns the labels given at construction.
  [[nodiscard]] const std::vector<std::uint16_t>& known_labels() const noexcept {
    return label_of_code_;
  }
  /// Selects the value of a cell that several labels reach.
  enum class Ties { Zero, Kept };  // 0; kTie
  /// Returns the labels on the image's grid, 0 where unreached. Seeds may be outdone.
  [[nodiscard]] std::vector<std::uint16_t> labels(const TileKernel& kernel, Context& context,
                                                  Ties ties = Ties::Zero) const;
  /// Returns the memory held.
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
