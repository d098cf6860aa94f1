// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/shared_words.h"
#include "core/fuzzy/tiles/strength_bricks.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::fuzzy {

/// Pass 2 on bricks: which labels reach a cell along optimal edges, one bit a cell and plane.
///
/// A label's code is its rank among the labels. Each bit of the code has two planes: "a label with
/// a 1 here reaches the cell" and "... with a 0". A cell that one label reaches can be read off;
/// where both planes of some bit are set, two labels met, and the cell is a tie. So n labels take
/// 2 ceil(log2 n) floods along the same edges.
class LabelBricks {
 public:
  /// Borrows all; `strength` must have come to rest and keep its affinities until grow() has ended.
  LabelBricks(const Problem& problem, StrengthBricks& strength, const TileKernel& kernel,
              int threads);

  /// Floods from the problem's seeds. Throws: Cancelled.
  void grow(Context& context);
  /// The labels on the image's grid: 0 not reached or a tie; seeds may be outdone.
  [[nodiscard]] std::vector<std::uint16_t> labels(Context& context) const;

 private:
  struct Brick {
    SharedWords reached;          // [plane of the code][z], a BitPlane each
    std::vector<BitPlane> edges;  // the owner's; [step][z]
  };
  struct Worker {
    Shell shell;
    std::array<Level, kShellCells> h{};
    SettledBrick settled;
    std::vector<BitHalo> face_halo;   // [plane of the code]
    std::vector<BitPlane> reached;    // [plane of the code][z]
    std::vector<BitPlane> neighbour;  // the same of one brick beside
    /// Bits around the brick, the brick's own left 0: bit x + 1 of row [y + 1][z + 1].
    std::vector<std::uint32_t> halo;  // [plane of the code][kShellSide][kShellSide]
  };
  struct Planted {
    std::int64_t brick;
    int cell;
    std::uint16_t code;
  };

  void visit(std::int64_t index, int worker, std::vector<Wake>& wakes);
  void make_edges(std::int64_t index, Worker& worker, std::vector<BitPlane>& edges);
  void read_face_halo(const Index3& place, std::vector<BitHalo>& halo) const;
  void read_halo(const Index3& place, Worker& worker) const;
  std::uint32_t take_halo(const Brick& brick, int plane, Worker& worker) const;
  std::uint32_t plant(std::int64_t index, int plane, std::vector<BitPlane>& reached) const;
  [[nodiscard]] bool gains(const Brick& brick, const Step& step, Worker& worker) const;
  void wake(const Index3& place, const std::vector<BitPlane>& risen, Worker& worker,
            std::vector<Wake>& wakes) const;

  const Problem& problem_;
  StrengthBricks& strength_;
  const TileKernel& kernel_;
  const BrickGrid& grid_;
  int depth_;
  std::vector<std::uint16_t> label_of_code_;
  int planes_;  // of the code
  FloodSteps steps_;
  std::vector<std::atomic<Brick*>> bricks_;
  std::vector<std::unique_ptr<Brick>> owned_;
  ArrayPool<SharedWords::Word> reached_pool_;
  std::vector<Worker> workers_;
  std::vector<Planted> planted_;  // sorted by brick
};

}  // namespace seedwave::fuzzy
