// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace seedwave::distance {

/// Output of the pass along x, row by row: cells of type Plane, with `row_bytes` from one row to
/// the next.
struct PlaneRows {
  const std::byte* first = nullptr;
  std::int64_t row_bytes = 0;
};

/// The pass along z, of one worker. Processes strips of one cache line's width and all slices,
/// copied so that they are contiguous, a few adjacent ones at a time.
template <typename Plane>
class StripPass {
 public:
  using Value = ValueOf<Plane>;
  static constexpr std::int64_t kWidth = kBlock<Plane>;

  StripPass(const Kernel& kernel, const StepSquares<Plane>& squares, const Index3& size,
            const PlaneRows& rows)
      : kernel_(kernel),
        squares_(squares),
        size_(size),
        rows_(rows),
        strip_cells_((size[2] + 2 * kMargin) * kWidth),
        together_(std::clamp<std::int64_t>(
            kMostBytes / (strip_cells_ * static_cast<std::int64_t>(sizeof(Plane))), 1,
            (size[0] + kWidth - 1) / kWidth)),
        memory_(static_cast<std::size_t>(together_ * strip_cells_ + kWidth), kUnknown<Plane>),
        least_(static_cast<std::size_t>(size[2] * kWidth)),
        far_(static_cast<std::size_t>(size[2])),
        places_(static_cast<std::size_t>(size[2] + kFarBlock)),
        values_(places_.size()),
        line_(kernel, squares, size[2]) {
    // Blocks are cache lines, so the strips begin at one.
    void* aligned = memory_.data();
    std::size_t room = memory_.size() * sizeof(Plane);
    strips_ = static_cast<Plane*>(std::align(kBlockBytes, kBlockBytes, aligned, room));
    strips_ += kMargin * kWidth;
  }
  StripPass(const StripPass&) = delete;
  StripPass& operator=(const StripPass&) = delete;
  StripPass(StripPass&&) = delete;
  StripPass& operator=(StripPass&&) = delete;

  /// Solves the image row y of all slices and calls write(squares, width, x) for its strips of
  /// whole blocks, with `width` valid columns. Calls check() before every few strips. Returns false
  /// if a square does not fit into a Plane.
  ///
  /// Works from the last column to the first. The planes may lie in the answer's memory: a row's
  /// squares take no more room than its answers, so none is overwritten unread.
  template <typename Check, typename Write>
  bool solve(std::int64_t y, Check&& check, Write&& write) {
    const std::int64_t strips = (size_[0] + kWidth - 1) / kWidth;
    for (std::int64_t last = strips; last > 0;) {
      check();
      const std::int64_t first = std::max<std::int64_t>(last - together_, 0);
      const std::int64_t x = first * kWidth;
      const std::int64_t columns = std::min(last * kWidth, size_[0]) - x;
      load(y, x, columns);
      for (std::int64_t s = 0; s * kWidth < columns; ++s) {
        const Plane* strip = strips_ + s * strip_cells_;
        const std::int64_t width = std::min(kWidth, columns - s * kWidth);
        const bool any_far = near_of<Plane>(kernel_).near(strip, size_[2], kWidth, squares_.near(),
                                                          least_.data(), far_.data());
        if (any_far && !solve_far(strip, width)) return false;
        write(least_.data(), width, x + s * kWidth);
      }
      last = first;
    }
    return true;
  }

 private:
  /// Size of the strips, which stay in the L2 cache.
  static constexpr std::int64_t kMostBytes = 1 << 18;
  /// Slices are far apart, beyond the reach of hardware prefetching.
  static constexpr std::int64_t kAhead = 6;

  void load(std::int64_t y, std::int64_t x, std::int64_t columns) {
    for (std::int64_t z = 0; z < size_[2]; ++z) {
      const std::byte* from = row(y, z, x);
      const std::byte* ahead = row(y, std::min(z + kAhead, size_[2] - 1), x);
      for (std::int64_t s = 0; s * kWidth < columns; ++s) {
        const std::int64_t width = std::min(kWidth, columns - s * kWidth);
        Plane* to = strips_ + s * strip_cells_ + z * kWidth;
        __builtin_prefetch(ahead + s * kBlockBytes);
        if (width == kWidth) {
          std::memcpy(to, from + s * kBlockBytes, kBlockBytes);
        } else {  // padding beyond the row is read too, and must not be far
          std::fill_n(to, kWidth, Plane{0});
          std::memcpy(to, from + s * kBlockBytes, static_cast<std::size_t>(width) * sizeof(Plane));
        }
      }
    }
  }
  [[nodiscard]] const std::byte* row(std::int64_t y, std::int64_t z, std::int64_t x) const {
    return rows_.first + (z * size_[1] + y) * rows_.row_bytes +
           x * static_cast<std::int64_t>(sizeof(Plane));
  }

  /// Solves each column of a strip as a line at far slices. Returns false if a square does not fit.
  bool solve_far(const Plane* strip, std::int64_t width) {
    bool fits = true;
    for (std::int64_t z = 0; z < size_[2];) {
      const std::int64_t first = z;
      while (z < size_[2] && far_[z] == far_[first])
        ++z;
      if (far_[first] == 0) continue;
      for (std::int64_t i = 0; i < width; ++i) {
        const Value* found = solve_line(strip + i, first, z);
        for (std::int64_t to = first; to < z; ++to) {
          if constexpr (sizeof(Plane) < sizeof(Value)) {
            fits = fits && found[to - first] < kUnknown<Plane>;
          }
          least_[to * kWidth + i] = static_cast<Plane>(found[to - first]);
        }
      }
    }
    return fits;
  }
  const Value* solve_line(const Plane* cells, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = std::max<std::int64_t>(first - kMargin, 0);
    const std::int64_t end = std::min(last + kMargin, size_[2]);
    std::int64_t count = 0;
    for (std::int64_t z = begin; z < end; ++z) {
      const Plane square = cells[z * kWidth];
      places_[count] = static_cast<Value>(z);
      values_[count] = static_cast<Value>(square);
      count += square < kUnknown<Plane> ? 1 : 0;
    }
    std::fill_n(values_.begin() + count, kFarBlock / 2, kUnknown<Value>);
    return line_.solve({places_.data(), values_.data(), count}, first, last);
  }

  const Kernel& kernel_;
  const StepSquares<Plane>& squares_;
  Index3 size_;
  PlaneRows rows_;
  std::int64_t strip_cells_;
  std::int64_t together_;
  std::vector<Plane> memory_;
  Plane* strips_ = nullptr;  // in memory_, one margin after its aligned start
  std::vector<Plane> least_;
  std::vector<std::uint8_t> far_;
  std::vector<Value> places_;
  std::vector<Value> values_;
  FarLine<Plane> line_;
};

}  // namespace seedwave::distance
