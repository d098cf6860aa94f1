// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/strength_bricks.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>

namespace seedwave::fuzzy {
namespace {

constexpr int kRowBytes = kSide * static_cast<int>(sizeof(Level));
constexpr int kPlaneBytes = kPlane * static_cast<int>(sizeof(Level));

bool connects_by_faces(Connectivity connectivity) {
  return connectivity == Connectivity::C4 || connectivity == Connectivity::C6;
}

}  // namespace

StrengthBricks::StrengthBricks(const Problem& problem, const TileKernel& kernel, int threads)
    : problem_(problem),
      kernel_(kernel),
      grid_(problem.scene.geometry),
      faces_only_(connects_by_faces(problem.connectivity)),
      bricks_(static_cast<std::size_t>(grid_.brick_count())),
      owned_(static_cast<std::size_t>(grid_.brick_count())),
      workers_(static_cast<std::size_t>(threads)) {
  for (const Step& step : neighbour_steps(problem.connectivity)) {
    steps_.push_back({step, shell_index(step.dx, step.dy, step.dz) - shell_index(0, 0, 0)});
  }
  for (Worker& worker : workers_) {
    worker.shell.objects.resize(problem.tables.objects.size());
    if (faces_only_) continue;
    worker.affinities.assign(steps_.size() / 2, std::vector<Level>(kMargin + kCells + kMargin));
  }
}

bool StrengthBricks::reached(std::int64_t brick) const {
  const Brick* found = bricks_[brick].load(std::memory_order_acquire);
  return found != nullptr && found->reached.load(std::memory_order_relaxed);
}

void StrengthBricks::grow(const std::vector<Seed>& seeds, Context& context) {
  for (const auto& brick : owned_) {
    if (!brick) continue;
    brick->h.clear();
    brick->x_low.clear();
    brick->x_high.clear();
    brick->reached.store(false, std::memory_order_relaxed);
  }
  planted_.clear();
  for (const Seed& seed : seeds) {
    const BrickGrid::Place place = grid_.locate(seed.offset);
    planted_.push_back({place.brick, place.cell});
  }
  std::sort(planted_.begin(), planted_.end(), [](const Planted& a, const Planted& b) {
    return a.brick != b.brick ? a.brick < b.brick : a.cell < b.cell;
  });
  TileQueue queue(grid_.brick_count(), kFullStrength);
  for (std::size_t i = 0; i < planted_.size(); ++i) {
    if (i == 0 || planted_[i].brick != planted_[i - 1].brick) {
      queue.wake(planted_[i].brick, kFullStrength);
    }
  }
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t brick, int worker, std::vector<Wake>& wakes) {
        visit(brick, worker, wakes);
      },
      [](int level) { return 1.0 - static_cast<double>(level) / kFullStrength; });
}

void StrengthBricks::fill_shell(std::int64_t brick, Shell& shell) const {
  const std::vector<std::uint16_t>& grey = *problem_.scene.grey;
  const std::uint8_t* mask = problem_.scene.mask ? problem_.scene.mask->data() : nullptr;
  const Index3 first = grid_.first_cell(brick);
  const Index3& size = grid_.size();
  for (auto& object : shell.objects)
    object.fill(0.0F);
  const auto below = static_cast<int>(std::min<std::int64_t>(first[0], 1));
  const auto ahead = static_cast<int>(std::min<std::int64_t>(size[0] - first[0], kSide + 1));
  for (int z = -1; z <= grid_.depth(); ++z) {
    if (first[2] + z < 0 || first[2] + z >= size[2]) continue;
    for (int y = -1; y <= kSide; ++y) {
      if (first[1] + y < 0 || first[1] + y >= size[1]) continue;
      const std::int64_t row = first[0] + size[0] * (first[1] + y + size[1] * (first[2] + z));
      const int at = shell_index(0, y, z);
      const std::uint16_t* from = grey.data() + row - below;
      // A loop: a call of memmove for 18 cells takes longer than the copy.
      std::uint16_t* to = shell.grey.data() + at - below;
      for (int i = 0; i < below + ahead; ++i)
        to[i] = from[i];
      for (std::size_t k = 0; k < shell.objects.size(); ++k) {
        float* object = shell.objects[k].data() + at - below;
        kernel_.look_up(from, below + ahead, problem_.tables.objects[k].data(), object);
        if (mask == nullptr) continue;
        for (int i = 0; i < below + ahead; ++i) {
          if (mask[row - below + i] == 0) object[i] = 0.0F;
        }
      }
    }
  }
}

