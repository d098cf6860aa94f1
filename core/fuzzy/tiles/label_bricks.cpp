// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/label_bricks.h"

#include "core/fuzzy/tiles/values_of_bricks.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace seedwave::fuzzy {
namespace {

constexpr std::uint32_t kAllPlanes = (1U << kSide) - 1;

/// A new flood is faster if more than 1/kWorthAShare of the bricks have lost labels.
constexpr std::int64_t kWorthAShare = 2;

/// Returns whether a code is in a plane. Plane 2b is for codes with bit b set, plane 2b + 1 for
/// those with bit b clear.
bool code_is_in_plane(unsigned code, int plane) {
  return (code >> (plane / 2) & 1U) == (plane % 2 == 0 ? 1U : 0U);
}

/// Stands for a code in all planes, as after all labels have met.
constexpr std::uint16_t kAllCodes = 0xFFFF;

/// Returns the number of planes for the codes of so many labels.
int planes_of(std::size_t labels) {
  return 2 * std::max(1, static_cast<int>(std::bit_width(labels - 1)));
}

}  // namespace

LabelBricks::LabelBricks(const BrickGrid& grid, const BrickSteps& steps,
                         std::vector<std::uint16_t> labels)
    : grid_(grid),
      steps_(steps),
      depth_(grid.depth()),
      label_of_code_(std::move(labels)),
      edges_(grid, steps),
      reach_(grid, steps, planes_of(label_of_code_.size())) {}

/// Returns the seeds by brick, sorted.
std::vector<LabelBricks::Planted> LabelBricks::planted(const std::vector<Seed>& seeds) const {
  std::vector<Planted> result;
  result.reserve(seeds.size());
  for (const Seed& seed : seeds) {
    const BrickGrid::Place place = grid_.locate(seed.offset);
    const auto code = std::lower_bound(label_of_code_.begin(), label_of_code_.end(), seed.label) -
                      label_of_code_.begin();
    result.push_back({place.tile, place.cell,
                      seed.label == kTie ? kAllCodes : static_cast<std::uint16_t>(code)});
  }
  std::sort(result.begin(), result.end(),
            [](const Planted& a, const Planted& b) { return a.brick < b.brick; });
  return result;
}

void LabelBricks::plant(const Planted& seed, BitPlane* reached) const {
  for (int plane = 0; plane < reach_.planes(); ++plane) {
    if (seed.code != kAllCodes && !code_is_in_plane(seed.code, plane)) continue;
    std::uint16_t& row = reached[plane * depth_ + seed.cell / kPlane][seed.cell % kPlane / kSide];
    row = static_cast<std::uint16_t>(row | 1U << (seed.cell % kSide));
  }
}

/// Floods from the `pending` planes of the bricks `from`, and from the bricks of `seeds`.
void LabelBricks::flood(const std::vector<Planted>& seeds, const Bricks& from,
                        std::uint32_t pending, const SettledStrength& settled, Context& context) {
  Bricks all = from;
  for (const Planted& seed : seeds) {
    if (all.empty() || all.back() != seed.brick) all.push_back(seed.brick);
  }
  const auto start = [&](std::int64_t brick, BitPlane* reached) {
    std::uint32_t planes = pending;
    auto seed =
        std::lower_bound(seeds.begin(), seeds.end(), brick,
                         [](const Planted& a, std::int64_t other) { return a.brick < other; });
    for (; seed != seeds.end() && seed->brick == brick; ++seed) {
      plant(*seed, reached);
      planes |= 1U << (seed->cell / kPlane);
    }
    return planes;
  };
  const auto may_enter = [&](std::int64_t brick) { return settled.strength.reached(brick); };
  reach_.flood({settled, edges_, start, may_enter}, all, context);
}

void LabelBricks::grow(const std::vector<Seed>& seeds, const SettledStrength& settled,
                       Context& context) {
  reach_.clear();
  flood(planted(seeds), {}, 0, settled, context);
}

/// Updates the edges in the bricks that rose. Adds the cells that lost one to `lost`, and returns
/// the bricks with such cells.
///
/// Edges cannot have changed elsewhere. At the fixpoint h(e) >= min(h(c), affinity), so e is an
/// optimal predecessor of c exactly if affinity >= h(c) > 0. That depends on h(c) alone.
LabelBricks::Bricks LabelBricks::renew_edges(const Bricks& raised, const SettledStrength& settled,
                                             ReachBricks& lost, Context& context) {
  struct Worker {
    EdgeBricks::Scratch scratch;
    EdgeBricks::Change change;
    Bricks lost;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(context.threads()));
  for (Worker& worker : workers)
    worker.scratch.shell = settled.affinities.make_shell();
  TileQueue queue(grid_.tile_count(), 0);
  for (const std::int64_t brick : raised) {
    if (edges_.find(brick) != nullptr)
      queue.wake(brick, 0);  // otherwise its edges are created when it is flooded
  }
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t brick, int number, std::vector<Wake>&) {
        Worker& worker = workers[number];
        edges_.renew(brick, settled, worker.scratch, worker.change);
        if (!worker.change.any_lost) return;
        std::copy_n(worker.change.lost.begin(), depth_, lost.touch(brick));
        worker.lost.push_back(brick);
      },
      [](int) { return 0.0; });
  Bricks losers;
  for (const Worker& worker : workers)
    losers.insert(losers.end(), worker.lost.begin(), worker.lost.end());
  return losers;
}

