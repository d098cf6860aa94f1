// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/label_bricks.h"

#include "core/fuzzy/answer.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <bit>
#include <map>

namespace seedwave::fuzzy {
namespace {

constexpr int kBitPlaneBytes = static_cast<int>(sizeof(BitPlane));
constexpr std::uint32_t kRowBits = 0xFFFF;

/// Plane 2b: a code with bit b set; plane 2b + 1: one with bit b clear.
bool code_is_in_plane(unsigned code, int plane) {
  return (code >> (plane / 2) & 1U) == (plane % 2 == 0 ? 1U : 0U);
}

/// Planes of the codes of so many labels.
int planes_of(std::size_t labels) {
  return 2 * std::max(1, static_cast<int>(std::bit_width(labels - 1)));
}

/// Index of the step that leaves a brick of faces through `side`, -1 if there is none.
int step_across(const FloodSteps& steps, Face side) {
  const auto index_of = [&](const std::vector<FloodSteps::Other>& some) {
    const int way = side % 2 == 0 ? -1 : 1;
    const auto found = std::find_if(some.begin(), some.end(), [&](const FloodSteps::Other& step) {
      return step.dx == 0 && step.dy + step.dz == way;
    });
    return found == some.end() ? -1 : found->index;
  };
  switch (side) {
    case XLow:
      return steps.low_x;
    case XHigh:
      return steps.high_x;
    case YLow:
    case YHigh:
      return index_of(steps.in_plane);
    case ZLow:
      return index_of(steps.below);
    case ZHigh:
      return index_of(steps.above);
  }
  return -1;
}

/// Of a neighbour's sides the one that touches our `side`.
Face opposite(Face side) {
  return static_cast<Face>(side ^ 1);
}

/// Bytes before a side in what a brick shows.
std::int64_t side_at(int plane, Face side) {
  return (std::int64_t{plane} * kSides + side) * kBitPlaneBytes;
}

/// The brick at a side, -1 outside.
std::int64_t index_beside(const BrickGrid& grid, const Index3& place, Face side) {
  const int way = side % 2 == 0 ? -1 : 1;
  const int axis = side / 2;
  return grid.neighbour(place, axis == 0 ? way : 0, axis == 1 ? way : 0, axis == 2 ? way : 0);
}

}  // namespace

LabelBricks::LabelBricks(const Problem& problem, StrengthBricks& strength, const TileKernel& kernel,
                         int threads)
    : problem_(problem),
      strength_(strength),
      kernel_(kernel),
      grid_(strength.grid()),
      depth_(grid_.depth()),
      label_of_code_(labels_of(problem.seeds)),
      planes_(planes_of(label_of_code_.size())),
      bricks_(static_cast<std::size_t>(grid_.tile_count())),
      owned_(static_cast<std::size_t>(grid_.tile_count())),
      plane_pool_((planes_ + strength.steps().size()) * depth_, owned_.size()),
      side_pool_(std::size_t(planes_) * kSides * kBitPlaneBytes / SharedWords::kBytes,
                 owned_.size()),
      workers_(static_cast<std::size_t>(threads)) {
  for (std::size_t i = 0; i < strength.steps().size(); ++i) {
    const Step& step = strength.steps()[i].step;
    const auto index = static_cast<int>(i);
    if (step.dz < 0) {
      steps_.below.push_back({index, step.dx, step.dy, step.dz});
    } else if (step.dz > 0) {
      steps_.above.push_back({index, step.dx, step.dy, step.dz});
    } else if (step.dy != 0) {
      steps_.in_plane.push_back({index, step.dx, step.dy, step.dz});
    } else {
      (step.dx < 0 ? steps_.low_x : steps_.high_x) = index;
    }
  }
  for (Worker& worker : workers_) {
    worker.shell.objects.resize(problem.tables.objects.size());
    worker.halo.resize(std::size_t(planes_) * kShellPlane);
  }
}

void LabelBricks::grow(Context& context) {
  for (const Seed& seed : problem_.seeds) {
    const BrickGrid::Place place = grid_.locate(seed.offset);
    const auto code = std::lower_bound(label_of_code_.begin(), label_of_code_.end(), seed.label) -
                      label_of_code_.begin();
    planted_.push_back({place.tile, place.cell, static_cast<std::uint16_t>(code)});
  }
  std::sort(planted_.begin(), planted_.end(),
            [](const Planted& a, const Planted& b) { return a.brick < b.brick; });
  TileQueue queue(grid_.tile_count(), 0);
  for (std::size_t i = 0; i < planted_.size(); ++i) {
    if (i == 0 || planted_[i].brick != planted_[i - 1].brick) queue.wake(planted_[i].brick, 0);
  }
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t brick, int worker, std::vector<Wake>& wakes) {
        visit(brick, worker, wakes);
      },
      [](int) { return 0.0; });
}

