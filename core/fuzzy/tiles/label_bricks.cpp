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

constexpr int kBitPlaneBytes = static_cast<int>(sizeof(BitPlane));
constexpr std::uint32_t kRowBits = 0xFFFF;

/// Returns the byte offset of a side in a brick's published sides.
std::int64_t side_at(int plane, Face side) {
  return (std::int64_t{plane} * kSides + side) * kBitPlaneBytes;
}

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

ReachBricks::ReachBricks(const BrickGrid& grid, BrickSteps steps, int planes)
    : grid_(grid),
      steps_(std::move(steps)),
      depth_(grid.depth()),
      planes_(planes),
      bricks_(grid.tile_count()),
      plane_pool_(std::size_t(planes_) * depth_, bricks_.size()),
      side_pool_(std::size_t(planes_) * kSides * kBitPlaneBytes / SharedWords::kBytes,
                 bricks_.size()) {}

void ReachBricks::flood(const Flood& flood, const std::vector<std::int64_t>& from,
                        Context& context) {
  std::vector<Worker> workers(static_cast<std::size_t>(context.threads()));
  for (Worker& worker : workers) {
    worker.scratch.shell = flood.settled.affinities.make_shell();
    if (!steps_.faces_only) worker.halo.resize(std::size_t(planes_) * kShellPlane);
  }
  ++floods_;
  flooded_.clear();
  TileQueue queue(grid_.tile_count(), 0);
  for (const std::int64_t brick : from)
    queue.wake(brick, 0);
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t brick, int worker, std::vector<Wake>& wakes) {
        visit(flood, brick, workers[worker], wakes);
      },
      [](int) { return 0.0; });
  for (const Worker& worker : workers)
    flooded_.insert(flooded_.end(), worker.flooded.begin(), worker.flooded.end());
}

BitPlane* ReachBricks::touch(std::int64_t brick) {
  return touch_brick(brick).reached;
}

void ReachBricks::renew_sides(std::int64_t brick, const TileKernel& kernel) {
  Brick& renewed = *bricks_.owned()[brick];
  BitSides sides{};
  BitSides gained;
  for (int plane = 0; plane < planes_; ++plane) {
    (void)kernel.renew_sides(renewed.reached + plane * depth_, depth_, sides, gained);
    renewed.sides.write(side_at(plane, XLow), kSides * kBitPlaneBytes, sides.data());
  }
}

void ReachBricks::clear() {
  for (const auto& brick : bricks_.owned()) {
    if (!brick) continue;
    std::fill_n(brick->reached, planes_ * depth_, BitPlane{});
    brick->sides.clear(planes_ * kSides * kBitPlaneBytes);
  }
}

void ReachBricks::read_sides(const Brick& brick, int plane, BitSides& sides) const {
  constexpr int kBytes = kSides * kBitPlaneBytes;
  brick.sides.read(std::int64_t{plane} * kBytes, kBytes, sides.data());
}

/// Takes the bits that reach the brick from its six neighbours. Returns the planes that gained.
std::uint32_t ReachBricks::take_sides(const TileKernel& kernel, const Index3& place,
                                      const Brick& brick, const EdgeBricks::Brick& edges,
                                      int plane) const {
  BitSides offered{};
  for (int i = 0; i < kSides; ++i) {
    const auto side = static_cast<Face>(i);
    const std::int64_t index = brick_beside(grid_, place, side);
    const Brick* other = bricks_.find(index);
    if (other == nullptr) continue;
    other->sides.read(side_at(plane, opposite(side)), kBitPlaneBytes, offered[side].data());
  }
  BitSides own;
  read_sides(brick, plane, own);
  return kernel.take_sides(brick.reached + plane * depth_, depth_, offered, edges.side_edges, own);
}

