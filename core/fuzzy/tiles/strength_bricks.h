// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/affinity_bricks.h"
#include "core/fuzzy/tiles/brick_table.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/parallel/apart.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Detects a crawling wavefront: many successive visits while hardly any brick waits, because the
/// front follows one winding path. Such a path costs a visit each time it enters a brick. The
/// bucket queue pays only for its cells.
///
/// Ordinary fronts have hundreds of bricks waiting. Thread-safe. The verdict affects only the time,
/// not the result.
class CrawlWatch {
 public:
  explicit CrawlWatch(std::int64_t bricks) : waits_(static_cast<std::size_t>(bricks)) {}

  void woken(std::int64_t brick) {
    if (!waits_[static_cast<std::size_t>(brick)].exchange(true, std::memory_order_relaxed)) {
      waiting_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// Records the start of a visit. Returns true if the front crawls, so that visits no longer pay.
  [[nodiscard]] bool visited(std::int64_t brick) {
    if (waits_[static_cast<std::size_t>(brick)].exchange(false, std::memory_order_relaxed)) {
      waiting_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (waiting_.load(std::memory_order_relaxed) > kFew) {
      lonely_.store(0, std::memory_order_relaxed);
    } else if (lonely_.fetch_add(1, std::memory_order_relaxed) >= kMostLonely) {
      crawls_.store(true, std::memory_order_relaxed);
    }
    return crawls();
  }
  [[nodiscard]] bool crawls() const { return crawls_.load(std::memory_order_relaxed); }

  /// Number of visits in a row with so few bricks waiting. They take some milliseconds, a small
  /// part of the path's total time if it continues like that.
  static constexpr int kMostLonely = 1024;
  static constexpr int kFew = 4;

 private:
  std::vector<std::atomic<bool>> waits_;
  std::atomic<std::int64_t> waiting_{0};
  std::atomic<int> lonely_{0};
  std::atomic<bool> crawls_{false};
};

/// Pass 1 on bricks: the strength of connectedness of every cell to the seeds, as the fixpoint of
/// StrengthRule. Only bricks that a front reaches are created.
///
/// Holds only strengths, so it can be kept from run to run; each grow() takes the affinities as an
/// argument. Seeds that are added later only raise strengths. So the fixpoint for all seeds can be
/// reached from that of the former seeds, with a bitwise equal result.
class StrengthBricks {
 public:
  StrengthBricks(const BrickGrid& grid, BrickSteps steps);

  /// Crawls means that the run stopped because the front follows one winding path, on which a queue
  /// of cells is faster. This happens only to a run that starts from nothing.
  enum class Outcome { AtRest, Crawls };

  /// Continues from `seeds`, which must be sorted by offset. The affinities must be those of all
  /// former grow() calls. Throws Cancelled. Then, and after Crawls, the strengths are invalid, and
  /// only forget() may be called.
  [[nodiscard]] Outcome grow(const std::vector<Seed>& seeds, AffinityBricks& affinities,
                             Context& context);
  /// Continues in the same way from cells that are already connected, in any order, up to the
  /// fixpoint.
  void grow(const std::vector<Source>& sources, AffinityBricks& affinities, Context& context);
  /// Returns to the state without seeds. Keeps the memory for the next grow().
  void forget();

  [[nodiscard]] const BrickGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] const BrickSteps& steps() const noexcept { return steps_; }
  /// Returns whether a front has entered this brick.
  [[nodiscard]] bool reached(std::int64_t brick) const;
  /// Returns the bricks in which the last grow() raised a strength, in no particular order.
  [[nodiscard]] const std::vector<std::int64_t>& raised() const noexcept { return raised_; }
  /// Reads the strengths of a brick and of the cells around it, 0 where unreached.
  void read_shell(std::int64_t brick, std::array<Level, kShellCells>& h) const;
  void read_settled(std::int64_t brick, SettledBrick& settled) const;
  /// Returns all strengths on the image's grid. Uses one thread, because allocating fresh memory
  /// takes longer than the copy.
  [[nodiscard]] std::vector<std::uint16_t> strength(Context& context) const;
  /// Returns the memory held.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Brick {
    /// The owner's cells, [z][y][x], swept in place.
    Level* h = nullptr;
    /// Copies of the cells that touch the six sides, for the neighbours to read.
    SharedWords faces;
    std::atomic<bool> reached{false};
    /// Number of the grow() that planted its seeds here, and of the one that raised a strength
    /// here. Accessed only by the owner.
    int planted = 0;
    int raised = 0;
  };
  /// Working memory of a worker for a visit.
  struct alignas(kApart) Worker {
    StrengthWork work;
    Shell shell;
    std::array<std::array<Level, kPlane>, 6> faces{};
    std::vector<std::int64_t> raised;
    // Used with diagonal connectivities only.
    std::array<Level, kMargin + kCells + kMargin> padded{};
    std::array<Level, kShellCells> h_shell{};
    std::vector<std::vector<Level>> affinities;
  };
  /// A seed with its brick; sorted by brick.
  struct Planted {
    std::int64_t brick;
    int cell;
    Level strength;
  };
  /// Arguments of one grow().
  struct Growth {
    AffinityBricks& affinities;
    const TileKernel& kernel;
    std::vector<Planted> planted;
    std::vector<Worker> workers;
  };

  [[nodiscard]] Growth begin(const std::vector<Source>& sources, AffinityBricks& affinities,
                             int threads) const;
  void visit(Growth& growth, std::int64_t index, Worker& worker, std::vector<Wake>& wakes);
  /// `watch` may be null: then nothing checks for crawling.
  void grow(const std::vector<Source>& sources, AffinityBricks& affinities, CrawlWatch* watch,
            Context& context);
  [[nodiscard]] bool is_empty() const;
  Brick& touch(std::int64_t index);
  void plant(const Growth& growth, std::int64_t index, Worker& worker, Pending& pending) const;
  InnerEdges diagonal_edges(const AffinityBricks& affinities, Worker& worker) const;

  void publish(Brick& brick, const StrengthWork& work, std::uint32_t changed) const;
  [[nodiscard]] int face_at(Face side) const;
  void read_row(const Brick& brick, const NeighbourStep& way, int y, int z,
                std::array<Level, kSide>& row) const;
  void read_faces(const Index3& place, std::array<std::array<Level, kPlane>, 6>& faces) const;
  void read_face(std::int64_t neighbour, Face side, std::array<Level, kPlane>& face) const;
  void take_faces(const TileKernel& kernel, const Index3& place, const FaceAffinities& affinities,
                  Worker& worker, Pending& pending) const;
  void wake_faces(const TileKernel& kernel, const Index3& place, const FaceAffinities& affinities,
                  Worker& worker, std::uint32_t changed, std::vector<Wake>& wakes) const;
  void take_shell(const AffinityBricks& affinities, Worker& worker, Pending& pending) const;
  void wake_shell(const AffinityBricks& affinities, const Index3& place, Worker& worker,
                  std::uint32_t changed, std::vector<Wake>& wakes) const;

  BrickGrid grid_;
  BrickSteps steps_;
  BrickTable<Brick> bricks_;
  ArrayPool<Level> h_pool_;
  ArrayPool<SharedWords::Word> face_pool_;
  int grows_ = 0;
  std::vector<std::int64_t> raised_;
};

}  // namespace seedwave::fuzzy
