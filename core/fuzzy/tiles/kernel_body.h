// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, after its Row and inside its instruction set. Everything here
// has internal linkage, so the linker cannot mix code for different processors.
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/label_body.h"
#include "core/wavefront/strength_rules.h"

namespace seedwave::fuzzy {
namespace {

// Affinities of 16 edges at a time.

Row load_greys(const std::uint16_t* greys) {
  return load(reinterpret_cast<const std::int16_t*>(greys));
}

/// Returns the affinities of 16 cells along x to the cells `offset` further on. As in kappa(), each
/// takes a single multiplication.
inline Row affinities_of_row(const Shell& shell, const float* homogeneity, int from, int offset) {
  Floats phi = no_floats();
  for (const auto& object : shell.objects) {
    const float* here = object.data() + from;
    phi = max(phi, min(load_floats(here), load_floats(here + offset)));
  }
  const std::uint16_t* grey = shell.grey.data() + from;
  const Row step = distance(load_greys(grey), load_greys(grey + offset));
  return truncated(product(looked_up(homogeneity, step), phi));
}

Level affinity_of_cell(const Shell& shell, const float* homogeneity, int from, int to) {
  float phi = 0.0F;
  for (const auto& object : shell.objects) {
    const float both = object[from] < object[to] ? object[from] : object[to];
    phi = phi < both ? both : phi;
  }
  const int f = shell.grey[from];
  const int g = shell.grey[to];
  return static_cast<Level>(quantised_affinity(homogeneity[f < g ? g - f : f - g], phi));
}

void affinity_row(const Shell& shell, const float* homogeneity, int from, int offset, int count,
                  Level* result) {
  int i = 0;
  for (; i + kSide <= count; i += kSide)
    store(result + i, affinities_of_row(shell, homogeneity, from + i, offset));
  for (; i < count; ++i)
    result[i] = affinity_of_cell(shell, homogeneity, from + i, from + i + offset);
}

void look_up(const std::uint16_t* grey, int count, const float* table, float* result) {
  int i = 0;
  for (; i + kSide <= count; i += kSide)
    store_floats(result + i, looked_up(table, load_greys(grey + i)));
  for (; i < count; ++i)
    result[i] = table[grey[i]];
}

void face_affinities(const Shell& shell, const float* homogeneity, int depth, bool along_z,
                     const FaceAffinities& result) {
  const auto row = [&](int y, int z, int offset) {
    return affinities_of_row(shell, homogeneity, shell_index(0, y, z), offset);
  };
  for (int z = 0; z < depth; ++z) {
    Row columns[kSide];
    for (int y = 0; y < kSide; ++y) {
      columns[y] = row(y, z, -1);
      store(result.y + z * kPlane + y * kSide, row(y, z, -kShellSide));
      const int beyond = shell_index(kSide, y, z);
      result.x_upper[z * kSide + y] = affinity_of_cell(shell, homogeneity, beyond, beyond - 1);
    }
    store(result.y_upper + z * kSide, row(kSide, z, -kShellSide));
    transpose(columns);
    for (int x = 0; x < kSide; ++x)
      store(result.x + z * kPlane + x * kSide, columns[x]);
  }
  if (depth == 1) return;
  for (int y = 0; y < kSide; ++y) {
    for (int z = 0; z <= depth; ++z) {
      Level* to = z < depth ? result.z + z * kPlane : result.z_upper;
      store(to + y * kSide, along_z ? row(y, z, -kShellPlane) : zero());
    }
  }
}

// Strengths inside a brick and at its faces.

using Strength = StrengthRule<Row>;

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

/// Returns what a row of a plane takes from the previous row along y, by one or three directions.
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

/// Sweeps along y, forwards and backwards. Returns whether something rose.
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

/// Sweeps along 16 rows, forwards and backwards at once. One chain starts at each end, and they
/// cross in the middle. Rows past the middle already hold the other chain's offers. These do no
/// harm: no offer passed on exceeds what the row beyond has already received. Two chains of 16
/// steps take half the time of one of 31, because each step depends on the previous one.
///
/// `affinity` is that of row i to row i - 1. Raises row 0 and row 15 by the offers first. Returns
/// the bits that rose if kTell is set. Always inlined, to keep the rows in registers.
template <bool kTell>
[[gnu::always_inline]] inline Row sweep_both_ways(Row (&rows)[kSide], const Level* affinity, Row up,
                                                  Row down) {
  Row risen = zero();
#pragma GCC unroll 16
  for (int i = 0; i < kSide; ++i) {
    const int j = kSide - 1 - i;
    const Row low = Strength::join(rows[i], up);
    if constexpr (kTell) risen = risen | (low ^ rows[i]);
    rows[i] = low;
    if (i + 1 < kSide) up = Strength::transfer(low, load(affinity + (i + 1) * kSide));
    const Row high = Strength::join(rows[j], down);
    if constexpr (kTell) risen = risen | (high ^ rows[j]);
    rows[j] = high;
    if (j > 0) down = Strength::transfer(high, load(affinity + j * kSide));
  }
  return risen;
}

/// Sweeps along y with a single direction, so rows stay in registers.
bool sweep_columns(Level* h, const InnerEdges& edges, int z) {
  Level* plane = h + z * kPlane;
  Row rows[kSide];
  for (int y = 0; y < kSide; ++y)
    rows[y] = load(plane + y * kSide);
  const Level* affinity = edges.in_plane[0].affinity + z * kPlane;
  sweep_both_ways<false>(rows, affinity, zero(), zero());
  // Each row is touched twice, so comparing with memory is cheaper than tracking changes.
  Row risen = zero();
  for (int y = 0; y < kSide; ++y)
    risen = risen | (rows[y] ^ load(plane + y * kSide));
  if (!any(risen)) return false;
  for (int y = 0; y < kSide; ++y)
    store(plane + y * kSide, rows[y]);
  return true;
}

/// Sweeps along x on the transposed plane, forwards and backwards, including the neighbours'
/// offers.
bool sweep_x(StrengthWork& work, const InnerEdges& edges, int z) {
  Level* plane = work.h + z * kPlane;
  Row columns[kSide];
  for (int i = 0; i < kSide; ++i)
    columns[i] = load(plane + i * kSide);
  transpose(columns);
  const Row risen = sweep_both_ways<true>(columns, edges.x + z * kPlane,
                                          load(work.x_low_offer.data() + z * kSide),
                                          load(work.x_high_offer.data() + z * kSide));
  store(work.x_low.data() + z * kSide, columns[0]);
  store(work.x_high.data() + z * kSide, columns[kSide - 1]);
  if (!any(risen)) return false;
  transpose(columns);
  for (int i = 0; i < kSide; ++i)
    store(plane + i * kSide, columns[i]);
  return true;
}

/// Lets plane `to` take from its neighbour plane. Returns whether something rose.
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

/// Number of rounds of y and x in one plane before moving on in z. More did not pay in
/// measurements.
constexpr int kRoundsInPlane = 4;

void settle_plane(StrengthWork& work, const InnerEdges& edges, int z, Pending& pending,
                  std::uint32_t& changed) {
  const std::uint32_t plane = 1U << z;
  bool rose = false;
  for (int round = 0; round < kRoundsInPlane && ((pending.rows | pending.x) & plane) != 0;
       ++round) {
    if ((pending.rows & plane) != 0) {
      pending.rows &= ~plane;
      const bool along_y = edges.in_plane_count == 1 ? sweep_columns(work.h, edges, z)
                                                     : sweep_rows<3>(work.h, edges, z);
      if (along_y) pending.x |= plane;
      // One sweep each way completes straight columns. Diagonal paths may zigzag.
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
      if (z + 1 < depth && sweep_across(work.h, edges, z + 1, true)) {
        pending.raise(z + 1);
        changed |= 1U << (z + 1);
      }
    }
    for (int z = depth - 1; z >= 0; --z) {
      settle_plane(work, edges, z, pending, changed);
      if ((pending.down >> z & 1U) == 0) continue;
      pending.down &= ~(1U << z);
      if (z > 0 && sweep_across(work.h, edges, z - 1, false)) {
        pending.raise(z - 1);
        changed |= 1U << (z - 1);
      }
    }
  }
  return changed;
}

/// Lists the functions, also those of label_body.h.
constexpr TileKernel make_kernel(const char* name) {
  return {.name = name,
          .affinity_row = affinity_row,
          .look_up = look_up,
          .face_affinities = face_affinities,
          .apply_face = apply_face,
          .make_offers = make_offers,
          .gain_of_face = gain_of_face,
          .settle = settle,
          .optimal_edges = optimal_edges,
          .face_edges = face_edges,
          .side_of = side_of,
          .take_sides = take_sides,
          .renew_sides = renew_sides,
          .can_take = can_take,
          .flood = flood,
          .label_row = label_row};
}

}  // namespace
}  // namespace seedwave::fuzzy