/// In-edges of all steps from strengths that no longer change: e is an optimal predecessor of c
/// where min(h(e), affinity) = h(c) > 0, and at rest it is never above.
void LabelBricks::make_edges(std::int64_t index, Worker& worker, Brick& brick) {
  if (strength_.faces_only()) {
    strength_.read_settled(index, worker.settled);
    kernel_.face_edges(worker.settled, strength_.affinities(index), steps_, depth_, brick.edges);
    for (int i = 0; i < kSides; ++i) {
      const auto side = static_cast<Face>(i);
      const int step = step_across(steps_, side);
      if (step < 0) continue;  // a plane has no z sides
      brick.side_edges[side] = kernel_.side_of(brick.edges + step * depth_, depth_, side);
    }
    return;
  }
  strength_.fill_shell(index, worker.shell);
  strength_.read_shell(index, worker.h);
  const auto& steps = strength_.steps();
  std::array<Level, kPlane> here{};
  std::array<Level, kPlane> there{};
  std::array<Level, kPlane> affinity{};
  for (int z = 0; z < depth_; ++z) {
    for (int y = 0; y < kSide; ++y) {
      std::copy_n(worker.h.data() + shell_index(0, y, z), kSide, here.data() + y * kSide);
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (int y = 0; y < kSide; ++y) {
        const int from = shell_index(0, y, z);
        std::copy_n(worker.h.data() + from + steps[s].offset, kSide, there.data() + y * kSide);
        kernel_.affinity_row(worker.shell, problem_.tables.homogeneity.data(), from,
                             steps[s].offset, kSide, affinity.data() + y * kSide);
      }
      kernel_.optimal_edges(here.data(), there.data(), affinity.data(), kSide,
                            brick.edges[s * depth_ + z].data());
    }
  }
}

void LabelBricks::read_sides(const Brick& brick, int plane, BitSides& sides) const {
  constexpr int kBytes = kSides * kBitPlaneBytes;
  brick.sides.read(std::int64_t{plane} * kBytes, kBytes, sides.data());
}

/// The brick at a side, where labels have come there.
const LabelBricks::Brick* LabelBricks::beside(const Index3& place, Face side) const {
  const std::int64_t index = index_beside(grid_, place, side);
  return index < 0 ? nullptr : bricks_[index].load(std::memory_order_acquire);
}

/// Takes what the six neighbours' labels reach. Returns the planes that gained.
std::uint32_t LabelBricks::take_sides(const Index3& place, const Brick& brick, int plane) const {
  BitSides offered{};
  for (int i = 0; i < kSides; ++i) {
    const auto side = static_cast<Face>(i);
    const Brick* other = beside(place, side);
    if (other == nullptr) continue;
    other->sides.read(side_at(plane, opposite(side)), kBitPlaneBytes, offered[side].data());
  }
  BitSides own;
  read_sides(brick, plane, own);
  return kernel_.take_sides(brick.reached + plane * depth_, depth_, offered, brick.side_edges, own);
}

