// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/strength_bricks.h"

#include "core/fuzzy/tiles/values_of_bricks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace seedwave::fuzzy {
namespace {

constexpr int kRowBytes = kSide * static_cast<int>(sizeof(Level));
constexpr int kPlaneBytes = kPlane * static_cast<int>(sizeof(Level));

/// Returns the size of the copies of a brick's sides.
int face_bytes(int depth) {
  return 4 * depth * kRowBytes + (depth == 1 ? 0 : 2 * kPlaneBytes);
}

InnerEdges inner_edges(const FaceAffinities& affinities) {
  InnerEdges edges;
  edges.x = affinities.x;
  edges.in_plane_count = 1;
  edges.in_plane[0] = {-kSide, affinities.y};
  edges.across_count = 1;
  edges.across[0] = {-kPlane, affinities.z};
  return edges;
}

Level affinity_across(const AffinityBricks& affinities, const Shell& shell, int from, int to) {
  Level affinity = 0;
  affinities.affinity_row(shell, from, to - from, 1, &affinity);
  return affinity;
}

}  // namespace

StrengthBricks::StrengthBricks(const BrickGrid& grid, BrickSteps steps)
    : grid_(grid),
      steps_(std::move(steps)),
      bricks_(grid_.tile_count()),
      h_pool_(std::size_t(grid_.depth()) * kPlane, bricks_.size()),
      face_pool_(std::size_t(face_bytes(grid_.depth())) / SharedWords::kBytes, bricks_.size()) {}

bool StrengthBricks::reached(std::int64_t brick) const {
  const Brick* found = bricks_.find(brick);
  return found != nullptr && found->reached.load(std::memory_order_relaxed);
}

void StrengthBricks::forget() {
  for (const auto& brick : bricks_.owned()) {
    if (!brick) continue;
    brick->faces.clear(face_bytes(grid_.depth()));
    brick->reached.store(false, std::memory_order_relaxed);
  }
}

StrengthBricks::Growth StrengthBricks::begin(const std::vector<Source>& sources,
                                             AffinityBricks& affinities, int threads) const {
  Growth growth{.affinities = affinities,
                .kernel = affinities.kernel(),
                .planted = {},
                .workers = std::vector<Worker>(static_cast<std::size_t>(threads))};
  for (Worker& worker : growth.workers) {
    worker.shell = affinities.make_shell();
    if (steps_.faces_only) continue;
    worker.affinities.assign(steps_.all.size() / 2, std::vector<Level>(kMargin + kCells + kMargin));
  }
  growth.planted.reserve(sources.size());
  for (const Source& source : sources) {
    const BrickGrid::Place place = grid_.locate(source.offset);
    growth.planted.push_back({place.tile, place.cell, static_cast<Level>(source.strength)});
  }
  std::sort(growth.planted.begin(), growth.planted.end(), [](const Planted& a, const Planted& b) {
    return a.brick != b.brick ? a.brick < b.brick : a.cell < b.cell;
  });
  return growth;
}

bool StrengthBricks::is_empty() const {
  return std::ranges::none_of(bricks_.owned(), [](const auto& brick) {
    return brick && brick->reached.load(std::memory_order_relaxed);
  });
}

StrengthBricks::Outcome StrengthBricks::grow(const std::vector<Seed>& seeds,
                                             AffinityBricks& affinities, Context& context) {
  std::vector<Source> sources;
  sources.reserve(seeds.size());
  for (const Seed& seed : seeds)
    sources.push_back({seed.offset, kFullStrength});
  CrawlWatch watch(grid_.tile_count());
  // Sources added at the fixpoint go far only in its gaps, while a queue would start anew.
  grow(sources, affinities, is_empty() ? &watch : nullptr, context);
  return watch.crawls() ? Outcome::Crawls : Outcome::AtRest;
}

void StrengthBricks::grow(const std::vector<Source>& sources, AffinityBricks& affinities,
                          Context& context) {
  grow(sources, affinities, nullptr, context);
}

void StrengthBricks::grow(const std::vector<Source>& sources, AffinityBricks& affinities,
                          CrawlWatch* watch, Context& context) {
  Growth growth = begin(sources, affinities, context.threads());
  ++grows_;
  raised_.clear();
  TileQueue queue(grid_.tile_count(), kFullStrength);
  std::int64_t last = -1;
  for (const Planted& seed : growth.planted) {
    if (seed.brick != last) {
      queue.wake(seed.brick, kFullStrength);
      if (watch != nullptr) watch->woken(seed.brick);
    }
    last = seed.brick;
  }
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t brick, int worker, std::vector<Wake>& wakes) {
        if (watch != nullptr && watch->visited(brick)) return;
        visit(growth, brick, growth.workers[worker], wakes);
        if (watch == nullptr) return;
        for (const Wake& wake : wakes)
          watch->woken(wake.tile);
      },
      [](int level) { return 1.0 - static_cast<double>(level) / kFullStrength; });
  for (const Worker& worker : growth.workers)
    raised_.insert(raised_.end(), worker.raised.begin(), worker.raised.end());
}

