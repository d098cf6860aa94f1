// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/image/connectivity.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>

/// Precedes a loop over registers. The host compiler does not know this pragma.
#if defined(__CUDA_ARCH__)
#define SEEDWAVE_UNROLL _Pragma("unroll")
#else
#define SEEDWAVE_UNROLL
#endif

/// The work of one thread in a directional sweep: relax every edge of one line of cells, forward
/// and then backward, so that a value crosses the whole image in one launch.
///
/// The lines of a step partition the grid. Only one thread reads or writes states on a line. A
/// launch therefore has no races, and its result does not depend on the order of threads. The
/// functions are plain C++, so that the tests run them on the host.
namespace seedwave::gpu {

/// A line of a step that leaves a row (dz = 1, or dz = 0 and dy = 1). It passes through one cell of
/// the first slice (or first row) and advances one slice (row) at a time. Where the step leaves the
/// grid sideways, the line continues at the opposite side. That edge has affinity 0, so the parts
/// do not interact. All lines have the same length, so no thread of a warp ends early.
class WrappedLine {
 public:
  /// Returns the number of lines of a step; length() returns their length.
  [[nodiscard]] SEEDWAVE_HD static std::int64_t count(const Grid& grid, const NeighbourStep& step) {
    return grid.nx * (step.dz != 0 ? grid.ny : grid.nz);
  }
  [[nodiscard]] SEEDWAVE_HD static std::int64_t length(const Grid& grid,
                                                       const NeighbourStep& step) {
    return step.dz != 0 ? grid.nz : grid.ny;
  }

  /// Starts at the first cell of line `index`. Neighbouring lines start at neighbouring x.
  SEEDWAVE_HD WrappedLine(const Grid& grid, const NeighbourStep& step, std::int64_t index)
      : nx_(grid.nx),
        ny_(step.dz != 0 ? grid.ny : 0),
        pitch_(grid.pitch),
        dx_(step.dx),
        dy_(step.dz != 0 ? step.dy : 0),
        stride_(grid.offset(step.dx, step.dy, step.dz)),
        x_(index % grid.nx),
        y_(step.dz != 0 ? index / grid.nx : 0),
        offset_(step.dz != 0 ? grid.offset(x_, y_, 0) : grid.offset(x_, 0, index / grid.nx)) {}

  [[nodiscard]] SEEDWAVE_HD std::int64_t offset() const { return offset_; }
  SEEDWAVE_HD void advance() { move(1); }
  SEEDWAVE_HD void go_back() { move(-1); }

 private:
  SEEDWAVE_HD void move(int sign) {
    offset_ += sign * stride_;
    if (dx_ != 0) offset_ += wrap(x_, sign * dx_, nx_);
    if (dy_ != 0) offset_ += wrap(y_, sign * dy_, ny_) * pitch_;
  }
  /// Wraps a coordinate around. Returns the correction of the offset, in cells.
  SEEDWAVE_HD static std::int64_t wrap(std::int64_t& i, int by, std::int64_t size) {
    i += by;
    const std::int64_t correction = i < 0 ? size : (i < size ? 0 : -size);
    i += correction;
    return correction;
  }

  std::int64_t nx_;
  std::int64_t ny_;
  std::int64_t pitch_;
  int dx_;
  int dy_;  // 0 if the line runs along y itself
  std::int64_t stride_;
  std::int64_t x_;
  std::int64_t y_;
  std::int64_t offset_;
};

/// Number of cells whose loads a thread has in flight before it relaxes the first. This hides
/// memory latency.
inline constexpr int kCellsInFlight = 8;

/// Sweeps the cells from `line`'s position on, in one direction. `backward`: the affinity of an
/// edge is stored at the cell that is entered, not at the one that is left.
template <bool backward, typename Pass>
SEEDWAVE_HD bool sweep_one_way(const Pass& pass, const std::uint16_t* __restrict__ affinity,
                               WrappedLine& line, std::int64_t length) {
  typename Pass::Cell carry{};
  std::uint16_t carry_affinity = 0;  // into the next cell; forward only
  bool any = false;
  for (std::int64_t first = 0; first < length; first += kCellsInFlight) {
    std::int64_t at[kCellsInFlight];
    typename Pass::Cell cell[kCellsInFlight];
    std::uint16_t edge[kCellsInFlight];
    SEEDWAVE_UNROLL
    for (int k = 0; k < kCellsInFlight; ++k) {
      if (first + k < length) {
        at[k] = line.offset();
        cell[k] = pass.load(at[k]);
        edge[k] = affinity[at[k]];
        if (first + k + 1 < length) backward ? line.go_back() : line.advance();
      }
    }
    SEEDWAVE_UNROLL
    for (int k = 0; k < kCellsInFlight; ++k) {
      if (first + k < length) {
        const std::uint16_t into = backward ? edge[k] : carry_affinity;
        if (Pass::relax(carry, into, cell[k])) {
          pass.store(at[k], cell[k]);
          any = true;
        }
        carry = cell[k];
        carry_affinity = edge[k];
      }
    }
  }
  return any;
}

/// Sweeps line `index` of a step that leaves a row, both ways. Returns true if a state changed.
template <typename Pass>
SEEDWAVE_HD bool sweep_wrapped_line(const Pass& pass, const std::uint16_t* __restrict__ affinity,
                                    const Grid& grid, const NeighbourStep& step,
                                    std::int64_t index) {
  WrappedLine line(grid, step, index);
  const std::int64_t length = WrappedLine::length(grid, step);
  const bool forward = sweep_one_way<false>(pass, affinity, line, length);
  const bool back = sweep_one_way<true>(pass, affinity, line, length);
  return forward || back;
}

/// Sweeps row `index` (step +x) both ways, a vector of cells at a time. Returns true if a state
/// changed.
template <typename Pass>
SEEDWAVE_HD bool sweep_row(const Pass& pass, const std::uint16_t* __restrict__ affinity,
                           const Grid& grid, std::int64_t index) {
  const std::int64_t start = index * grid.pitch;
  typename Pass::Cell carry{};
  std::uint16_t carry_affinity = 0;
  bool any = false;
  for (std::int64_t x = 0; x < grid.pitch; x += kVector) {
    auto cells = pass.load_vector(start + x);
    const U16Vector edge = load_vector(affinity + start + x);
    bool changed = false;
    SEEDWAVE_UNROLL
    for (int k = 0; k < kVector; ++k) {
      typename Pass::Cell cell = pass.get(cells, k);
      if (Pass::relax(carry, carry_affinity, cell)) {
        pass.set(cells, k, cell);
        changed = true;
      }
      carry = cell;
      carry_affinity = edge.cell[k];
    }
    if (changed) pass.store_vector(start + x, cells);
    any = any || changed;
  }
  carry = {};
  for (std::int64_t x = grid.pitch - kVector; x >= 0; x -= kVector) {
    auto cells = pass.load_vector(start + x);
    const U16Vector edge = load_vector(affinity + start + x);
    bool changed = false;
    SEEDWAVE_UNROLL
    for (int k = kVector - 1; k >= 0; --k) {
      typename Pass::Cell cell = pass.get(cells, k);
      if (Pass::relax(carry, edge.cell[k], cell)) {
        pass.set(cells, k, cell);
        changed = true;
      }
      carry = cell;
    }
    if (changed) pass.store_vector(start + x, cells);
    any = any || changed;
  }
  return any;
}

}  // namespace seedwave::gpu