/// Copies the bits around the brick from its neighbours' sides.
void LabelBricks::read_halo(const Index3& place, Worker& worker) const {
  std::fill(worker.halo.begin(), worker.halo.end(), 0U);
  BitSides sides;
  for (int dz = depth_ == 1 ? 0 : -1; dz <= (depth_ == 1 ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0 && dz == 0) continue;
        const std::int64_t index = grid_.neighbour(place, dx, dy, dz);
        const Brick* brick = index < 0 ? nullptr : bricks_[index].load(std::memory_order_acquire);
        if (brick == nullptr) continue;
        const int z_count = dz == 0 ? depth_ : 1;
        const int z_to = dz < 0 ? -1 : dz * depth_;
        const int y_from = dy < 0 ? kSide - 1 : 0;
        const int y_count = dy == 0 ? kSide : 1;
        const int y_to = dy < 0 ? -1 : dy * kSide;
        // Row (y, z) of the neighbour, as far as it touches the brick.
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

/// Adds what the halo's labels reach across the border. Returns the planes that gained.
std::uint32_t LabelBricks::take_halo(const Brick& brick, int plane, const Worker& worker) const {
  const auto& steps = strength_.steps();
  const std::uint32_t* halo = worker.halo.data() + plane * kShellPlane;
  BitPlane* reached = brick.reached + plane * depth_;
  std::uint32_t gained = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Step& step = steps[s].step;
    for (int z = 0; z < depth_; ++z) {
      const bool beyond = z + step.dz < 0 || z + step.dz >= depth_;
      const BitPlane& edges = brick.edges[s * depth_ + z];
      // Only rows whose source lies outside, or all where the step crosses a side.
      const bool all = beyond || step.dx != 0;
      const int first = all ? 0 : (step.dy < 0 ? 0 : kSide - 1);
      const int last = all ? kSide - 1 : (step.dy > 0 ? kSide - 1 : 0);
      for (int y = first; y <= last; ++y) {
        const std::uint32_t row = halo[(z + step.dz + 1) * kShellSide + (y + step.dy + 1)];
        const std::uint32_t taken = (row >> (1 + step.dx)) & edges[y] & kRowBits;
        if ((taken & ~std::uint32_t{reached[z][y]}) == 0) continue;
        reached[z][y] = static_cast<std::uint16_t>(reached[z][y] | taken);
        gained |= 1U << z;
      }
    }
  }
  return gained;
}

std::uint32_t LabelBricks::plant(std::int64_t index, int plane, const Brick& brick) const {
  std::uint32_t gained = 0;
  auto seed =
      std::lower_bound(planted_.begin(), planted_.end(), index,
                       [](const Planted& a, std::int64_t other) { return a.brick < other; });
  for (; seed != planted_.end() && seed->brick == index; ++seed) {
    if (!code_is_in_plane(seed->code, plane)) continue;
    const int z = seed->cell / kPlane;
    std::uint16_t& row = brick.reached[plane * depth_ + z][seed->cell % kPlane / kSide];
    row = static_cast<std::uint16_t>(row | 1U << (seed->cell % kSide));
    gained |= 1U << z;
  }
  return gained;
}

/// The brick, made when a label comes to it for the first time. Only its owner calls this.
LabelBricks::Brick& LabelBricks::touch(std::int64_t index, Worker& worker) {
  owned_[index] = std::make_unique<Brick>();
  Brick& brick = *owned_[index];
  brick.reached = plane_pool_.take();
  brick.edges = brick.reached + planes_ * depth_;
  brick.sides = SharedWords(side_pool_.take());
  std::fill_n(brick.reached, planes_ * depth_, BitPlane{});
  make_edges(index, worker, brick);
  bricks_[index].store(&brick, std::memory_order_release);
  return brick;
}

void LabelBricks::visit(std::int64_t index, int worker_number, std::vector<Wake>& wakes) {
  Worker& worker = workers_[worker_number];
  const Index3 place = grid_.place_of(index);
  const bool first = !owned_[index];
  Brick& brick = first ? touch(index, worker) : *owned_[index];
  const bool faces_only = strength_.faces_only();
  if (!faces_only) read_halo(place, worker);
  BitSides gained_by_any{};
  std::uint32_t woken = 0;
  for (int digit = 0; digit < planes_; digit += 2) {
    std::uint32_t pending = 0;
    for (const int plane : {digit, digit + 1}) {
      pending |= faces_only ? take_sides(place, brick, plane) : take_halo(brick, plane, worker);
      if (first) pending |= plant(index, plane, brick);
    }
    if (pending == 0) continue;
    kernel_.flood(brick.reached + digit * depth_, brick.reached + (digit + 1) * depth_, brick.edges,
                  steps_, depth_, pending);
    for (const int plane : {digit, digit + 1}) {
      BitSides sides;
      BitSides gained;
      read_sides(brick, plane, sides);
      const std::uint32_t risen =
          kernel_.renew_sides(brick.reached + plane * depth_, depth_, sides, gained);
      for (int i = 0; i < kSides; ++i) {
        if ((risen >> i & 1U) == 0) continue;
        const auto side = static_cast<Face>(i);
        brick.sides.write(side_at(plane, side), kBitPlaneBytes, sides[side].data());
        if (!faces_only) {
          for (int line = 0; line < kSide; ++line) {
            gained_by_any[side][line] =
                static_cast<std::uint16_t>(gained_by_any[side][line] | gained[side][line]);
          }
        } else if ((woken >> i & 1U) == 0 && wants(place, side, plane, gained[side])) {
          woken |= 1U << i;
          // First in, first out: priorities by gain or by strength do not save visits.
          wakes.push_back({index_beside(grid_, place, side), 0});
        }
      }
    }
  }
  if (!faces_only) wake_diagonals(place, gained_by_any, wakes);
}

/// Whether the brick at a side can take something of what ours gained there.
bool LabelBricks::wants(const Index3& place, Face side, int plane, const BitPlane& gained) const {
  const std::int64_t index = index_beside(grid_, place, side);
  if (index < 0 || !strength_.reached(index)) return false;
  const Brick* brick = bricks_[index].load(std::memory_order_acquire);
  if (brick == nullptr) return true;
  BitPlane theirs;
  brick->sides.read(side_at(plane, opposite(side)), kBitPlaneBytes, theirs.data());
  return kernel_.can_take(gained, brick->side_edges[opposite(side)], theirs);
}

/// Wakes the neighbours that touch a gained bit, where a strength has come to at all.
void LabelBricks::wake_diagonals(const Index3& place, const BitSides& gained,
                                 std::vector<Wake>& wakes) const {
  const auto touches = [&](const Step& way) {
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
  for (const auto& [step, offset] : strength_.steps()) {
    const std::int64_t neighbour = grid_.neighbour(place, step.dx, step.dy, step.dz);
    if (neighbour < 0 || !strength_.reached(neighbour)) continue;
    if (touches(step)) wakes.push_back({neighbour, 0});
  }
}

std::vector<std::uint16_t> LabelBricks::labels(Context& context) const {
  auto result =
      large_vector<std::uint16_t>(static_cast<std::size_t>(problem_.scene.geometry.voxel_count()));
  parallel_for(context, grid_.tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint16_t> bits(planes_);
    std::array<std::uint16_t, kSide> row{};
    for (std::int64_t brick = begin; brick < end; ++brick) {
      if (!owned_[brick]) continue;
      const BitPlane* reached = owned_[brick]->reached;
      grid_.for_each_row(brick, [&](std::int64_t offset, int cell, int count) {
        const int z = cell / kPlane;
        const int y = cell % kPlane / kSide;
        for (int plane = 0; plane < planes_; ++plane)
          bits[plane] = reached[plane * depth_ + z][y];
        if ((bits[0] | bits[1]) == 0) return;
        kernel_.label_row(bits.data(), planes_, label_of_code_.data(), row.data());
        std::copy_n(row.data(), count, result.data() + offset);
      });
    }
  });
  return result;
}

}  // namespace seedwave::fuzzy