void StrengthBricks::make_face_affinities(const Shell& shell, FaceAffinities& affinities) const {
  const int depth = grid_.depth();
  const float* homogeneity = problem_.tables.homogeneity.data();
  affinities.x.resize(std::size_t(depth) * kPlane);
  affinities.y.resize(std::size_t(depth) * kPlane);
  affinities.z.resize(std::size_t(depth) * kPlane);
  std::array<Level, kSide + 1> row{};
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < kSide; ++y) {
      kernel_.affinity_row(shell, homogeneity, shell_index(0, y, z), -1, kSide + 1, row.data());
      for (int x = 0; x < kSide; ++x)
        affinities.x[z * kPlane + x * kSide + y] = row[x];
      affinities.x_upper[z * kSide + y] = row[kSide];
      kernel_.affinity_row(shell, homogeneity, shell_index(0, y, z), -kShellSide, kSide,
                           affinities.y.data() + z * kPlane + y * kSide);
    }
    kernel_.affinity_row(shell, homogeneity, shell_index(0, kSide, z), -kShellSide, kSide,
                         affinities.y_upper.data() + z * kSide);
  }
  if (depth == 1 || problem_.connectivity == Connectivity::C4) return;  // z edges stay 0
  for (int y = 0; y < kSide; ++y) {
    for (int z = 0; z < depth; ++z) {
      kernel_.affinity_row(shell, homogeneity, shell_index(0, y, z), -kShellPlane, kSide,
                           affinities.z.data() + z * kPlane + y * kSide);
    }
    kernel_.affinity_row(shell, homogeneity, shell_index(0, y, depth), -kShellPlane, kSide,
                         affinities.z_upper.data() + y * kSide);
  }
}

/// The brick, made when a front comes to it for the first time. Only its owner calls this.
StrengthBricks::Brick& StrengthBricks::touch(std::int64_t index, Worker& worker) {
  if (!owned_[index]) {
    owned_[index] = std::make_unique<Brick>(grid_.depth());
    if (faces_only_) {
      fill_shell(index, worker.shell);
      make_face_affinities(worker.shell, owned_[index]->affinities);
    }
    bricks_[index].store(owned_[index].get(), std::memory_order_release);
  }
  return *owned_[index];
}

/// Puts the brick's seeds into the worker's copy.
void StrengthBricks::plant(std::int64_t index, Worker& worker, Pending& pending) const {
  auto seed =
      std::lower_bound(planted_.begin(), planted_.end(), index,
                       [](const Planted& a, std::int64_t brick) { return a.brick < brick; });
  for (; seed != planted_.end() && seed->brick == index; ++seed) {
    worker.work.h()[seed->cell] = kFullStrength;
    pending.raise(seed->cell / kPlane);
  }
}

InnerEdges StrengthBricks::face_edges(const Brick& brick) const {
  InnerEdges edges;
  edges.x = brick.affinities.x.data();
  edges.in_plane_count = 1;
  edges.in_plane[0] = {-kSide, brick.affinities.y.data()};
  edges.across_count = 1;
  edges.across[0] = {-kPlane, brick.affinities.z.data()};
  return edges;
}

/// The inner affinities of all backward steps, made from the worker's shell.
InnerEdges StrengthBricks::diagonal_edges(Worker& worker) const {
  InnerEdges edges;
  const float* homogeneity = problem_.tables.homogeneity.data();
  for (std::size_t d = 0; d < steps_.size() / 2; ++d) {
    const Step& step = steps_[d].step;
    const bool along_x = step.dy == 0 && step.dz == 0;
    Level* affinity = worker.affinities[d].data() + kMargin;
    for (int z = 0; z < grid_.depth(); ++z) {
      for (int y = 0; y < kSide; ++y) {
        std::array<Level, kSide> row{};
        const bool inside = y + step.dy >= 0 && y + step.dy < kSide && z + step.dz >= 0;
        if (inside) {
          kernel_.affinity_row(worker.shell, homogeneity, shell_index(0, y, z), steps_[d].offset,
                               kSide, row.data());
          if (step.dx < 0) row[0] = 0;  // a row read shifted runs on into the next one
          if (step.dx > 0) row[kSide - 1] = 0;
        }
        if (along_x) {
          for (int x = 0; x < kSide; ++x)
            affinity[z * kPlane + x * kSide + y] = row[x];
        } else {
          std::copy(row.begin(), row.end(), affinity + z * kPlane + y * kSide);
        }
      }
    }
    const InnerEdges::Direction direction{step.dx + kSide * step.dy + kPlane * step.dz, affinity};
    if (along_x) {
      edges.x = affinity;
    } else if (step.dz == 0) {
      edges.in_plane[edges.in_plane_count++] = direction;
    } else {
      edges.across[edges.across_count++] = direction;
    }
  }
  return edges;
}

