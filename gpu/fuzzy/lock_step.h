// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/label_rules.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>

/// The work of one thread in a round of the tracking kernel of P-ORFC (Zhuge et al. 2013, Algorithm
/// 3).
///
/// A cell's word is TwoClassRule's state, the object's class against all others. A round reads only
/// the words of the previous round, so its result does not depend on timing. The functions are
/// plain C++, so that the tests run them on the host.
namespace seedwave::gpu {

/// TwoClassRule::transfer and join (the larger word) of two cells at once, in the halves of a
/// register.
SEEDWAVE_HD inline std::uint32_t pair_min(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vminu2(a, b);
#else
  const std::uint32_t low = (a & 0xFFFFU) < (b & 0xFFFFU) ? a & 0xFFFFU : b & 0xFFFFU;
  const std::uint32_t high = (a >> 16) < (b >> 16) ? a >> 16 : b >> 16;
  return low | high << 16;
#endif
}
SEEDWAVE_HD inline std::uint32_t pair_max(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxu2(a, b);
#else
  const std::uint32_t low = (a & 0xFFFFU) < (b & 0xFFFFU) ? b & 0xFFFFU : a & 0xFFFFU;
  const std::uint32_t high = (a >> 16) < (b >> 16) ? b >> 16 : a >> 16;
  return low | high << 16;
#endif
}
SEEDWAVE_HD inline std::uint32_t offered(std::uint32_t words, std::uint32_t affinity) {
  // The limit is 2 kappa + 1, or 0. It never removes a lambda that belongs to a lower strength.
  const std::uint32_t limit = (affinity << 1) | pair_min(affinity, 0x00010001U);
  return pair_min(words, limit) & (words | 0xFFFEFFFEU);
}

/// Position of a vector of cells; x is a multiple of kVector.
struct VectorPlace {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  std::int64_t offset = 0;

  /// Converts from the vector's index; a grid has cells() / kVector vectors.
  [[nodiscard]] SEEDWAVE_HD static VectorPlace of(std::uint32_t index, const Grid& grid) {
    const auto row_vectors = static_cast<std::uint32_t>(grid.pitch / kVector);
    const auto ny = static_cast<std::uint32_t>(grid.ny);
    const std::uint32_t row = index / row_vectors;
    return {std::int64_t{index % row_vectors} * kVector, std::int64_t{row % ny},
            std::int64_t{row / ny}, std::int64_t{index} * kVector};
  }
};

/// Four pairs of cells.
struct alignas(16) U16Pairs {
  std::uint32_t pair[4];
};

/// A round over one vector of cells with neighbours along the axes (4 or 6). Returns true if a word
/// changed. affinity: the planes +x, +y and, with 6 neighbours, +z, in sequence.
class LockStepVector {
 public:
  const std::uint16_t* before;
  std::uint16_t* after;
  const std::uint16_t* affinity;
  Grid grid;

  SEEDWAVE_HD bool operator()(std::uint32_t index, int axes) const {
    const VectorPlace place = VectorPlace::of(index, grid);
    const U16Pairs own = load(before + place.offset);
    U16Pairs best = own;
    along_row(place, own, best);
    along(place.offset, grid.pitch, place.y > 0, place.y + 1 < grid.ny, affinity + grid.cells(),
          best);
    if (axes == 3) {
      along(place.offset, grid.pitch * grid.ny, place.z > 0, place.z + 1 < grid.nz,
            affinity + 2 * grid.cells(), best);
    }
    *reinterpret_cast<U16Pairs*>(after + place.offset) = best;
    bool changed = false;
    for (int k = 0; k < 4; ++k)
      changed = changed || best.pair[k] != own.pair[k];
    return changed;
  }

