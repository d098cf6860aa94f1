// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/line_cells.h"
#include "gpu/morphology/papers/linear_opening.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

/// One line of a 2-D image as a thread scans it, and the storage of a thread's flat zones.
namespace seedwave::gpu::line_scan {

/// Threads per block: their lines are adjacent, and they share its memory.
inline constexpr int kLines = 64;
/// Entries of a queue or stack in shared memory (the paper's l, a power of two): 16 KB per block.
inline constexpr int kNewest = 32;

/// Lines of one direction, and the parameters of their scan.
struct Lines {
  int nx;
  int ny;
  int major;          // 0: along x
  const int* shifts;  // across the major axis, at each place
  int first_base;
  int count;  // number of lines
  int zones;  // zones per line
  int length;
  int front;   // cells that continue a line before its first
  int behind;  // and after its last
  bool turned;
  bool transposed;              // the answer has x and y swapped
  std::int64_t row;             // cells from one row to the next
  std::int64_t transposed_row;  // the same in the answer, if it is transposed

  [[nodiscard]] SEEDWAVE_HD int places() const { return major == 0 ? nx : ny; }
  [[nodiscard]] SEEDWAVE_HD int across() const { return major == 0 ? ny : nx; }
  [[nodiscard]] __device__ std::int64_t offset(int base, int place) const {
    const int beside = base + __ldg(shifts + place);
    return major == 0 ? beside * row + place : place * row + beside;
  }
  [[nodiscard]] __device__ std::int64_t offset_of_answer(int base, int place) const {
    return transposed ? place * transposed_row + base + __ldg(shifts + place) : offset(base, place);
  }
};

/// The part that a thread scans: cells from `begin` to `end` of its line, continued, and the range
/// that it answers for. Cells are counted from the image's first place on.
struct Part {
  int base;
  int first;  // range of the line's cells in the image
  int last;
  int begin;
  int end;
  int first_answer;
  int last_answer;
};

/// Returns the first place at which a line is not left of the image (right of it, if shifts fall).
/// With `behind`, returns the first place past those inside.
__device__ inline int first_place(const Lines& lines, int base, bool behind) {
  const int places = lines.places();
  const bool rises = __ldg(lines.shifts + places - 1) >= 0;
  int low = 0;
  int high = places;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int beside = base + __ldg(lines.shifts + middle);
    const bool before =
        rises ? beside < (behind ? lines.across() : 0) : beside >= (behind ? 0 : lines.across());
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Returns the part for line `number`; each zone has lines.count of them. A zone is scanned with
/// the length - 1 cells at either end that its windows can reach (section 5.1).
__device__ inline Part part_of(const Lines& lines, std::int64_t number) {
  Part part{};
  const auto zone = static_cast<int>(number / lines.count);
  part.base = lines.first_base + static_cast<int>(number % lines.count);
  part.first = first_place(lines, part.base, false);
  part.last = max(part.first, first_place(lines, part.base, true));
  const int step = (lines.places() + lines.zones - 1) / lines.zones;
  part.first_answer = max(part.first, zone * step);
  part.last_answer = min(part.last, (zone + 1) * step);
  part.begin = max(part.first - lines.front, part.first_answer - (lines.length - 1));
  part.end = min(part.last + lines.behind, part.last_answer + lines.length - 1);
  return part;
}

/// Returns the capacity, in flat zones, that a thread needs. Those of a queue lie in the last
/// `length` cells. Those of a stack lie anywhere in its part, but each is higher than the one
/// below.
[[nodiscard]] inline std::int64_t scanned(const Lines& lines) {
  const std::int64_t step = (lines.places() + lines.zones - 1) / lines.zones;
  return std::min<std::int64_t>(lines.places() + lines.front + lines.behind,
                                step + 2 * (lines.length - 1));
}

/// A flat zone: its value, its first cell, and whether it is known to be part of a long enough
/// stretch.
struct Zone {
  std::int32_t value;
  std::int32_t begin;
  [[nodiscard]] static __device__ Zone of(std::int32_t value, std::int32_t begin, bool passed) {
    return {value, begin * 2 + (passed ? 1 : 0)};
  }
  [[nodiscard]] __device__ bool passed() const { return (begin & 1) != 0; }
  [[nodiscard]] __device__ std::int32_t place() const { return begin >> 1; }
};

/// A thread's flat zones, taken from either end. Basic: in global memory. Optimised: the newest in
/// shared memory, older ones moved to global memory when there is no room (section 5.2, Figure 7);
/// the last one is also kept in registers.
template <LineScanForm form>
class Zones {
 public:
  /// `entries`: this thread's, `stride` apart; a ring of `room`, a power of two.
  __device__ Zones(Zone* entries, std::int64_t stride, int room, Zone* newest)
      : entries_(entries), stride_(stride), mask_(room - 1), newest_(newest) {}

  [[nodiscard]] __device__ int size() const { return end_ - front_; }
  [[nodiscard]] __device__ const Zone& back() const { return back_; }
  [[nodiscard]] __device__ Zone at(int i) const { return entry(front_ + i); }
  __device__ void push(const Zone& zone) {
    if constexpr (form == LineScanForm::Optimised) {
      in_shared_ = max(in_shared_, front_);
      if (end_ - in_shared_ == kNewest) {
        old(in_shared_) = recent(in_shared_);
        ++in_shared_;
      }
      in_shared_ = min(in_shared_, end_);
      recent(end_) = zone;
    } else {
      old(end_) = zone;
    }
    ++end_;
    back_ = zone;
  }
  __device__ void pop_back() {
    --end_;
    if (end_ > front_) back_ = entry(end_ - 1);
  }
  __device__ void pop_front() { ++front_; }

 private:
  [[nodiscard]] __device__ Zone entry(int number) const {
    if constexpr (form == LineScanForm::Optimised) {
      if (number >= in_shared_) return recent(number);
    }
    return old(number);
  }
  [[nodiscard]] __device__ Zone& old(int number) const {
    return entries_[(number & mask_) * stride_];
  }
  [[nodiscard]] __device__ Zone& recent(int number) const {
    return newest_[(number & (kNewest - 1)) * kLines];
  }

  Zone* entries_;
  std::int64_t stride_;
  int mask_;
  Zone* newest_;
  int front_ = 0;
  int end_ = 0;
  int in_shared_ = 0;
  Zone back_{};
};

/// The cells that a thread reads and writes.
template <typename Voxel, LineScanForm form>
struct Cells {
  using Cell = CellOf<Voxel>;
  const Voxel* from;
  Voxel* to;

  [[nodiscard]] __device__ std::int32_t at(const Lines& lines, const Part& part, int place) const {
    if (place < part.first || place >= part.last)
      return static_cast<std::int32_t>(seedwave::linear::kHighest<Cell>);
    const Voxel* const voxel = from + lines.offset(part.base, place);
    return to_cell(form == LineScanForm::Optimised ? __ldg(voxel) : __ldca(voxel), lines.turned);
  }
  __device__ void put(const Lines& lines, const Part& part, int place, std::int32_t value) const {
    if (place < part.first_answer || place >= part.last_answer) return;
    to[lines.offset_of_answer(part.base, place)] = voxel_of(value, lines.turned);
  }
  /// A float that no window contains becomes finite.
  [[nodiscard]] static __device__ Voxel voxel_of(std::int32_t value, bool turned) {
    if constexpr (std::is_same_v<Voxel, float>) {
      constexpr float kFinite = std::numeric_limits<float>::max();
      if (value == seedwave::linear::kLowest<Cell>) return turned ? kFinite : -kFinite;
    }
    return from_cell<Voxel>(static_cast<Cell>(value), turned);
  }
};

}  // namespace seedwave::gpu::line_scan