void StrengthBricks::visit(std::int64_t index, int worker_number, std::vector<Wake>& wakes) {
  Worker& worker = workers_[worker_number];
  StrengthWork& work = worker.work;
  const int depth = grid_.depth();
  const Index3 place = grid_.place_of(index);
  Brick& brick = touch(index, worker);
  Pending pending;
  if (brick.reached.load(std::memory_order_relaxed)) {
    brick.h.read(0, depth * kPlaneBytes, work.h());
    brick.x_low.read(0, depth * kRowBytes, work.x_low.data());
    brick.x_high.read(0, depth * kRowBytes, work.x_high.data());
  } else {
    std::fill_n(work.h(), depth * kPlane, Level{0});
    work.x_low.fill(0);
    work.x_high.fill(0);
    plant(index, worker, pending);
  }

  InnerEdges edges;
  if (faces_only_) {
    edges = face_edges(brick);
    take_faces(place, brick, worker, pending);
  } else {
    read_shell(index, worker.h_shell);
    fill_shell(index, worker.shell);
    edges = diagonal_edges(worker);
    take_shell(worker, pending);
  }
  const std::uint32_t changed = kernel_.settle(work, edges, depth, pending);
  if (changed == 0) return;

  for (int z = 0; z < depth; ++z) {
    if ((changed >> z & 1U) == 0) continue;
    brick.h.write(z * kPlaneBytes, kPlaneBytes, work.h() + z * kPlane);
    brick.x_low.write(z * kRowBytes, kRowBytes, work.x_low.data() + z * kSide);
    brick.x_high.write(z * kRowBytes, kRowBytes, work.x_high.data() + z * kSide);
  }
  brick.reached.store(true, std::memory_order_relaxed);
  if (faces_only_) {
    wake_faces(place, brick, worker, changed, wakes);
  } else {
    wake_shell(place, worker, changed, wakes);
  }
}

/// The cells of a neighbour that touch our `side`: rows of x (y faces [z][x], z faces [y][x]) or of
/// y (x faces [z][y]). Zero where there is none yet.
void StrengthBricks::read_face(std::int64_t neighbour, Face side,
                               std::array<Level, kPlane>& face) const {
  const Brick* brick = neighbour < 0 ? nullptr : bricks_[neighbour].load(std::memory_order_acquire);
  if (brick == nullptr) {
    face.fill(0);
    return;
  }
  const int depth = grid_.depth();
  switch (side) {
    case XLow:
      brick->x_high.read(0, depth * kRowBytes, face.data());
      break;
    case XHigh:
      brick->x_low.read(0, depth * kRowBytes, face.data());
      break;
    case YLow:
    case YHigh:
      for (int z = 0; z < depth; ++z) {
        const int row = side == YLow ? kSide - 1 : 0;
        brick->h.read(z * kPlaneBytes + row * kRowBytes, kRowBytes, face.data() + z * kSide);
      }
      break;
    case ZLow:
      brick->h.read((depth - 1) * kPlaneBytes, kPlaneBytes, face.data());
      break;
    case ZHigh:
      brick->h.read(0, kPlaneBytes, face.data());
      break;
  }
}

void StrengthBricks::read_faces(const Index3& place,
                                std::array<std::array<Level, kPlane>, 6>& faces) const {
  read_face(grid_.neighbour(place, -1, 0, 0), XLow, faces[XLow]);
  read_face(grid_.neighbour(place, 1, 0, 0), XHigh, faces[XHigh]);
  read_face(grid_.neighbour(place, 0, -1, 0), YLow, faces[YLow]);
  read_face(grid_.neighbour(place, 0, 1, 0), YHigh, faces[YHigh]);
  read_face(grid_.neighbour(place, 0, 0, -1), ZLow, faces[ZLow]);
  read_face(grid_.neighbour(place, 0, 0, 1), ZHigh, faces[ZHigh]);
}

void StrengthBricks::read_settled(std::int64_t index, SettledBrick& settled) const {
  owned_[index]->h.read(0, grid_.depth() * kPlaneBytes, settled.h.data());
  read_faces(grid_.place_of(index), settled.faces);
}