 private:
  SEEDWAVE_HD static U16Pairs load(const std::uint16_t* first) {
    return *reinterpret_cast<const U16Pairs*>(first);
  }
  /// Relaxes the neighbours before and behind at `stride`.
  SEEDWAVE_HD void along(std::int64_t offset, std::int64_t stride, bool has_before, bool has_behind,
                         const std::uint16_t* plane, U16Pairs& best) const {
    if (has_before) take(load(before + offset - stride), load(plane + offset - stride), best);
    if (has_behind) take(load(before + offset + stride), load(plane + offset), best);
  }
  /// Relaxes the neighbours in the row: the vector itself, shifted by one cell.
  SEEDWAVE_HD void along_row(const VectorPlace& place, const U16Pairs& own, U16Pairs& best) const {
    const std::int64_t first = place.offset;
    const bool has_left = place.x > 0;
    const U16Pairs edge = load(affinity + first);
    take(shifted_right(own, has_left ? before[first - 1] : std::uint16_t{0}),
         shifted_right(edge, has_left ? affinity[first - 1] : std::uint16_t{0}), best);
    const bool has_right = place.x + kVector < grid.pitch;
    take(shifted_left(own, has_right ? before[first + kVector] : std::uint16_t{0}), edge, best);
  }
  SEEDWAVE_HD static void take(const U16Pairs& words, const U16Pairs& edges, U16Pairs& best) {
    for (int k = 0; k < 4; ++k) {
      best.pair[k] = pair_max(best.pair[k], offered(words.pair[k], edges.pair[k]));
    }
  }
  /// Shifts the words: cell k receives that of cell k - 1.
  SEEDWAVE_HD static U16Pairs shifted_right(const U16Pairs& words, std::uint16_t first) {
    U16Pairs shifted;
    shifted.pair[0] = words.pair[0] << 16 | first;
    for (int k = 1; k < 4; ++k)
      shifted.pair[k] = words.pair[k] << 16 | words.pair[k - 1] >> 16;
    return shifted;
  }
  SEEDWAVE_HD static U16Pairs shifted_left(const U16Pairs& words, std::uint16_t last) {
    U16Pairs shifted;
    for (int k = 0; k < 3; ++k)
      shifted.pair[k] = words.pair[k] >> 16 | words.pair[k + 1] << 16;
    shifted.pair[3] = words.pair[3] >> 16 | std::uint32_t{last} << 16;
    return shifted;
  }
};

/// A round over one vector of cells with any neighbours, cell by cell. Returns true if a word
/// changed.
class LockStepCells {
 public:
  const std::uint16_t* before;
  std::uint16_t* after;
  const std::uint16_t* affinity;
  Grid grid;
  Steps steps;

  SEEDWAVE_HD bool operator()(std::uint32_t index) const {
    const VectorPlace place = VectorPlace::of(index, grid);
    bool changed = false;
    for (int k = 0; k < kVector; ++k) {
      const std::uint16_t own = before[place.offset + k];
      const std::uint16_t best = place.x + k < grid.nx ? best_of(place, k, own) : own;
      after[place.offset + k] = best;
      changed = changed || best != own;
    }
    return changed;
  }

 private:
  SEEDWAVE_HD std::uint16_t best_of(const VectorPlace& place, int k, std::uint16_t best) const {
    using Rule = TwoClassRule;
    const std::int64_t cell = place.offset + k;
    for (int s = 0; s < steps.count; ++s) {
      const NeighbourStep& step = steps.step[s];
      const std::int64_t stride = grid.offset(step.dx, step.dy, step.dz);
      const std::uint16_t* plane = affinity + s * grid.cells();
      if (grid.contains(place.x + k + step.dx, place.y + step.dy, place.z + step.dz)) {
        best = Rule::join(best, Rule::transfer(before[cell + stride], plane[cell]));
      }
      if (grid.contains(place.x + k - step.dx, place.y - step.dy, place.z - step.dz)) {
        best = Rule::join(best, Rule::transfer(before[cell - stride], plane[cell - stride]));
      }
    }
    return best;
  }
};

}  // namespace seedwave::gpu