/// Removes the labels of the cells `lost`.
///
/// No former seed is among them. A predecessor of a seed has full strength and full affinity to it,
/// so it had full strength before and did not rise. The same holds for every earlier cell on the
/// path.
void LabelBricks::clear_lost(std::int64_t brick, const BitPlane* lost, const TileKernel& kernel) {
  BitPlane* reached = reach_.touch(brick);
  for (int plane = 0; plane < reach_.planes(); ++plane) {
    for (int z = 0; z < depth_; ++z) {
      BitPlane& rows = reached[plane * depth_ + z];
      for (int y = 0; y < kSide; ++y)
        rows[y] = static_cast<std::uint16_t>(rows[y] & ~lost[z][y]);
    }
  }
  reach_.renew_sides(brick, kernel);
}

/// Adds all cells that depend on the ones already in `lost`. Returns false if they are most of the
/// object.
bool LabelBricks::spread_lost(const Bricks& losers, const SettledStrength& settled,
                              ReachBricks& lost, Context& context) {
  std::int64_t bricks = 0;
  for (std::int64_t brick = 0; brick < grid_.tile_count(); ++brick)
    bricks += reach_.reached(brick) != nullptr ? 1 : 0;
  const std::int64_t most = bricks / kWorthAShare;
  std::atomic<std::int64_t> count{0};
  const auto start = [&](std::int64_t, const BitPlane* reached) {
    count.fetch_add(1, std::memory_order_relaxed);
    std::uint32_t planes = 0;
    for (int z = 0; z < depth_; ++z) {
      if (reached[z] != BitPlane{}) planes |= 1U << z;
    }
    return planes;
  };
  const auto may_enter = [&](std::int64_t brick) {
    // Only bricks with labels can lose any. If too many do, following them does not pay.
    return reach_.reached(brick) != nullptr && count.load(std::memory_order_relaxed) <= most;
  };
  lost.flood({settled, edges_, start, may_enter}, losers, context);
  return count.load(std::memory_order_relaxed) <= most;
}

void LabelBricks::regrow(const std::vector<Seed>& seeds, const std::vector<Seed>& added,
                         const SettledStrength& settled, Context& context) {
  const Bricks& raised = settled.strength.raised();
  ReachBricks lost(grid_, steps_, 2);
  const Bricks losers = renew_edges(raised, settled, lost, context);
  if (!spread_lost(losers, settled, lost, context)) {
    grow(seeds, settled, context);
    return;
  }
  const Bricks& cleared = lost.flooded();
  parallel_for(context, static_cast<std::int64_t>(cleared.size()), 4,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   clear_lost(cleared[i], lost.reached(cleared[i]), settled.affinities.kernel());
                 }
               });
  Bricks restarted = raised;
  restarted.insert(restarted.end(), cleared.begin(), cleared.end());
  flood(planted(added), restarted, kAllPlanes >> (kSide - depth_), settled, context);
}

std::vector<std::uint16_t> LabelBricks::labels(const TileKernel& kernel, Context& context,
                                               Ties ties) const {
  const int planes = reach_.planes();
  std::vector<std::uint16_t> bits(static_cast<std::size_t>(planes));
  return values_of_bricks<const BitPlane*>(
      grid_, context, [&](std::int64_t brick) { return reach_.reached(brick); },
      [&](const BitPlane* reached, int cell, std::uint16_t* row) {
        const int z = cell / kPlane;
        const int y = cell % kPlane / kSide;
        for (int plane = 0; plane < planes; ++plane)
          bits[static_cast<std::size_t>(plane)] = reached[plane * depth_ + z][y];
        kernel.label_row(bits.data(), planes, label_of_code_.data(), row);
        if (ties == Ties::Zero) return;
        for (int x = 0; x < kSide; ++x) {
          if (((bits[0] | bits[1]) >> x & 1) != 0 && row[x] == 0) row[x] = kTie;
        }
      });
}

}  // namespace seedwave::fuzzy