/// Copies the bits around the brick from its neighbours' sides.
void ReachBricks::read_halo(const Index3& place, Worker& worker) const {
  std::fill(worker.halo.begin(), worker.halo.end(), 0U);
  BitSides sides;
  for (int dz = depth_ == 1 ? 0 : -1; dz <= (depth_ == 1 ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0 && dz == 0) continue;
        const std::int64_t index = grid_.neighbour(place, dx, dy, dz);
        const Brick* brick = bricks_.find(index);
        if (brick == nullptr) continue;
        const int z_count = dz == 0 ? depth_ : 1;
        const int z_to = dz < 0 ? -1 : dz * depth_;
        const int y_from = dy < 0 ? kSide - 1 : 0;
        const int y_count = dy == 0 ? kSide : 1;
        const int y_to = dy < 0 ? -1 : dy * kSide;
        // Returns row (y, z) of the neighbour, as far as it touches the brick.
        const auto row_at = [&](int y, int z) -> std::uint32_t {
          if (dz != 0) return sides[dz < 0 ? ZHigh : ZLow][y];
          if (dy != 0) return sides[dy < 0 ? YHigh : YLow][z];
          return (sides[dx < 0 ? XHigh : XLow][z] >> y & 1U) != 0 ? kRowBits : 0U;
        };
        for (int plane = 0; plane < planes_; ++plane) {
          read_sides(*brick, plane, sides);
          std::uint32_t* halo = worker.halo.data() + plane * kShellPlane;
          for (int z = 0; z < z_count; ++z) {
            for (int y = 0; y < y_count; ++y) {
              const std::uint32_t row = row_at(y_from + y, z);
              std::uint32_t& to = halo[(z_to + z + 1) * kShellSide + (y_to + y + 1)];
              if (dx < 0) to |= row >> (kSide - 1);
              if (dx == 0) to |= row << 1;
              if (dx > 0) to |= (row & 1U) << (kSide + 1);
            }
          }
        }
      }
    }
  }
}

/// Adds the bits that reach the brick from the halo. Returns the planes that gained.
std::uint32_t ReachBricks::take_halo(const Brick& brick, const EdgeBricks::Brick& edges, int plane,
                                     const Worker& worker) const {
  const auto& steps = steps_.all;
  const std::uint32_t* halo = worker.halo.data() + plane * kShellPlane;
  BitPlane* reached = brick.reached + plane * depth_;
  std::uint32_t gained = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const NeighbourStep& step = steps[s].step;
    for (int z = 0; z < depth_; ++z) {
      const bool beyond = z + step.dz < 0 || z + step.dz >= depth_;
      const BitPlane& open = edges.edges[s * depth_ + z];
      // Only rows whose source lies outside, or all rows if the step crosses a side.
      const bool all = beyond || step.dx != 0;
      const int first = all ? 0 : (step.dy < 0 ? 0 : kSide - 1);
      const int last = all ? kSide - 1 : (step.dy > 0 ? kSide - 1 : 0);
      for (int y = first; y <= last; ++y) {
        const std::uint32_t row = halo[(z + step.dz + 1) * kShellSide + (y + step.dy + 1)];
        const std::uint32_t taken = (row >> (1 + step.dx)) & open[y] & kRowBits;
        if ((taken & ~std::uint32_t{reached[z][y]}) == 0) continue;
        reached[z][y] = static_cast<std::uint16_t>(reached[z][y] | taken);
        gained |= 1U << z;
      }
    }
  }
  return gained;
}

/// Returns the brick, creating it when a bit first arrives. Called only by its owner.
ReachBricks::Brick& ReachBricks::touch_brick(std::int64_t index) {
  return bricks_.touch(index, [&](Brick& fresh) {
    fresh.reached = plane_pool_.take();
    fresh.sides = SharedWords(side_pool_.take());
    std::fill_n(fresh.reached, planes_ * depth_, BitPlane{});
    fresh.sides.clear(planes_ * kSides * kBitPlaneBytes);
  });
}

