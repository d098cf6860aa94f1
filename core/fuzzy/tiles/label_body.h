// SPDX-License-Identifier: Apache-2.0
// Included by kernel_body.h: optimal edges and labels as bits.
#pragma once

#include "core/fuzzy/tiles/kernel.h"
#include "core/wavefront/rules.h"

#include <bit>

namespace seedwave::fuzzy {
namespace {

using Reach = ReachRule<Row>;

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
    const Level* plane = brick.h + z * kPlane;
    Row here[kSide];
    for (int y = 0; y < kSide; ++y)
      here[y] = load(plane + y * kSide);
    for (const auto& step : steps.in_plane) {
      const Level* y_affinity = affinities.y + z * kPlane;
      BitPlane& out = edges[step.index * depth + z];
      if (step.dy < 0) {
        edges_of_rows(
            here, out, [&](int y) { return y > 0 ? here[y - 1] : face_row(YLow, z); },
            [&](int y) { return y_affinity + y * kSide; });
      } else {
        edges_of_rows(
            here, out, [&](int y) { return y + 1 < kSide ? here[y + 1] : face_row(YHigh, z); },
            [&](int y) {
              return y + 1 < kSide ? y_affinity + (y + 1) * kSide : affinities.y_upper + z * kSide;
            });
      }
    }
    for (const auto& step : steps.below) {
      edges_of_rows(
          here, edges[step.index * depth + z],
          [&](int y) { return z > 0 ? load(plane - kPlane + y * kSide) : face_row(ZLow, y); },
          [&](int y) { return affinities.z + z * kPlane + y * kSide; });
    }
    for (const auto& step : steps.above) {
      const bool last = z + 1 == depth;
      edges_of_rows(
          here, edges[step.index * depth + z],
          [&](int y) { return last ? face_row(ZHigh, y) : load(plane + kPlane + y * kSide); },
          [&](int y) {
            return last ? affinities.z_upper + y * kSide
                        : affinities.z + (z + 1) * kPlane + y * kSide;
          });
    }
    transpose(here);
    const Level* x_affinity = affinities.x + z * kPlane;
    edges_along_x(
        here, edges[steps.low_x * depth + z],
        [&](int x) { return x > 0 ? here[x - 1] : face_row(XLow, z); },
        [&](int x) { return x_affinity + x * kSide; });
    edges_along_x(
        here, edges[steps.high_x * depth + z],
        [&](int x) { return x + 1 < kSide ? here[x + 1] : face_row(XHigh, z); },
        [&](int x) {
          return x + 1 < kSide ? x_affinity + (x + 1) * kSide : affinities.x_upper + z * kSide;
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

void label_row(const std::uint16_t* bits, int planes, const std::uint16_t* label_of_code,
               std::uint16_t* labels) {
  unsigned left = bits[0] | bits[1];
  for (int plane = 0; plane < planes; plane += 2)
    left &= ~unsigned{bits[plane]} | ~unsigned{bits[plane + 1]};  // a tie in any digit is no label
  Row row = zero();
  while (left != 0) {
    // All cells with the code of the first that is left: along a row there are few codes.
    const int x = std::countr_zero(left);
    unsigned same = left;
    unsigned code = 0;
    for (int plane = 0; plane < planes; plane += 2) {
      const bool one = (bits[plane] >> x & 1U) != 0;
      code |= (one ? 1U : 0U) << (plane / 2);
      same &= one ? bits[plane] : ~unsigned{bits[plane]};
    }
    row = row | (lanes_of(static_cast<std::uint16_t>(same)) & everywhere(label_of_code[code]));
    left &= ~same;
  }
  store(reinterpret_cast<std::int16_t*>(labels), row);
}

}  // namespace
}  // namespace seedwave::fuzzy
