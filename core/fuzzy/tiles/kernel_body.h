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
Row taken_forward(const Level* h, const InnerEdges& edges, int cell, Row row) {
  for (int d = 0; d < kDirections; ++d) {
    const auto& direction = edges.in_plane[d];
    row = Strength::join(row, Strength::transfer(load(h + cell + direction.offset),
                                                 load(direction.affinity + cell)));
  }
  return row;
}

template <int kDirections>
Row taken_backward(const Level* h, const InnerEdges& edges, int cell, Row row) {
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
      const bool along_y = edges.in_plane_count == 1 ? sweep_rows<1>(work.h(), edges, z)
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

void optimal_edges(const Level* h, const Level* neighbour, const Level* affinity, int rows,
                   std::uint16_t* bits) {
  for (int i = 0; i < rows; ++i) {
    const Row here = load(h + i * kSide);
    const Row reached = greater(here, zero());
    const Row too_weak =
        greater(here, load(affinity + i * kSide)) | greater(here, load(neighbour + i * kSide));
    bits[i] = bits_of(without(reached, too_weak));
  }
}

Row load_bits(const BitPlane& plane) {
  return load(reinterpret_cast<const std::int16_t*>(plane.data()));
}

/// The bits of the cells at (dx, dy) from each cell of a plane.
Row moved(Row plane, int dx, int dy) {
  if (dy < 0) plane = lanes_up(plane);
  if (dy > 0) plane = lanes_down(plane);
  if (dx < 0) return shifted_left<1>(plane);
  if (dx > 0) return shifted_right<1>(plane);
  return plane;
}

/// Along x as far as the edges lead: upwards an addition carries through a run of ones, downwards
/// the reach is doubled four times.
Row filled_along_x(Row reached, Row from_low, Row from_high) {
  const Row start = Reach::transfer(shifted_left<1>(reached), from_low);
  reached = reached | without(from_low, plus(from_low, start)) | start;
  Row run = from_high;
  reached = Reach::join(reached, Reach::transfer(shifted_right<1>(reached), run));
  run = run & shifted_right<1>(run);
  reached = Reach::join(reached, Reach::transfer(shifted_right<2>(reached), run));
  run = run & shifted_right<2>(run);
  reached = Reach::join(reached, Reach::transfer(shifted_right<4>(reached), run));
  run = run & shifted_right<4>(run);
  return Reach::join(reached, Reach::transfer(shifted_right<8>(reached), run));
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
  return {name, affinity_row, apply_face, make_offers, gain_of_face, settle, optimal_edges, flood};
}

}  // namespace
}  // namespace seedwave::fuzzy