void ReachBricks::visit(const Flood& flood, std::int64_t index, Worker& worker,
                        std::vector<Wake>& wakes) {
  const TileKernel& kernel = flood.settled.affinities.kernel();
  const Index3 place = grid_.place_of(index);
  const EdgeBricks::Brick& edges = flood.edges.touch(index, flood.settled, worker.scratch);
  Brick& brick = touch_brick(index);
  const bool faces_only = steps_.faces_only;
  if (!faces_only) read_halo(place, worker);
  std::uint32_t started = 0;
  if (brick.flooded != floods_) {
    brick.flooded = floods_;
    worker.flooded.push_back(index);
    started = flood.start(index, brick.reached);
  }
  BitSides gained_by_any{};
  std::uint32_t woken = 0;
  for (int digit = 0; digit < planes_; digit += 2) {
    std::uint32_t pending = started;
    for (const int plane : {digit, digit + 1}) {
      pending |= faces_only ? take_sides(kernel, place, brick, edges, plane)
                            : take_halo(brick, edges, plane, worker);
    }
    if (pending == 0) continue;
    kernel.flood(brick.reached + digit * depth_, brick.reached + (digit + 1) * depth_, edges.edges,
                 flood.edges.flood_steps(), depth_, pending);
    for (const int plane : {digit, digit + 1}) {
      BitSides sides;
      BitSides gained;
      read_sides(brick, plane, sides);
      const std::uint32_t risen =
          kernel.renew_sides(brick.reached + plane * depth_, depth_, sides, gained);
      for (int i = 0; i < kSides; ++i) {
        if ((risen >> i & 1U) == 0) continue;
        const auto side = static_cast<Face>(i);
        brick.sides.write(side_at(plane, side), kBitPlaneBytes, sides[side].data());
        if (!faces_only) {
          for (int line = 0; line < kSide; ++line) {
            gained_by_any[side][line] =
                static_cast<std::uint16_t>(gained_by_any[side][line] | gained[side][line]);
          }
        } else if ((woken >> i & 1U) == 0 && wants(flood, place, side, plane, gained[side])) {
          woken |= 1U << i;
          // First in, first out: priorities by gain or by strength do not save visits.
          wakes.push_back({brick_beside(grid_, place, side), 0});
        }
      }
    }
  }
  if (!faces_only) wake_diagonals(flood, place, gained_by_any, wakes);
}

/// Returns whether the brick beyond a side can use some of our gained bits there.
bool ReachBricks::wants(const Flood& flood, const Index3& place, Face side, int plane,
                        const BitPlane& gained) const {
  const std::int64_t index = brick_beside(grid_, place, side);
  if (index < 0 || !flood.may_enter(index)) return false;
  const EdgeBricks::Brick* edges = flood.edges.find(index);
  if (edges == nullptr) return true;
  const Brick* brick = bricks_.find(index);
  BitPlane theirs{};
  if (brick != nullptr) {
    brick->sides.read(side_at(plane, opposite(side)), kBitPlaneBytes, theirs.data());
  }
  return flood.settled.affinities.kernel().can_take(gained, edges->side_edges[opposite(side)],
                                                    theirs);
}

/// Wakes the neighbours that touch a gained bit.
void ReachBricks::wake_diagonals(const Flood& flood, const Index3& place, const BitSides& gained,
                                 std::vector<Wake>& wakes) const {
  const auto touches = [&](const NeighbourStep& way) {
    const unsigned columns = way.dx < 0 ? 1U : (way.dx > 0 ? 1U << (kSide - 1) : kRowBits);
    if (way.dz != 0) {
      const BitPlane& side = gained[way.dz < 0 ? ZLow : ZHigh];
      const int first = way.dy > 0 ? kSide - 1 : 0;
      const int last = way.dy < 0 ? 0 : kSide - 1;
      return std::any_of(side.begin() + first, side.begin() + last + 1,
                         [&](unsigned row) { return (row & columns) != 0; });
    }
    const BitPlane& side =
        way.dy != 0 ? gained[way.dy < 0 ? YLow : YHigh] : gained[way.dx < 0 ? XLow : XHigh];
    const unsigned mask = way.dy != 0 ? columns : kRowBits;
    return std::any_of(side.begin(), side.end(), [&](unsigned line) { return (line & mask) != 0; });
  };
  for (const auto& [step, offset] : steps_.all) {
    const std::int64_t neighbour = grid_.neighbour(place, step.dx, step.dy, step.dz);
    if (neighbour < 0 || !flood.may_enter(neighbour)) continue;
    if (touches(step)) wakes.push_back({neighbour, 0});
  }
}

LabelBricks::LabelBricks(const BrickGrid& grid, const BrickSteps& steps,
                         const std::vector<Label>& labels)
    : grid_(grid),
      steps_(steps),
      depth_(grid.depth()),
      label_of_code_(labels.begin(), labels.end()),
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
