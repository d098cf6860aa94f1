// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, after its Row and inside its instruction set; so everything
// here has internal linkage, and no code for one processor can be taken for another's.
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/wavefront/rules.h"

namespace seedwave::fuzzy {
namespace {

using Strength = StrengthRule<Row>;
using Reach = ReachRule<Row>;

void affinity_row(const Shell& shell, const float* homogeneity, int from, int offset, int count,
                  Level* result) {
  float phi[kShellSide] = {};
  for (const auto& object : shell.objects) {
    const float* here = object.data() + from;
    for (int i = 0; i < count; ++i) {
      const float both = here[i] < here[i + offset] ? here[i] : here[i + offset];
      phi[i] = phi[i] < both ? both : phi[i];
    }
  }
  const std::uint16_t* grey = shell.grey.data() + from;
  for (int i = 0; i < count; ++i) {
    const int d =
        grey[i] < grey[i + offset] ? grey[i + offset] - grey[i] : grey[i] - grey[i + offset];
    result[i] = static_cast<Level>(quantised_affinity(homogeneity[d], phi[i]));
  }
}

void look_up(const std::uint16_t* grey, int count, const float* table, float* result) {
  for (int i = 0; i < count; ++i)
    result[i] = table[grey[i]];
}

std::uint32_t apply_face(Level* rows, int stride, int count, const Level* face,
                         const Level* affinity, int affinity_stride) {
  std::uint32_t risen = 0;
  for (int i = 0; i < count; ++i) {
    const Row old = load(rows + i * stride);
    const Row offer =
        Strength::transfer(load(face + i * kSide), load(affinity + i * affinity_stride));
    const Row now = Strength::join(old, offer);
    if (!any(now ^ old)) continue;
    store(rows + i * stride, now);
    risen |= 1U << i;
  }
  return risen;
}

std::uint32_t make_offers(const Level* face, const Level* affinity, int affinity_stride,
                          const Level* current, int count, Level* offers) {
  std::uint32_t above = 0;
  for (int i = 0; i < count; ++i) {
    const Row offer =
        Strength::transfer(load(face + i * kSide), load(affinity + i * affinity_stride));
    store(offers + i * kSide, offer);
    if (any(greater(offer, load(current + i * kSide)))) above |= 1U << i;
  }
  return above;
}

int gain_of_face(const Level* rows, int stride, int count, const Level* affinity,
                 int affinity_stride, const Level* face) {
  Row gain = zero();
  for (int i = 0; i < count; ++i) {
    const Row offer =
        Strength::transfer(load(rows + i * stride), load(affinity + i * affinity_stride));
    gain = max(gain, offer & greater(offer, load(face + i * kSide)));
  }
  return largest(gain);
}

/// What a plane's row takes from the one before it along y, by one or three directions.
template <int kDirections>
Row taken_forward(const Level* h, const InnerEdges& edges, int cell, const Row& start) {
  Row row = start;
  for (int d = 0; d < kDirections; ++d) {
    const auto& direction = edges.in_plane[d];
    row = Strength::join(row, Strength::transfer(load(h + cell + direction.offset),
                                                 load(direction.affinity + cell)));
  }
  return row;
}

template <int kDirections>
Row taken_backward(const Level* h, const InnerEdges& edges, int cell, const Row& start) {
  Row row = start;
  for (int d = 0; d < kDirections; ++d) {
    const auto& direction = edges.in_plane[d];
    row =
        Strength::join(row, Strength::transfer(load(h + cell - direction.offset),
                                               load(direction.affinity + cell - direction.offset)));
  }
  return row;
}

/// Along y, there and back. True: something rose.
template <int kDirections>
bool sweep_rows(Level* h, const InnerEdges& edges, int z) {
  Row risen = zero();
  const int first = z * kPlane;
  for (int y = 1; y < kSide; ++y) {
    const int cell = first + y * kSide;
    const Row old = load(h + cell);
    const Row now = taken_forward<kDirections>(h, edges, cell, old);
    risen = risen | (now ^ old);
    store(h + cell, now);
  }
  for (int y = kSide - 2; y >= 0; --y) {
    const int cell = first + y * kSide;
    const Row old = load(h + cell);
    const Row now = taken_backward<kDirections>(h, edges, cell, old);
    risen = risen | (now ^ old);
    store(h + cell, now);
  }
  return any(risen);
}

/// The same where columns are straight: the row before stays in a register, which takes a third of
/// the time of reading back what was just stored.
bool sweep_columns(Level* h, const InnerEdges& edges, int z) {
  Level* plane = h + z * kPlane;
  const Level* affinity = edges.in_plane[0].affinity + z * kPlane;
  Row rows[kSide];
  Row risen = zero();
  Row last = zero();
  for (int y = 0; y < kSide; ++y) {
    const Row old = load(plane + y * kSide);
    last = y == 0 ? old : Strength::join(old, Strength::transfer(last, load(affinity + y * kSide)));
    risen = risen | (last ^ old);
    rows[y] = last;
  }
  for (int y = kSide - 2; y >= 0; --y) {
    last = Strength::join(rows[y], Strength::transfer(last, load(affinity + (y + 1) * kSide)));
    risen = risen | (last ^ rows[y]);
    rows[y] = last;
  }
  if (!any(risen)) return false;
  for (int y = 0; y < kSide; ++y)
    store(plane + y * kSide, rows[y]);
  return true;
}

/// Along x on the turned plane, there and back, offers of the neighbours included.
bool sweep_x(StrengthWork& work, const InnerEdges& edges, int z) {
  Level* plane = work.h() + z * kPlane;
  const Level* affinity = edges.x + z * kPlane;
  Row columns[kSide];
  for (int i = 0; i < kSide; ++i)
    columns[i] = load(plane + i * kSide);
  transpose(columns);
  Row risen = zero();
  Row last = zero();
  for (int x = 0; x < kSide; ++x) {
    const Row offer = x == 0 ? load(work.x_low_offer.data() + z * kSide)
                             : Strength::transfer(last, load(affinity + x * kSide));
    last = Strength::join(columns[x], offer);
    risen = risen | (last ^ columns[x]);
    columns[x] = last;
  }
  for (int x = kSide - 1; x >= 0; --x) {
    const Row offer = x == kSide - 1 ? load(work.x_high_offer.data() + z * kSide)
                                     : Strength::transfer(last, load(affinity + (x + 1) * kSide));
    last = Strength::join(columns[x], offer);
    risen = risen | (last ^ columns[x]);
    columns[x] = last;
  }
  store(work.x_low.data() + z * kSide, columns[0]);
  store(work.x_high.data() + z * kSide, columns[kSide - 1]);
  if (!any(risen)) return false;
  transpose(columns);
  for (int i = 0; i < kSide; ++i)
    store(plane + i * kSide, columns[i]);
  return true;
}

/// Plane `to` takes from its neighbour plane. True: something rose.
bool sweep_across(Level* h, const InnerEdges& edges, int to, bool from_below) {
  Row risen = zero();
  for (int y = 0; y < kSide; ++y) {
    const int cell = to * kPlane + y * kSide;
    const Row old = load(h + cell);
    Row now = old;
    for (int d = 0; d < edges.across_count; ++d) {
      const auto& direction = edges.across[d];
      const int from = from_below ? cell + direction.offset : cell - direction.offset;
      now = Strength::join(
          now, Strength::transfer(load(h + from),
                                  load(direction.affinity + (from_below ? cell : from))));
    }
    risen = risen | (now ^ old);
    store(h + cell, now);
  }
  return any(risen);
}

/// Rounds of y and x in one plane before moving on in z: measured, more do not pay.
constexpr int kRoundsInPlane = 4;

void settle_plane(StrengthWork& work, const InnerEdges& edges, int z, Pending& pending,
                  std::uint32_t& changed) {
  const std::uint32_t plane = 1U << z;
  bool rose = false;
  for (int round = 0; round < kRoundsInPlane && ((pending.rows | pending.x) & plane) != 0;
       ++round) {
    if ((pending.rows & plane) != 0) {
      pending.rows &= ~plane;
      const bool along_y = edges.in_plane_count == 1 ? sweep_columns(work.h(), edges, z)
                                                     : sweep_rows<3>(work.h(), edges, z);
      if (along_y) pending.x |= plane;
      // Straight columns are done after one way there and back; diagonals may zigzag.
      if (along_y && edges.in_plane_count > 1) pending.rows |= plane;
      rose = rose || along_y;
    }
    if ((pending.x & plane) != 0) {
      pending.x &= ~plane;
      if (sweep_x(work, edges, z)) {
        pending.rows |= plane;
        rose = true;
      }
    }
  }
  if (!rose) return;
  pending.up |= plane;
  pending.down |= plane;
  changed |= plane;
}

std::uint32_t settle(StrengthWork& work, const InnerEdges& edges, int depth, Pending pending) {
  std::uint32_t changed = pending.up | pending.down;  // raised from outside
  while ((pending.rows | pending.x | pending.up | pending.down) != 0) {
    for (int z = 0; z < depth; ++z) {
      settle_plane(work, edges, z, pending, changed);
      if ((pending.up >> z & 1U) == 0) continue;
      pending.up &= ~(1U << z);
      if (z + 1 < depth && sweep_across(work.h(), edges, z + 1, true)) {
        pending.raise(z + 1);
        changed |= 1U << (z + 1);
      }
    }
    for (int z = depth - 1; z >= 0; --z) {
      settle_plane(work, edges, z, pending, changed);
      if ((pending.down >> z & 1U) == 0) continue;
      pending.down &= ~(1U << z);
      if (z > 0 && sweep_across(work.h(), edges, z - 1, false)) {
        pending.raise(z - 1);
        changed |= 1U << (z - 1);
      }
    }
  }
  return changed;
}

/// All bits of a lane where the cell there is an optimal predecessor.
Row optimal(const Row& here, const Row& there, const Row& affinity) {
  const Row too_weak = greater(here, affinity) | greater(here, there);
  return without(greater(here, zero()), too_weak);
}

void optimal_edges(const Level* h, const Level* neighbour, const Level* affinity, int rows,
                   std::uint16_t* bits) {
  for (int i = 0; i < rows; ++i) {
    bits[i] = bits_of(
        optimal(load(h + i * kSide), load(neighbour + i * kSide), load(affinity + i * kSide)));
  }
}

/// Edges along y or z: row i of the plane and the row that it may take from.
template <typename There, typename Affinity>
void edges_of_rows(const Row (&here)[kSide], BitPlane& edges, There&& there, Affinity&& affinity) {
  for (int y = 0; y < kSide; ++y)
    edges[y] = bits_of(optimal(here[y], there(y), load(affinity(y))));
}

/// Edges along x, found on the turned plane and turned back.
template <typename There, typename Affinity>
void edges_along_x(const Row (&columns)[kSide], BitPlane& edges, There&& there,
                   Affinity&& affinity) {
  Row masks[kSide];
  for (int x = 0; x < kSide; ++x)
    masks[x] = optimal(columns[x], there(x), load(affinity(x)));
  transpose(masks);
  for (int y = 0; y < kSide; ++y)
    edges[y] = bits_of(masks[y]);
}

void face_edges(const SettledBrick& brick, const FaceAffinities& affinities,
                const FloodSteps& steps, int depth, BitPlane* edges) {
  const auto face_row = [&](Face side, int row) {
    return load(brick.faces[side].data() + row * kSide);
  };
  for (int z = 0; z < depth; ++z) {
    const Level* plane = brick.h.data() + z * kPlane;
    Row here[kSide];
    for (int y = 0; y < kSide; ++y)
      here[y] = load(plane + y * kSide);
    for (const auto& step : steps.in_plane) {
      const Level* y_affinity = affinities.y.data() + z * kPlane;
      BitPlane& out = edges[step.index * depth + z];
      if (step.dy < 0) {
        edges_of_rows(
            here, out, [&](int y) { return y > 0 ? here[y - 1] : face_row(YLow, z); },
            [&](int y) { return y_affinity + y * kSide; });
      } else {
        edges_of_rows(
            here, out, [&](int y) { return y + 1 < kSide ? here[y + 1] : face_row(YHigh, z); },
            [&](int y) {
              return y + 1 < kSide ? y_affinity + (y + 1) * kSide
                                   : affinities.y_upper.data() + z * kSide;
            });
      }
    }
    for (const auto& step : steps.below) {
      edges_of_rows(
          here, edges[step.index * depth + z],
          [&](int y) { return z > 0 ? load(plane - kPlane + y * kSide) : face_row(ZLow, y); },
          [&](int y) { return affinities.z.data() + z * kPlane + y * kSide; });
    }
    for (const auto& step : steps.above) {
      const bool last = z + 1 == depth;
      edges_of_rows(
          here, edges[step.index * depth + z],
          [&](int y) { return last ? face_row(ZHigh, y) : load(plane + kPlane + y * kSide); },
          [&](int y) {
            return last ? affinities.z_upper.data() + y * kSide
                        : affinities.z.data() + (z + 1) * kPlane + y * kSide;
          });
    }
    transpose(here);
    const Level* x_affinity = affinities.x.data() + z * kPlane;
    edges_along_x(
        here, edges[steps.low_x * depth + z],
        [&](int x) { return x > 0 ? here[x - 1] : face_row(XLow, z); },
        [&](int x) { return x_affinity + x * kSide; });
    edges_along_x(
        here, edges[steps.high_x * depth + z],
        [&](int x) { return x + 1 < kSide ? here[x + 1] : face_row(XHigh, z); },
        [&](int x) {
          return x + 1 < kSide ? x_affinity + (x + 1) * kSide
                               : affinities.x_upper.data() + z * kSide;
        });
  }
}

Row load_bits(const BitPlane& plane) {
  return load(reinterpret_cast<const std::int16_t*>(plane.data()));
}

/// The bits of the cells at (dx, dy) from each cell of a plane.
Row moved(const Row& source, int dx, int dy) {
  Row plane = source;
  if (dy < 0) plane = lanes_up(plane);
  if (dy > 0) plane = lanes_down(plane);
  if (dx < 0) return shifted_left<1>(plane);
  if (dx > 0) return shifted_right<1>(plane);
  return plane;
}

/// Along x as far as the edges lead: upwards an addition carries through a run of ones, downwards
/// the reach is doubled four times.
Row filled_along_x(const Row& before, const Row& from_low, const Row& from_high) {
  const Row start = Reach::transfer(shifted_left<1>(before), from_low);
  Row reached = before | without(from_low, plus(from_low, start)) | start;
  Row run = from_high;
  reached = Reach::join(reached, Reach::transfer(shifted_right<1>(reached), run));
  run = run & shifted_right<1>(run);
  reached = Reach::join(reached, Reach::transfer(shifted_right<2>(reached), run));
  run = run & shifted_right<2>(run);
  reached = Reach::join(reached, Reach::transfer(shifted_right<4>(reached), run));
  run = run & shifted_right<4>(run);
  return Reach::join(reached, Reach::transfer(shifted_right<8>(reached), run));
}

std::uint32_t take_bits(BitPlane* reached, const BitPlane* edges, const FloodSteps& steps,
                        const BitHalo& halo, int depth) {
  std::uint32_t gained = 0;
  const auto edge = [&](int index, int z) { return load_bits(edges[index * depth + z]); };
  for (int z = 0; z < depth; ++z) {
    const Row before = load_bits(reached[z]);
    Row now = before;
    now = Reach::join(now, Reach::transfer(shifted_right<kSide - 1>(load_bits(halo.x_low[z])),
                                           edge(steps.low_x, z)));
    now = Reach::join(now, Reach::transfer(shifted_left<kSide - 1>(load_bits(halo.x_high[z])),
                                           edge(steps.high_x, z)));
    if (z == 0) {
      for (const auto& step : steps.below) {
        now = Reach::join(now, Reach::transfer(load_bits(halo.z_low), edge(step.index, z)));
      }
    }
    if (z + 1 == depth) {
      for (const auto& step : steps.above) {
        now = Reach::join(now, Reach::transfer(load_bits(halo.z_high), edge(step.index, z)));
      }
    }
    BitPlane rows;
    store(reinterpret_cast<std::int16_t*>(rows.data()), now);
    for (const auto& step : steps.in_plane) {
      const int y = step.dy < 0 ? 0 : kSide - 1;
      const std::uint16_t offered = step.dy < 0 ? halo.y_low[z] : halo.y_high[z];
      rows[y] = static_cast<std::uint16_t>(rows[y] | (offered & edges[step.index * depth + z][y]));
    }
    if (rows == reached[z]) continue;
    reached[z] = rows;
    gained |= 1U << z;
  }
  return gained;
}

bool offers_bits(const BitPlane* offered, const BitPlane* reached, const BitPlane* edges, int count,
                 int shift) {
  Row gain = zero();
  for (int i = 0; i < count; ++i) {
    Row from = load_bits(offered[i]);
    if (shift > 0) from = shifted_left<kSide - 1>(from);
    if (shift < 0) from = shifted_right<kSide - 1>(from);
    gain = gain | without(Reach::transfer(from, load_bits(edges[i])), load_bits(reached[i]));
  }
  return any(gain);
}

std::uint32_t flood(BitPlane* reached, const BitPlane* edges, const FloodSteps& steps, int depth,
                    std::uint32_t pending) {
  std::uint32_t changed = 0;
  const auto edge = [&](int index, int z) { return load_bits(edges[index * depth + z]); };
  const auto settle_bits = [&](int z) {
    const Row before = load_bits(reached[z]);
    Row now = before;
    for (Row last = zero(); any(now ^ last);) {
      last = now;
      now = filled_along_x(now, edge(steps.low_x, z), edge(steps.high_x, z));
      for (const auto& step : steps.in_plane) {
        now = Reach::join(now, Reach::transfer(moved(now, step.dx, step.dy), edge(step.index, z)));
      }
    }
    if (any(now ^ before)) changed |= 1U << z;
    store(reinterpret_cast<std::int16_t*>(reached[z].data()), now);
  };
  const auto take_from = [&](int from, int to, const std::vector<FloodSteps::Other>& way) {
    const Row source = load_bits(reached[from]);
    const Row before = load_bits(reached[to]);
    Row now = before;
    for (const auto& step : way) {
      now =
          Reach::join(now, Reach::transfer(moved(source, step.dx, step.dy), edge(step.index, to)));
    }
    if (!any(now ^ before)) return false;
    store(reinterpret_cast<std::int16_t*>(reached[to].data()), now);
    changed |= 1U << to;
    return true;
  };
  std::uint32_t unsettled = pending;
  std::uint32_t up = pending;
  std::uint32_t down = pending;
  const auto visit = [&](int z) {
    if ((unsettled >> z & 1U) == 0) return;
    unsettled &= ~(1U << z);
    settle_bits(z);
  };
  const auto raise = [&](int z) {
    unsettled |= 1U << z;
    up |= 1U << z;
    down |= 1U << z;
  };
  while ((unsettled | up | down) != 0) {
    for (int z = 0; z < depth; ++z) {
      visit(z);
      if ((up >> z & 1U) == 0) continue;
      up &= ~(1U << z);
      if (z + 1 < depth && take_from(z, z + 1, steps.below)) raise(z + 1);
    }
    for (int z = depth - 1; z >= 0; --z) {
      visit(z);
      if ((down >> z & 1U) == 0) continue;
      down &= ~(1U << z);
      if (z > 0 && take_from(z, z - 1, steps.above)) raise(z - 1);
    }
  }
  return changed | pending;
}

constexpr TileKernel make_kernel(const char* name) {
  return {name,   affinity_row,  look_up,    apply_face, make_offers, gain_of_face,
          settle, optimal_edges, face_edges, take_bits,  offers_bits, flood};
}

}  // namespace
}  // namespace seedwave::fuzzy
