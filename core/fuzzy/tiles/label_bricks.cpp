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
      bricks_(static_cast<std::size_t>(grid_.brick_count())),
      owned_(static_cast<std::size_t>(grid_.brick_count())),
      reached_pool_(std::size_t(planes_) * depth_ * kBitPlaneBytes / SharedWords::kBytes,
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
    worker.reached.resize(std::size_t(planes_) * depth_);
    worker.neighbour.resize(worker.reached.size());
    worker.halo.resize(std::size_t(planes_) * kShellPlane);
    worker.face_halo.resize(planes_);
  }
}

void LabelBricks::grow(Context& context) {
  for (const Seed& seed : problem_.seeds) {
    const BrickGrid::Place place = grid_.locate(seed.offset);
    const auto code = std::lower_bound(label_of_code_.begin(), label_of_code_.end(), seed.label) -
                      label_of_code_.begin();
    planted_.push_back({place.brick, place.cell, static_cast<std::uint16_t>(code)});
  }
  std::sort(planted_.begin(), planted_.end(),
            [](const Planted& a, const Planted& b) { return a.brick < b.brick; });
  TileQueue queue(grid_.brick_count(), 0);
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
void LabelBricks::make_edges(std::int64_t index, Worker& worker, std::vector<BitPlane>& edges) {
  edges.resize(strength_.steps().size() * depth_);
  if (strength_.faces_only()) {
    strength_.read_settled(index, worker.settled);
    kernel_.face_edges(worker.settled, strength_.affinities(index), steps_, depth_, edges.data());
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
                            edges[s * depth_ + z].data());
    }
  }
}

/// Copies what touches the brick's sides from its six neighbours.
void LabelBricks::read_face_halo(const Index3& place, std::vector<BitHalo>& halo) const {
  const auto beside = [&](int dx, int dy, int dz) -> const SharedWords* {
    const std::int64_t index = grid_.neighbour(place, dx, dy, dz);
    const Brick* brick = index < 0 ? nullptr : bricks_[index].load(std::memory_order_acquire);
    return brick == nullptr ? nullptr : &brick->reached;
  };
  const SharedWords* x_low = beside(-1, 0, 0);
  const SharedWords* x_high = beside(1, 0, 0);
  const SharedWords* y_low = beside(0, -1, 0);
  const SharedWords* y_high = beside(0, 1, 0);
  const SharedWords* z_low = beside(0, 0, -1);
  const SharedWords* z_high = beside(0, 0, 1);
  // Of a plane's 16 rows a word holds four.
  const auto row_of = [](const SharedWords& words, std::int64_t at, int row) {
    std::array<std::uint16_t, 4> rows{};
    words.read(at + row / 4 * SharedWords::kBytes, SharedWords::kBytes, rows.data());
    return rows[row % 4];
  };
  for (int plane = 0; plane < planes_; ++plane) {
    BitHalo& to = halo[plane];
    const std::int64_t first = std::int64_t{plane} * depth_ * kBitPlaneBytes;
    const std::int64_t last = first + (depth_ - 1) * kBitPlaneBytes;
    to = {};
    if (x_low != nullptr) x_low->read(first, depth_ * kBitPlaneBytes, to.x_low.data());
    if (x_high != nullptr) x_high->read(first, depth_ * kBitPlaneBytes, to.x_high.data());
    for (int z = 0; z < depth_; ++z) {
      const std::int64_t at = first + z * kBitPlaneBytes;
      if (y_low != nullptr) to.y_low[z] = row_of(*y_low, at, kSide - 1);
      if (y_high != nullptr) to.y_high[z] = row_of(*y_high, at, 0);
    }
    if (z_low != nullptr) z_low->read(last, kBitPlaneBytes, to.z_low.data());
    if (z_high != nullptr) z_high->read(first, kBitPlaneBytes, to.z_high.data());
  }
}