/// Returns the brick, creating it when a front first enters it. Called only by its owner.
StrengthBricks::Brick& StrengthBricks::touch(std::int64_t index) {
  return bricks_.touch(index, [&](Brick& fresh) {
    fresh.h = h_pool_.take();
    fresh.faces = SharedWords(face_pool_.take());
  });
}

/// Puts the brick's seeds into the worker's copy.
void StrengthBricks::plant(const Growth& growth, std::int64_t index, Worker& worker,
                           Pending& pending) const {
  auto seed =
      std::lower_bound(growth.planted.begin(), growth.planted.end(), index,
                       [](const Planted& a, std::int64_t brick) { return a.brick < brick; });
  for (; seed != growth.planted.end() && seed->brick == index; ++seed) {
    Level& h = worker.work.h[seed->cell];
    if (h >= seed->strength) continue;
    h = seed->strength;
    pending.raise(seed->cell / kPlane);
  }
}

/// Computes the inner affinities of all backward steps from the worker's shell.
InnerEdges StrengthBricks::diagonal_edges(const AffinityBricks& affinities, Worker& worker) const {
  InnerEdges edges;
  for (std::size_t d = 0; d < steps_.all.size() / 2; ++d) {
    const NeighbourStep& step = steps_.all[d].step;
    const bool along_x = step.dy == 0 && step.dz == 0;
    Level* affinity = worker.affinities[d].data() + kMargin;
    for (int z = 0; z < grid_.depth(); ++z) {
      for (int y = 0; y < kSide; ++y) {
        std::array<Level, kSide> row{};
        const bool inside = y + step.dy >= 0 && y + step.dy < kSide && z + step.dz >= 0;
        if (inside) {
          affinities.affinity_row(worker.shell, shell_index(0, y, z), steps_.all[d].offset, kSide,
                                  row.data());
          if (step.dx < 0) row[0] = 0;  // a shifted row continues in the next one
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

void StrengthBricks::visit(Growth& growth, std::int64_t index, Worker& worker,
                           std::vector<Wake>& wakes) {
  StrengthWork& work = worker.work;
  const int depth = grid_.depth();
  const Index3 place = grid_.place_of(index);
  Brick& brick = touch(index);
  // Diagonals read shifted rows beyond the ends of the brick, so they need a margin.
  const bool faces_only = steps_.faces_only;
  work.h = faces_only ? brick.h : worker.padded.data() + kMargin;
  if (brick.reached.load(std::memory_order_relaxed)) {
    if (!faces_only) std::copy_n(brick.h, depth * kPlane, work.h);
    brick.faces.read(face_at(XLow), depth * kRowBytes, work.x_low.data());
    brick.faces.read(face_at(XHigh), depth * kRowBytes, work.x_high.data());
  } else {
    std::fill_n(work.h, depth * kPlane, Level{0});
    work.x_low.fill(0);
    work.x_high.fill(0);
  }
  Pending pending;
  if (brick.planted != grows_ || !brick.reached.load(std::memory_order_relaxed)) {
    brick.planted = grows_;
    plant(growth, index, worker, pending);
  }

  FaceAffinities affinities;
  InnerEdges edges;
  if (faces_only) {
    affinities = growth.affinities.of(index, worker.shell);
    edges = inner_edges(affinities);
    take_faces(growth.kernel, place, affinities, worker, pending);
  } else {
    read_shell(index, worker.h_shell);
    growth.affinities.fill_shell(index, worker.shell);
    edges = diagonal_edges(growth.affinities, worker);
    take_shell(growth.affinities, worker, pending);
  }
  const std::uint32_t changed = growth.kernel.settle(work, edges, depth, pending);
  if (changed == 0) return;

  if (!faces_only) std::copy_n(work.h, depth * kPlane, brick.h);
  publish(brick, work, changed);
  brick.reached.store(true, std::memory_order_relaxed);
  if (brick.raised != grows_) {
    brick.raised = grows_;
    worker.raised.push_back(index);
  }
  if (faces_only) {
    wake_faces(growth.kernel, place, affinities, worker, changed, wakes);
  } else {
    wake_shell(growth.affinities, place, worker, changed, wakes);
  }
}

/// Returns the offset of a brick's copy of its own `side`: x faces [z][y], y faces [z][x], z faces
/// [y][x].
int StrengthBricks::face_at(Face side) const {
  const int long_face = grid_.depth() * kRowBytes;
  return side < ZLow ? side * long_face : 4 * long_face + (side - ZLow) * kPlaneBytes;
}

/// Publishes the cells of changed planes that touch the sides.
void StrengthBricks::publish(Brick& brick, const StrengthWork& work, std::uint32_t changed) const {
  const int depth = grid_.depth();
  const auto row = [&](Face side, int z, const Level* from) {
    brick.faces.write(face_at(side) + z * kRowBytes, kRowBytes, from);
  };
  for (int z = 0; z < depth; ++z) {
    if ((changed >> z & 1U) == 0) continue;
    const Level* plane = work.h + z * kPlane;
    row(XLow, z, work.x_low.data() + z * kSide);
    row(XHigh, z, work.x_high.data() + z * kSide);
    row(YLow, z, plane);
    row(YHigh, z, plane + (kSide - 1) * kSide);
    if (depth == 1) continue;
    if (z == 0) brick.faces.write(face_at(ZLow), kPlaneBytes, plane);
    if (z + 1 == depth) brick.faces.write(face_at(ZHigh), kPlaneBytes, plane);
  }
}

/// Reads the cells of a neighbour that touch our `side`. They are zero if the neighbour does not
/// exist yet.
void StrengthBricks::read_face(std::int64_t neighbour, Face side,
                               std::array<Level, kPlane>& face) const {
  const Brick* brick = bricks_.find(neighbour);
  if (brick == nullptr || !brick->reached.load(std::memory_order_relaxed)) {
    face.fill(0);
    return;
  }
  const bool along_z = side >= ZLow;
  if (along_z && grid_.depth() == 1) return;
  const Face theirs = opposite(side);  // their far side touches our near one
  brick->faces.read(face_at(theirs), along_z ? kPlaneBytes : grid_.depth() * kRowBytes,
                    face.data());
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
  settled.h = bricks_.owned()[index]->h;
  read_faces(grid_.place_of(index), settled.faces);
}

void StrengthBricks::take_faces(const TileKernel& kernel, const Index3& place,
                                const FaceAffinities& affinities, Worker& worker,
                                Pending& pending) const {
  const int depth = grid_.depth();
  StrengthWork& work = worker.work;
  auto& faces = worker.faces;
  read_faces(place, faces);
  if (depth > 1) {
    Level* last = work.h + (depth - 1) * kPlane;
    if (kernel.apply_face(work.h, kSide, kSide, faces[ZLow].data(), affinities.z, kSide) != 0) {
      pending.raise(0);
    }
    if (kernel.apply_face(last, kSide, kSide, faces[ZHigh].data(), affinities.z_upper, kSide) !=
        0) {
      pending.raise(depth - 1);
    }
  }
  Level* last_row = work.h + (kSide - 1) * kSide;
  const std::uint32_t risen =
      kernel.apply_face(work.h, kPlane, depth, faces[YLow].data(), affinities.y, kPlane) |
      kernel.apply_face(last_row, kPlane, depth, faces[YHigh].data(), affinities.y_upper, kSide);
  for (int z = 0; z < depth; ++z) {
    if ((risen >> z & 1U) != 0) pending.raise(z);
  }
  pending.x |= kernel.make_offers(faces[XLow].data(), affinities.x, kPlane, work.x_low.data(),
                                  depth, work.x_low_offer.data());
  pending.x |= kernel.make_offers(faces[XHigh].data(), affinities.x_upper, kSide,
                                  work.x_high.data(), depth, work.x_high_offer.data());
}

void StrengthBricks::wake_faces(const TileKernel& kernel, const Index3& place,
                                const FaceAffinities& affinities, Worker& worker,
                                std::uint32_t changed, std::vector<Wake>& wakes) const {
  const int depth = grid_.depth();
  StrengthWork& work = worker.work;
  const auto wake = [&](int dx, int dy, int dz, const Level* rows, int stride, int count,
                        const Level* affinity, int affinity_stride, Face side) {
    const std::int64_t neighbour = grid_.neighbour(place, dx, dy, dz);
    if (neighbour < 0) return;
    const int gain = kernel.gain_of_face(rows, stride, count, affinity, affinity_stride,
                                         worker.faces[side].data());
    if (gain > 0) wakes.push_back({neighbour, gain});
  };
  wake(-1, 0, 0, work.x_low.data(), kSide, depth, affinities.x, kPlane, XLow);
  wake(1, 0, 0, work.x_high.data(), kSide, depth, affinities.x_upper, kSide, XHigh);
  wake(0, -1, 0, work.h, kPlane, depth, affinities.y, kPlane, YLow);
  wake(0, 1, 0, work.h + (kSide - 1) * kSide, kPlane, depth, affinities.y_upper, kSide, YHigh);
  if (depth == 1) return;
  if ((changed & 1U) != 0) {
    wake(0, 0, -1, work.h, kSide, kSide, affinities.z, kSide, ZLow);
  }
  if ((changed >> (depth - 1) & 1U) != 0) {
    wake(0, 0, 1, work.h + (depth - 1) * kPlane, kSide, kSide, affinities.z_upper, kSide, ZHigh);
  }
}

/// Reads row (y, z) of the brick at `way`, as far as it touches the requesting brick. A neighbour's
/// row comes from the copies of its sides, which hold all cells that others may see.
void StrengthBricks::read_row(const Brick& brick, const NeighbourStep& way, int y, int z,
                              std::array<Level, kSide>& row) const {
  const auto face_row = [&](Face side, int at) {
    brick.faces.read(face_at(side) + at * kRowBytes, kRowBytes, row.data());
  };
  if (way.dz != 0) {
    face_row(way.dz < 0 ? ZHigh : ZLow, y);
  } else if (way.dy != 0) {
    face_row(way.dy < 0 ? YHigh : YLow, z);
  } else if (way.dx != 0) {
    face_row(way.dx < 0 ? XHigh : XLow, z);
    row.fill(row[y]);
  } else {
    std::copy_n(brick.h + z * kPlane + y * kSide, kSide, row.data());
  }
}

void StrengthBricks::read_shell(std::int64_t index, std::array<Level, kShellCells>& h) const {
  h.fill(0);
  const Index3 place = grid_.place_of(index);
  const int depth = grid_.depth();
  // Numbers of cells along one axis that come from the previous, this and the next brick.
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
        const Brick& brick = *bricks_.find(neighbour);
        const Span xs = span(dx, kSide);
        const Span ys = span(dy, kSide);
        const Span zs = span(dz, depth);
        for (int z = 0; z < zs.count; ++z) {
          for (int y = 0; y < ys.count; ++y) {
            read_row(brick, {dx, dy, dz}, ys.from + y, zs.from + z, row);
            std::copy_n(row.data() + xs.from, xs.count,
                        h.data() + shell_index(xs.to, ys.to + y, zs.to + z));
          }
        }
      }
    }
  }
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

/// Returns in which brick a neighbour's coordinate lies: -1, 0 or 1 bricks away.
int brick_way(int coordinate, int side) {
  return coordinate < 0 ? -1 : static_cast<int>(coordinate >= side);
}

}  // namespace

void StrengthBricks::take_shell(const AffinityBricks& affinities, Worker& worker,
                                Pending& pending) const {
  worker.work.x_low_offer.fill(0);  // taken here, cell by cell
  worker.work.x_high_offer.fill(0);
  Level* h = worker.work.h;
  const int depth = grid_.depth();
  for_each_border_cell(depth, [&](int cell, int x, int y, int z) {
    const int at = shell_index(x, y, z);
    for (const BrickSteps::ShellStep& step : steps_.all) {
      const NeighbourStep& to = step.step;
      if (brick_way(x + to.dx, kSide) == 0 && brick_way(y + to.dy, kSide) == 0 &&
          brick_way(z + to.dz, depth) == 0) {
        continue;
      }
      const Level there = worker.h_shell[at + step.offset];
      if (there <= h[cell]) continue;
      const Level offer =
          std::min(there, affinity_across(affinities, worker.shell, at, at + step.offset));
      if (offer <= h[cell]) continue;
      h[cell] = offer;
      pending.raise(z);
    }
  });
}

void StrengthBricks::wake_shell(const AffinityBricks& affinities, const Index3& place,
                                Worker& worker, std::uint32_t changed,
                                std::vector<Wake>& wakes) const {
  std::array<int, 27> gains{};
  const Level* h = worker.work.h;
  const int depth = grid_.depth();
  for_each_border_cell(depth, [&](int cell, int x, int y, int z) {
    if ((changed >> z & 1U) == 0 || h[cell] == 0) return;
    const int at = shell_index(x, y, z);
    for (const BrickSteps::ShellStep& step : steps_.all) {
      const NeighbourStep& to = step.step;
      const int way = brick_way(x + to.dx, kSide) + 3 * brick_way(y + to.dy, kSide) +
                      9 * brick_way(z + to.dz, depth);
      if (way == 0) continue;
      const Level there = worker.h_shell[at + step.offset];
      if (h[cell] <= there || h[cell] <= gains[way + 13]) continue;
      const Level offer =
          std::min(h[cell], affinity_across(affinities, worker.shell, at, at + step.offset));
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
  return values_of_bricks<const Level*>(
      grid_, context,
      [&](std::int64_t brick) { return reached(brick) ? bricks_.owned()[brick]->h : nullptr; },
      [](const Level* h, int cell, std::uint16_t* row) {
        std::memcpy(row, h + cell, kSide * sizeof *row);
      });
}

std::size_t StrengthBricks::bytes() const {
  return h_pool_.bytes() + face_pool_.bytes() + bricks_.bytes();
}

}  // namespace seedwave::fuzzy
