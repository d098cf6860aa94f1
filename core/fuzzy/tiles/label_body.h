// SPDX-License-Identifier: Apache-2.0
// Included by kernel_body.h: handles optimal edges and labels as bits.
#pragma once

#include "core/fuzzy/tiles/kernel.h"
#include "core/wavefront/strength_rules.h"

#include <bit>

namespace seedwave::fuzzy {
namespace {

using Reach = ReachRule<Row>;

/// Sets all bits of a lane if the cell there is an optimal predecessor.
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

/// Computes edges along y or z, between row i of the plane and the row that it may take from.
template <typename There, typename Affinity>
void edges_of_rows(const Row (&here)[kSide], BitPlane& edges, There&& there, Affinity&& affinity) {
  for (int y = 0; y < kSide; ++y)
    edges[y] = bits_of(optimal(here[y], there(y), load(affinity(y))));
}

/// Computes edges along x on the transposed plane, and transposes them back.
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
      if (depth == 1) {
        edges[step.index] = {};  // nothing lies below or above a single plane
        continue;
      }
      edges_of_rows(
          here, edges[step.index * depth + z],
          [&](int y) { return z > 0 ? load(plane - kPlane + y * kSide) : face_row(ZLow, y); },
          [&](int y) { return affinities.z + z * kPlane + y * kSide; });
    }
    for (const auto& step : steps.above) {
      if (depth == 1) {
        edges[step.index] = {};
        continue;
      }
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

/// Returns the bits of the cells at (dx, dy) from each cell of a plane.
Row moved(const Row& source, int dx, int dy) {
  Row plane = source;
  if (dy < 0) plane = lanes_up(plane);
  if (dy > 0) plane = lanes_down(plane);
  if (dx < 0) return shifted_left<1>(plane);
  if (dx > 0) return shifted_right<1>(plane);
  return plane;
}

/// Fills along x as far as the edges lead. Upwards, an addition carries through a run of ones.
/// Downwards, the reach is doubled four times.
[[gnu::always_inline]] inline Row filled_along_x(const Row& before, const Row& from_low,
                                                 const Row& from_high) {
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

void store_bits(BitPlane& plane, const Row& row) {
  store(reinterpret_cast<std::int16_t*>(plane.data()), row);
}

BitPlane side_of(const BitPlane* planes, int depth, Face side) {
  BitPlane result{};
  if (side >= ZLow) return planes[side == ZLow ? 0 : depth - 1];
  for (int z = 0; z < depth; ++z) {
    if (side >= YLow) {
      result[z] = planes[z][side == YLow ? 0 : kSide - 1];
    } else {
      const Row row = load_bits(planes[z]);
      result[z] = bits_of(greater(zero(), side == XLow ? shifted_left<kSide - 1>(row) : row));
    }
  }
  return result;
}

std::uint32_t renew_sides(const BitPlane* reached, int depth, BitSides& sides, BitSides& gained) {
  std::uint32_t which = 0;
  const int count = depth == 1 ? ZLow : kSides;
  for (int side = 0; side < count; ++side) {
    const Row now = load_bits(side_of(reached, depth, static_cast<Face>(side)));
    const Row gain = without(now, load_bits(sides[side]));
    store_bits(gained[side], gain);
    store_bits(sides[side], now);
    if (any(gain)) which |= 1U << side;
  }
  return which;
}

bool can_take(const BitPlane& offered, const BitPlane& edges, const BitPlane& reached) {
  return any(without(Reach::transfer(load_bits(offered), load_bits(edges)), load_bits(reached)));
}

std::uint32_t take_sides(BitPlane* reached, int depth, const BitSides& offered,
                         const BitSides& edges, const BitSides& sides) {
  std::uint32_t gained = 0;
  const int count = depth == 1 ? ZLow : kSides;
  for (int side = 0; side < count; ++side) {
    const Row taken = without(Reach::transfer(load_bits(offered[side]), load_bits(edges[side])),
                              load_bits(sides[side]));
    if (!any(taken)) continue;
    if (side >= ZLow) {
      const int z = side == ZLow ? 0 : depth - 1;
      store_bits(reached[z], Reach::join(load_bits(reached[z]), taken));
      gained |= 1U << z;
      continue;
    }
    BitPlane lines;
    store_bits(lines, taken);
    for (int z = 0; z < depth; ++z) {
      if (lines[z] == 0) continue;
      gained |= 1U << z;
      if (side >= YLow) {
        std::uint16_t& row = reached[z][side == YLow ? 0 : kSide - 1];
        row = static_cast<std::uint16_t>(row | lines[z]);
      } else {
        const Row column = lanes_of(lines[z]) & everywhere(side == XLow ? 1 : 0x8000);
        store_bits(reached[z], Reach::join(load_bits(reached[z]), column));
      }
    }
  }
  return gained;
}

/// Both planes of a digit of the code. They use the same edges, and processing them together hides
/// the latency of each one's steps.
struct TwoPlanes {
  Row first;
  Row second;
};

bool differ(const TwoPlanes& a, const TwoPlanes& b) {
  return any((a.first ^ b.first) | (a.second ^ b.second));
}

template <typename Operation>
[[gnu::always_inline]] inline TwoPlanes of_both(const TwoPlanes& planes, Operation&& operation) {
  return {operation(planes.first), operation(planes.second)};
}

/// Floods a brick. With kFacesOnly the rows' steps are -1 and +1 along y, and there is one step
/// across planes each way.
template <bool kFacesOnly>
struct Flood {
  BitPlane* first;
  BitPlane* second;
  const BitPlane* edges;
  const FloodSteps& steps;
  int depth;

  [[nodiscard]] TwoPlanes at(int z) const { return {load_bits(first[z]), load_bits(second[z])}; }
  void put(int z, const TwoPlanes& planes) const {
    store_bits(first[z], planes.first);
    store_bits(second[z], planes.second);
  }
  [[nodiscard]] Row edge(int index, int z) const { return load_bits(edges[index * depth + z]); }

  /// Floods plane z until nothing changes. One filling completes the reach along x. Another round
  /// is needed only if other rows then add bits.
  void settle(int z) const {
    const Row from_low = edge(steps.low_x, z);
    const Row from_high = edge(steps.high_x, z);
    TwoPlanes now = at(z);
    TwoPlanes last{};
    do {
      last = of_both(now, [&](const Row& row) { return filled_along_x(row, from_low, from_high); });
      now = taken_from_rows(last, z);
    } while (differ(now, last));
    put(z, now);
  }

  /// Returns what a plane takes from its own rows.
  [[nodiscard]] TwoPlanes taken_from_rows(const TwoPlanes& planes, int z) const {
    if constexpr (kFacesOnly) {
      const Row from_low = edge(steps.in_plane[0].index, z);
      const Row from_high = edge(steps.in_plane[1].index, z);
      return of_both(planes, [&](const Row& row) {
        return row | Reach::transfer(lanes_up(row), from_low) |
               Reach::transfer(lanes_down(row), from_high);
      });
    } else {
      TwoPlanes now = planes;
      for (const auto& step : steps.in_plane) {
        const Row open = edge(step.index, z);
        now = of_both(now, [&](const Row& row) {
          return Reach::join(row, Reach::transfer(moved(row, step.dx, step.dy), open));
        });
      }
      return now;
    }
  }

  /// Lets plane `to` take from an adjacent plane. Returns whether it gained.
  [[nodiscard]] bool take(int from, int to, const std::vector<FloodSteps::Other>& way) const {
    const TwoPlanes source = at(from);
    const TwoPlanes before = at(to);
    TwoPlanes now = before;
    if constexpr (kFacesOnly) {
      if (way.empty()) return false;  // there is a single plane
      const Row open = edge(way[0].index, to);
      now = {Reach::join(before.first, Reach::transfer(source.first, open)),
             Reach::join(before.second, Reach::transfer(source.second, open))};
    } else {
      for (const auto& step : way) {
        const Row open = edge(step.index, to);
        now.first =
            Reach::join(now.first, Reach::transfer(moved(source.first, step.dx, step.dy), open));
        now.second =
            Reach::join(now.second, Reach::transfer(moved(source.second, step.dx, step.dy), open));
      }
    }
    if (!differ(now, before)) return false;
    put(to, now);
    return true;
  }
};

template <bool kFacesOnly>
void flood_from(const Flood<kFacesOnly>& brick, std::uint32_t pending) {
  const int depth = brick.depth;
  const FloodSteps& steps = brick.steps;
  std::uint32_t unsettled = pending;
  std::uint32_t up = pending;
  std::uint32_t down = pending;
  const auto settle_if_due = [&](int z) {
    if ((unsettled >> z & 1U) == 0) return;
    unsettled &= ~(1U << z);
    brick.settle(z);
  };
  const auto raise = [&](int z) {
    unsettled |= 1U << z;
    up |= 1U << z;
    down |= 1U << z;
  };
  while ((unsettled | up | down) != 0) {
    for (int z = 0; z < depth; ++z) {
      settle_if_due(z);
      if ((up >> z & 1U) == 0) continue;
      up &= ~(1U << z);
      if (z + 1 < depth && brick.take(z, z + 1, steps.below)) raise(z + 1);
    }
    for (int z = depth - 1; z >= 0; --z) {
      settle_if_due(z);
      if ((down >> z & 1U) == 0) continue;
      down &= ~(1U << z);
      if (z > 0 && brick.take(z, z - 1, steps.above)) raise(z - 1);
    }
  }
}

void flood(BitPlane* first, BitPlane* second, const BitPlane* edges, const FloodSteps& steps,
           int depth, std::uint32_t pending) {
  if (steps.in_plane.size() == 2) {
    flood_from(Flood<true>{first, second, edges, steps, depth}, pending);
  } else {
    flood_from(Flood<false>{first, second, edges, steps, depth}, pending);
  }
}

void label_row(const std::uint16_t* bits, int planes, const std::uint16_t* label_of_code,
               std::uint16_t* labels) {
  if (planes == 2) {
    // With one label there is no second code, and no cell has it.
    const std::uint16_t second = bits[0] == 0 ? std::uint16_t{0} : label_of_code[1];
    const Row one = lanes_of(static_cast<std::uint16_t>(bits[0] & ~bits[1]));
    const Row zero_digit = lanes_of(static_cast<std::uint16_t>(bits[1] & ~bits[0]));
    store(reinterpret_cast<std::int16_t*>(labels),
          (one & everywhere(second)) | (zero_digit & everywhere(label_of_code[0])));
    return;
  }
  unsigned left = bits[0] | bits[1];
  for (int plane = 0; plane < planes; plane += 2)
    left &= ~unsigned{bits[plane]} | ~unsigned{bits[plane + 1]};  // a tie in any digit: no label
  Row row = zero();
  while (left != 0) {
    // Handles all cells with the code of the first remaining one. A row has few codes.
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