/// Copies the bits around the brick from its neighbours.
void LabelBricks::read_halo(const Index3& place, Worker& worker) const {
  std::fill(worker.halo.begin(), worker.halo.end(), 0U);
  const auto halo_row = [&](int plane, int y, int z) -> std::uint32_t& {
    return worker.halo[plane * kShellPlane + (z + 1) * kShellSide + (y + 1)];
  };
  for (int dz = depth_ == 1 ? 0 : -1; dz <= (depth_ == 1 ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0 && dz == 0) continue;
        const std::int64_t index = grid_.neighbour(place, dx, dy, dz);
        const Brick* brick = index < 0 ? nullptr : bricks_[index].load(std::memory_order_acquire);
        if (brick == nullptr) continue;
        brick->reached.read(0, std::int64_t{planes_} * depth_ * kBitPlaneBytes,
                            worker.neighbour.data());
        const int z_from = dz < 0 ? depth_ - 1 : 0;
        const int z_count = dz == 0 ? depth_ : 1;
        const int z_to = dz < 0 ? -1 : dz * depth_;
        const int y_from = dy < 0 ? kSide - 1 : 0;
        const int y_count = dy == 0 ? kSide : 1;
        const int y_to = dy < 0 ? -1 : dy * kSide;
        for (int plane = 0; plane < planes_; ++plane) {
          for (int z = 0; z < z_count; ++z) {
            for (int y = 0; y < y_count; ++y) {
              const std::uint32_t row = worker.neighbour[plane * depth_ + z_from + z][y_from + y];
              std::uint32_t& to = halo_row(plane, y_to + y, z_to + z);
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
std::uint32_t LabelBricks::take_halo(const Brick& brick, int plane, Worker& worker) const {
  const auto& steps = strength_.steps();
  const std::uint32_t* halo = worker.halo.data() + plane * kShellPlane;
  BitPlane* reached = worker.reached.data() + plane * depth_;
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

std::uint32_t LabelBricks::plant(std::int64_t index, int plane,
                                 std::vector<BitPlane>& reached) const {
  std::uint32_t gained = 0;
  auto seed =
      std::lower_bound(planted_.begin(), planted_.end(), index,
                       [](const Planted& a, std::int64_t brick) { return a.brick < brick; });
  for (; seed != planted_.end() && seed->brick == index; ++seed) {
    if (!code_is_in_plane(seed->code, plane)) continue;
    const int z = seed->cell / kPlane;
    std::uint16_t& row = reached[plane * depth_ + z][seed->cell % kPlane / kSide];
    row = static_cast<std::uint16_t>(row | 1U << (seed->cell % kSide));
    gained |= 1U << z;
  }
  return gained;
}

void LabelBricks::visit(std::int64_t index, int worker_number, std::vector<Wake>& wakes) {
  Worker& worker = workers_[worker_number];
  const std::int64_t bytes = std::int64_t{planes_} * depth_ * kBitPlaneBytes;
  const Index3 place = grid_.place_of(index);
  const bool first = !owned_[index];
  if (first) {
    owned_[index] = std::make_unique<Brick>();
    owned_[index]->reached = SharedWords(reached_pool_.take());
    make_edges(index, worker, owned_[index]->edges);
    bricks_[index].store(owned_[index].get(), std::memory_order_release);
  }
  Brick& brick = *owned_[index];
  brick.reached.read(0, bytes, worker.reached.data());
  if (strength_.faces_only()) {
    read_face_halo(place, worker.face_halo);
  } else {
    read_halo(place, worker);
  }
  std::vector<BitPlane> risen(static_cast<std::size_t>(depth_), BitPlane{});
  for (int plane = 0; plane < planes_; ++plane) {
    const auto begin = worker.reached.begin() + plane * depth_;
    const std::vector<BitPlane> before(begin, begin + depth_);
    std::uint32_t pending =
        strength_.faces_only()
            ? kernel_.take_bits(worker.reached.data() + plane * depth_, brick.edges.data(), steps_,
                                worker.face_halo[plane], depth_)
            : take_halo(brick, plane, worker);
    if (first) pending |= plant(index, plane, worker.reached);
    if (pending == 0) continue;
    const std::uint32_t changed = kernel_.flood(worker.reached.data() + plane * depth_,
                                                brick.edges.data(), steps_, depth_, pending);
    for (int z = 0; z < depth_; ++z) {
      if ((changed >> z & 1U) == 0) continue;
      const BitPlane& now = begin[z];
      brick.reached.write((std::int64_t{plane} * depth_ + z) * kBitPlaneBytes, kBitPlaneBytes,
                          now.data());
      for (int y = 0; y < kSide; ++y) {
        risen[z][y] = static_cast<std::uint16_t>(risen[z][y] | (now[y] ^ before[z][y]));
      }
    }
  }
  wake(place, risen, worker, wakes);
}

/// Whether the brick at `step` across a face, made already, can take something that it has not. Its
/// edges never change once others can see it.
bool LabelBricks::gains(const Brick& brick, const Step& step, Worker& worker) const {
  const auto& steps = strength_.steps();
  const auto back = static_cast<int>(std::find_if(steps.begin(), steps.end(),
                                                  [&](const StrengthBricks::ShellStep& other) {
                                                    return other.step.dx == -step.dx &&
                                                           other.step.dy == -step.dy &&
                                                           other.step.dz == -step.dz;
                                                  }) -
                                     steps.begin());
  const BitPlane* edges = brick.edges.data() + back * depth_;
  for (int plane = 0; plane < planes_; ++plane) {
    const BitPlane* ours = worker.reached.data() + plane * depth_;
    const std::int64_t first = std::int64_t{plane} * depth_ * kBitPlaneBytes;
    BitPlane* theirs = worker.neighbour.data();
    if (step.dz != 0) {
      const int from = step.dz < 0 ? 0 : depth_ - 1;
      const int to = step.dz < 0 ? depth_ - 1 : 0;
      brick.reached.read(first + to * kBitPlaneBytes, kBitPlaneBytes, theirs);
      if (kernel_.offers_bits(ours + from, theirs, edges + to, 1, 0)) return true;
      continue;
    }
    brick.reached.read(first, depth_ * kBitPlaneBytes, theirs);
    if (step.dx != 0) {
      if (kernel_.offers_bits(ours, theirs, edges, depth_, step.dx < 0 ? 1 : -1)) return true;
      continue;
    }
    const int from = step.dy < 0 ? 0 : kSide - 1;
    const int to = kSide - 1 - from;
    for (int z = 0; z < depth_; ++z) {
      if ((ours[z][from] & edges[z][to] & ~unsigned{theirs[z][to]}) != 0) return true;
    }
  }
  return false;
}

/// Wakes the neighbours that touch a risen bit, where a strength has come to at all.
void LabelBricks::wake(const Index3& place, const std::vector<BitPlane>& risen, Worker& worker,
                       std::vector<Wake>& wakes) const {
  // By side of each axis: -1, the whole, +1.
  const auto touches = [&](int dx, int dy, int dz) {
    const unsigned columns = dx < 0 ? 1U : (dx > 0 ? 1U << (kSide - 1) : kRowBits);
    const int z_first = dz > 0 ? depth_ - 1 : 0;
    const int z_last = dz < 0 ? 0 : depth_ - 1;
    const int y_first = dy > 0 ? kSide - 1 : 0;
    const int y_last = dy < 0 ? 0 : kSide - 1;
    for (int z = z_first; z <= z_last; ++z) {
      for (int y = y_first; y <= y_last; ++y) {
        if ((risen[z][y] & columns) != 0) return true;
      }
    }
    return false;
  };
  for (const auto& [step, offset] : strength_.steps()) {
    const std::int64_t neighbour = grid_.neighbour(place, step.dx, step.dy, step.dz);
    if (neighbour < 0 || !strength_.reached(neighbour)) continue;
    if (!touches(step.dx, step.dy, step.dz)) continue;
    const Brick* brick = bricks_[neighbour].load(std::memory_order_acquire);
    if (strength_.faces_only() && brick != nullptr && !gains(*brick, step, worker)) continue;
    // First in, first out: taking first who gains most bits cost a third more visits.
    wakes.push_back({neighbour, 0});
  }
}

std::vector<std::uint16_t> LabelBricks::labels(Context& context) const {
  auto result =
      large_vector<std::uint16_t>(static_cast<std::size_t>(problem_.scene.geometry.voxel_count()));
  parallel_for(context, grid_.brick_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    std::vector<BitPlane> reached(std::size_t(planes_) * depth_);
    std::vector<std::uint16_t> bits(planes_);
    std::array<std::uint16_t, kSide> row{};
    for (std::int64_t brick = begin; brick < end; ++brick) {
      if (!owned_[brick]) continue;
      owned_[brick]->reached.read(0, std::int64_t{planes_} * depth_ * kBitPlaneBytes,
                                  reached.data());
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