void StrengthBricks::take_faces(const Index3& place, const Brick& brick, Worker& worker,
                                Pending& pending) const {
  const int depth = grid_.depth();
  const FaceAffinities& affinities = brick.affinities;
  StrengthWork& work = worker.work;
  auto& faces = worker.faces;
  read_faces(place, faces);
  if (depth > 1) {
    Level* last = work.h() + (depth - 1) * kPlane;
    if (kernel_.apply_face(work.h(), kSide, kSide, faces[ZLow].data(), affinities.z.data(),
                           kSide) != 0) {
      pending.raise(0);
    }
    if (kernel_.apply_face(last, kSide, kSide, faces[ZHigh].data(), affinities.z_upper.data(),
                           kSide) != 0) {
      pending.raise(depth - 1);
    }
  }
  Level* last_row = work.h() + (kSide - 1) * kSide;
  const std::uint32_t risen =
      kernel_.apply_face(work.h(), kPlane, depth, faces[YLow].data(), affinities.y.data(), kPlane) |
      kernel_.apply_face(last_row, kPlane, depth, faces[YHigh].data(), affinities.y_upper.data(),
                         kSide);
  for (int z = 0; z < depth; ++z) {
    if ((risen >> z & 1U) != 0) pending.raise(z);
  }
  pending.x |= kernel_.make_offers(faces[XLow].data(), affinities.x.data(), kPlane,
                                   work.x_low.data(), depth, work.x_low_offer.data());
  pending.x |= kernel_.make_offers(faces[XHigh].data(), affinities.x_upper.data(), kSide,
                                   work.x_high.data(), depth, work.x_high_offer.data());
}

void StrengthBricks::wake_faces(const Index3& place, const Brick& brick, Worker& worker,
                                std::uint32_t changed, std::vector<Wake>& wakes) const {
  const int depth = grid_.depth();
  const FaceAffinities& affinities = brick.affinities;
  StrengthWork& work = worker.work;
  const auto wake = [&](int dx, int dy, int dz, const Level* rows, int stride, int count,
                        const Level* affinity, int affinity_stride, Face side) {
    const std::int64_t neighbour = grid_.neighbour(place, dx, dy, dz);
    if (neighbour < 0) return;
    const int gain = kernel_.gain_of_face(rows, stride, count, affinity, affinity_stride,
                                          worker.faces[side].data());
    if (gain > 0) wakes.push_back({neighbour, gain});
  };
  wake(-1, 0, 0, work.x_low.data(), kSide, depth, affinities.x.data(), kPlane, XLow);
  wake(1, 0, 0, work.x_high.data(), kSide, depth, affinities.x_upper.data(), kSide, XHigh);
  wake(0, -1, 0, work.h(), kPlane, depth, affinities.y.data(), kPlane, YLow);
  wake(0, 1, 0, work.h() + (kSide - 1) * kSide, kPlane, depth, affinities.y_upper.data(), kSide,
       YHigh);
  if (depth == 1) return;
  if ((changed & 1U) != 0) {
    wake(0, 0, -1, work.h(), kSide, kSide, affinities.z.data(), kSide, ZLow);
  }
  if ((changed >> (depth - 1) & 1U) != 0) {
    wake(0, 0, 1, work.h() + (depth - 1) * kPlane, kSide, kSide, affinities.z_upper.data(), kSide,
         ZHigh);
  }
}

void StrengthBricks::read_shell(std::int64_t index, std::array<Level, kShellCells>& h) const {
  h.fill(0);
  const Index3 place = grid_.place_of(index);
  const int depth = grid_.depth();
  // Cells of one axis that come from the brick before, this one and the one after.
  struct Span {
    int from, count, to;
  };
  const auto span = [](int way, int side) {
    if (way < 0) return Span{side - 1, 1, -1};
    if (way > 0) return Span{0, 1, side};
    return Span{0, side, 0};
  };
  std::array<Level, kSide> row{};
  for (int dz = depth == 1 ? 0 : -1; dz <= (depth == 1 ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::int64_t neighbour = grid_.neighbour(place, dx, dy, dz);
        if (neighbour < 0 || !reached(neighbour)) continue;
        const Brick& brick = *bricks_[neighbour].load(std::memory_order_acquire);
        const Span xs = span(dx, kSide);
        const Span ys = span(dy, kSide);
        const Span zs = span(dz, depth);
        for (int z = 0; z < zs.count; ++z) {
          for (int y = 0; y < ys.count; ++y) {
            brick.h.read((zs.from + z) * kPlaneBytes + (ys.from + y) * kRowBytes, kRowBytes,
                         row.data());
            std::copy_n(row.data() + xs.from, xs.count,
                        h.data() + shell_index(xs.to, ys.to + y, zs.to + z));
          }
        }
      }
    }
  }
}

