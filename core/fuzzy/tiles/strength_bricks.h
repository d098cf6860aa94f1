// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/large_memory.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::fuzzy {

/// Pass 1 on bricks: the strength of connectedness of every cell to the seeds, as the fixpoint of
/// StrengthRule. Only bricks that a front reaches are made.
///
/// Where only faces connect (4, 6) a brick keeps its affinities, 6 bytes a cell; with diagonals (8,
/// 18, 26) they would be up to 26 and are made anew at each visit.
class StrengthBricks {
 public:
  /// Borrows the problem and the kernel.
  StrengthBricks(const Problem& problem, const TileKernel& kernel, int threads);

  /// Grows from `seeds`, which must be sorted by offset. Forgets what it grew before, but not the
  /// affinities. Throws: Cancelled.
  void grow(const std::vector<Seed>& seeds, Context& context);

  [[nodiscard]] const BrickGrid& grid() const noexcept { return grid_; }
  /// Whether the last grow() came to this brick.
  [[nodiscard]] bool reached(std::int64_t brick) const;
  /// The strengths of a brick and of the cells around it, 0 where nothing was reached.
  void read_shell(std::int64_t brick, std::array<Level, kShellCells>& h) const;
  /// Greys around a brick, ready for the kernel's affinity_row().
  void fill_shell(std::int64_t brick, Shell& shell) const;
  /// Whether bricks keep their affinities, so that the next three may be asked.
  [[nodiscard]] bool faces_only() const noexcept { return faces_only_; }
  [[nodiscard]] const FaceAffinities& affinities(std::int64_t brick) const {
    return owned_[brick]->affinities;
  }
  void read_settled(std::int64_t brick, SettledBrick& settled) const;
  /// Frees all affinities: neither grow() nor affinities() can be called again.
  void drop_affinities() { affinity_pool_.clear(); }
  /// All strengths, on the image's grid.
  [[nodiscard]] std::vector<std::uint16_t> strength(Context& context) const;

  /// The steps to all neighbours, and where they lie in a shell.
  struct ShellStep {
    Step step;
    int offset = 0;
  };
  [[nodiscard]] const std::vector<ShellStep>& steps() const noexcept { return steps_; }

 private:
  struct Brick {
    /// The owner's, [z][y][x]: whoever has the brick sweeps in place.
    Level* h = nullptr;
    /// What the neighbours read: copies of the cells that touch the six sides.
    SharedWords faces;
    std::atomic<bool> reached{false};
    FaceAffinities affinities;  // the owner's
  };
  /// What a worker needs for a visit.
  struct Worker {
    StrengthWork work;
    Shell shell;
    std::array<std::array<Level, kPlane>, 6> faces{};
    // Diagonal connectivities only.
    std::array<Level, kMargin + kCells + kMargin> padded{};
    std::array<Level, kShellCells> h_shell{};
    std::vector<std::vector<Level>> affinities;
  };

  void visit(std::int64_t index, int worker, std::vector<Wake>& wakes);
  Brick& touch(std::int64_t index, Worker& worker);
  void plant(std::int64_t index, Worker& worker, Pending& pending) const;
  [[nodiscard]] InnerEdges face_edges(const Brick& brick) const;
  InnerEdges diagonal_edges(Worker& worker) const;

  void publish(Brick& brick, const StrengthWork& work, std::uint32_t changed) const;
  [[nodiscard]] int face_at(Face side) const;
  void read_row(const Brick& brick, const Step& way, int y, int z,
                std::array<Level, kSide>& row) const;
  void read_faces(const Index3& place, std::array<std::array<Level, kPlane>, 6>& faces) const;
  void read_face(std::int64_t neighbour, Face side, std::array<Level, kPlane>& face) const;
  void take_faces(const Index3& place, const Brick& brick, Worker& worker, Pending& pending) const;
  void wake_faces(const Index3& place, const Brick& brick, Worker& worker, std::uint32_t changed,
                  std::vector<Wake>& wakes) const;
  void take_shell(Worker& worker, Pending& pending) const;
  void wake_shell(const Index3& place, Worker& worker, std::uint32_t changed,
                  std::vector<Wake>& wakes) const;
  [[nodiscard]] Level affinity_across(const Shell& shell, int from, int to) const;

  const Problem& problem_;
  const TileKernel& kernel_;
  BrickGrid grid_;
  bool faces_only_;
  std::vector<ShellStep> steps_;
  std::vector<std::atomic<Brick*>> bricks_;
  std::vector<std::unique_ptr<Brick>> owned_;  // one slot a brick, filled by its first owner
  ArrayPool<Level> h_pool_;
  ArrayPool<Level> affinity_pool_;
  ArrayPool<SharedWords::Word> face_pool_;
  std::vector<Worker> workers_;
  /// The seeds by brick, sorted.
  struct Planted {
    std::int64_t brick;
    int cell;
  };
  std::vector<Planted> planted_;
};

}  // namespace seedwave::fuzzy