Level StrengthBricks::affinity_across(const Shell& shell, int from, int to) const {
  Level affinity = 0;
  kernel_.affinity_row(shell, problem_.tables.homogeneity.data(), from, to - from, 1, &affinity);
  return affinity;
}

namespace {

/// Calls body(cell, x, y, z) for the cells of a brick that touch another brick.
template <typename Body>
void for_each_border_cell(int depth, Body&& body) {
  for (int z = 0; z < depth; ++z) {
    const bool outer_plane = depth > 1 && (z == 0 || z == depth - 1);
    for (int y = 0; y < kSide; ++y) {
      const bool outer_row = outer_plane || y == 0 || y == kSide - 1;
      for (int x = 0; x < kSide; x += outer_row ? 1 : kSide - 1) {
        body(x + kSide * y + kPlane * z, x, y, z);
      }
    }
  }
}

/// In which brick a neighbour's coordinate lies: -1, 0 or 1 bricks away.
int brick_way(int coordinate, int side) {
  return coordinate < 0 ? -1 : static_cast<int>(coordinate >= side);
}

}  // namespace

void StrengthBricks::take_shell(Worker& worker, Pending& pending) const {
  worker.work.x_low_offer.fill(0);  // taken here, cell by cell
  worker.work.x_high_offer.fill(0);
  Level* h = worker.work.h();
  const int depth = grid_.depth();
  for_each_border_cell(depth, [&](int cell, int x, int y, int z) {
    const int at = shell_index(x, y, z);
    for (const ShellStep& step : steps_) {
      const Step& to = step.step;
      if (brick_way(x + to.dx, kSide) == 0 && brick_way(y + to.dy, kSide) == 0 &&
          brick_way(z + to.dz, depth) == 0) {
        continue;
      }
      const Level there = worker.h_shell[at + step.offset];
      if (there <= h[cell]) continue;
      const Level offer = std::min(there, affinity_across(worker.shell, at, at + step.offset));
      if (offer <= h[cell]) continue;
      h[cell] = offer;
      pending.raise(z);
    }
  });
}

void StrengthBricks::wake_shell(const Index3& place, Worker& worker, std::uint32_t changed,
                                std::vector<Wake>& wakes) const {
  std::array<int, 27> gains{};
  const Level* h = worker.work.h();
  const int depth = grid_.depth();
  for_each_border_cell(depth, [&](int cell, int x, int y, int z) {
    if ((changed >> z & 1U) == 0 || h[cell] == 0) return;
    const int at = shell_index(x, y, z);
    for (const ShellStep& step : steps_) {
      const Step& to = step.step;
      const int way = brick_way(x + to.dx, kSide) + 3 * brick_way(y + to.dy, kSide) +
                      9 * brick_way(z + to.dz, depth);
      if (way == 0) continue;
      const Level there = worker.h_shell[at + step.offset];
      if (h[cell] <= there || h[cell] <= gains[way + 13]) continue;
      const Level offer = std::min(h[cell], affinity_across(worker.shell, at, at + step.offset));
      if (offer > there) gains[way + 13] = std::max<int>(gains[way + 13], offer);
    }
  });
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int gain = gains[13 + dx + 3 * dy + 9 * dz];
        if (gain > 0) wakes.push_back({grid_.neighbour(place, dx, dy, dz), gain});
      }
    }
  }
}

std::vector<std::uint16_t> StrengthBricks::strength(Context& context) const {
  std::vector<std::uint16_t> result(
      static_cast<std::size_t>(problem_.scene.geometry.voxel_count()));
  parallel_for(context, grid_.brick_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    std::array<Level, kCells> h{};
    for (std::int64_t brick = begin; brick < end; ++brick) {
      if (!reached(brick)) continue;
      owned_[brick]->h.read(0, grid_.depth() * kPlaneBytes, h.data());
      grid_.for_each_row(brick, [&](std::int64_t offset, int cell, int count) {
        std::copy_n(h.data() + cell, count, result.data() + offset);
      });
    }
  });
  return result;
}

}  // namespace seedwave::fuzzy
