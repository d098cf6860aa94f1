// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/texture/box_plan.h"
#include "gpu/texture/phase_bits.cuh"

#include <cstdint>
#include <type_traits>

/// Features of all windows of some rows. A block of threads processes kWindows columns of windows
/// from top to bottom. For each row it
///
/// - counts, for each group of lags, the changes of pairs at the corners of the windows
///   (CornerLags): four phases per word and two windows per byte, summed from left to right over
///   kTogether windows;
/// - weighs the counts: counts times weights is a product of byte matrices, computed by the tensor
///   cores;
/// - adds the products to the sums of features in registers. These are relative to the window
///   before the first of each eight, and are combined when a row is written.
namespace seedwave::gpu::texture {

inline constexpr int kWarps = 12;
inline constexpr int kThreads = 32 * kWarps;
/// Number of teams of warps that share the groups. The two warps of a team count for all windows.
inline constexpr int kTeams = kWarps / 2;
inline constexpr int kPhasesOfWord = 4;
/// Number of adjacent windows over which differences are summed; the rows of a matrix sum them up.
inline constexpr int kTogether = 8;
/// Number of radii of a matrix, and number of quads of lag groups that one product takes.
inline constexpr int kMatrixRadii = 8;
inline constexpr int kMatrixQuads = 8;
inline constexpr int kMatrices = kWindows / 16;  // per phase: rows are windows

/// Stride in words between the counts of two quads, chosen so that the lanes that read a matrix
/// have no bank conflicts.
inline constexpr int kQuadWords = kPhasesOfWord * kWindows + 8;
inline constexpr int kCountWords = kQuads * kQuadWords;
/// Sums of the window before the block, in one row.
inline constexpr int kEdgeSums = kPhasesOfWord * kRadii;

struct BoxRun {
  CellPlanes cells;
  int cell_rows;
  int window;
  int rows;  // of windows
  int radii;
  int phases;
  int segment_rows;
  // In shared memory: one or two sets of counts, and rows of cells, `rows_ahead` more than the
  // height of a window. No rows if they do not fit.
  int count_sets;
  CellRow held;
  int rows_ahead;
  // The plan.
  const RadiusRange* ranges;
  const Piece* pieces;
  const LagGroup* groups;
  const std::uint32_t* weights;
  const std::int32_t* bias;
  // Computed by box_on_device.cu.
  const std::int64_t* edges;
  const std::int64_t* slopes;
  /// [phase][radius][row], rows `pitch` apart, a whole number of blocks.
  float* features;
  int pitch;
};

/// Returns the bytes of shared memory.
[[nodiscard]] inline std::int64_t box_memory(int count_sets, const CellRow& held, int held_rows) {
  return 4 * (std::int64_t{count_sets} * kCountWords + 2 * 2 * kEdgeSums +
              std::int64_t{held_rows} * held.pitch());
}

/// Adds to four sums of 32 bits the products of rows and columns of bytes: 16 windows, 8 radii, 32
/// groups.
__device__ inline void multiply(int (&sums)[4], const std::uint32_t (&counts)[4],
                                const std::uint32_t (&weights)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(counts[0]), "r"(counts[1]), "r"(counts[2]), "r"(counts[3]), "r"(weights[0]),
        "r"(weights[1]));
}

/// Gathers bytes b of four words into word b.
__device__ inline void transpose(const std::uint32_t (&from)[4], std::uint32_t (&to)[4]) {
  const std::uint32_t low_a = __byte_perm(from[0], from[1], 0x5140);
  const std::uint32_t low_b = __byte_perm(from[2], from[3], 0x5140);
  const std::uint32_t high_a = __byte_perm(from[0], from[1], 0x7362);
  const std::uint32_t high_b = __byte_perm(from[2], from[3], 0x7362);
  to[0] = __byte_perm(low_a, low_b, 0x5410);
  to[1] = __byte_perm(low_a, low_b, 0x7632);
  to[2] = __byte_perm(high_a, high_b, 0x5410);
  to[3] = __byte_perm(high_a, high_b, 0x7632);
}

/// Cells around the corners of a pair of windows: in shared memory or, if they do not fit, in
/// device memory. Places are in bytes.
template <bool held>
class Corners {
 public:
  __device__ Corners(const void* cells, std::uint32_t first, const CellRow& row, int window)
      : cells_(static_cast<const char*>(cells)),
        upper_left_(first),
        upper_right_(first + 4 * static_cast<std::uint32_t>(row.place(window))),
        lower_left_(first + 4 * static_cast<std::uint32_t>(window * row.pitch())) {
    const std::uint32_t lower_right = lower_left_ + (upper_right_ - upper_left_);
    at_upper_left_ = cell(upper_left_);
    at_upper_right_ = cell(upper_right_);
    at_lower_left_ = cell(lower_left_);
    at_lower_right_ = cell(lower_right);
  }

  /// Pairs that enter and pairs that leave, as counts in the halves of bytes.
  struct Changes {
    std::uint32_t in;
    std::uint32_t out;
  };
  __device__ Changes changes(const CornerLags& lags) const {
    const std::uint32_t left = upper_left_ + lags.x;
    const std::uint32_t right = upper_left_ + lags.far_x;
    const std::uint32_t lower = lower_left_ - upper_left_;
    const std::uint32_t near_y = cell(upper_left_ + lags.y);
    const std::uint32_t far_y = cell(upper_left_ + lags.far_y);
    const std::uint32_t right_near_y = cell(upper_right_ + lags.y);
    const std::uint32_t right_far_y = cell(upper_right_ + lags.far_y);
    return {(at_upper_left_ & cell(left + lags.y)) + (cell(left) & near_y) +
                (at_lower_right_ & cell(right + lags.far_y)) + (cell(right + lower) & right_far_y),
            (at_upper_right_ & cell(right + lags.y)) + (cell(right) & right_near_y) +
                (at_lower_left_ & cell(left + lags.far_y)) + (cell(left + lower) & far_y)};
  }

 private:
  [[nodiscard]] __device__ std::uint32_t cell(std::uint32_t place) const {
    if constexpr (held) {
      extern __shared__ std::int64_t shared[];
      return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(shared) + place);
    } else {
      return __ldg(reinterpret_cast<const std::uint32_t*>(cells_ + place));
    }
  }

  const char* cells_;
  std::uint32_t upper_left_;
  std::uint32_t upper_right_;
  std::uint32_t lower_left_;
  std::uint32_t at_upper_left_;
  std::uint32_t at_upper_right_;
  std::uint32_t at_lower_left_;
  std::uint32_t at_lower_right_;
};

/// One count per phase, packed in the bytes of a word and added as one number. A byte may be
/// negative and borrow from the next until 128 is added to each.
struct PairCounts {
  std::uint32_t even;
  std::uint32_t odd;
};
template <typename Changes>
__device__ PairCounts counts_of(const Changes& changes) {
  constexpr std::uint32_t kLower = 0x0f0f0f0f;
  return {(changes.in & kLower) - (changes.out & kLower),
          ((changes.in >> 4) & kLower) - ((changes.out >> 4) & kLower)};
}
/// Returns prefix sums over kTogether windows (four lanes), with 128 added; at most 64 per byte.
__device__ inline PairCounts summed(const PairCounts& counts, int lane) {
  constexpr int kLanes = kTogether / 2;
  constexpr std::uint32_t kBias = 0x80808080;
  std::uint32_t sum = counts.even + counts.odd;
#pragma unroll
  for (int by = 1; by < kLanes; by *= 2) {
    const std::uint32_t left = __shfl_up_sync(~0U, sum, by, kLanes);
    if (lane % kLanes >= by) sum += left;
  }
  return {sum - counts.odd + kBias, sum + kBias};
}

/// Counts one quad of groups and stores the counts phase by phase, even windows before odd ones.
template <bool held>
__device__ void count_quad(const Corners<held>& corners, const LagGroup* groups, int lane,
                           std::uint32_t* to) {
  typename Corners<held>::Changes changes[4];
  CornerLags second[4];
  const auto* const lags = reinterpret_cast<const int4*>(groups);
  const auto lags_at = [&](int i) {
    const int4 four = __ldg(lags + i);
    return CornerLags{four.x, four.y, four.z, four.w};
  };
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    changes[i] = corners.changes(lags_at(2 * i));
    second[i] = lags_at(2 * i + 1);
  }
  if (second[0].x >= 0) {  // groups with two lags come first
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool none = second[i].x < 0;
      second[i].x = abs(second[i].x);
      const auto more = corners.changes(second[i]);
      changes[i].in += none ? 0 : more.in;
      changes[i].out += none ? 0 : more.out;
    }
  }
  std::uint32_t even[4];
  std::uint32_t odd[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const PairCounts counts = summed(counts_of(changes[i]), lane);
    even[i] = counts.even;
    odd[i] = counts.odd;
  }
  std::uint32_t even_phases[4];
  std::uint32_t odd_phases[4];
  transpose(even, even_phases);
  transpose(odd, odd_phases);
#pragma unroll
  for (int phase = 0; phase < kPhasesOfWord; ++phase) {
    to[phase * kWindows] = even_phases[phase];
    to[phase * kWindows + kPairs] = odd_phases[phase];
  }
}

/// A warp's part of the weighing: one phase, eight radii, all windows of the block. In the tensor
/// cores' layout, a lane has pair `row` of every sixteen windows, and two radii.
template <int limbs>
class Sums {
 public:
  __device__ Sums(const BoxRun& run, int warp, int lane, int four, int range)
      : column_(warp / kPhasesOfWord * kMatrixRadii),
        phase_of_four_(warp % kPhasesOfWord),
        phase_(four * kPhasesOfWord + phase_of_four_),
        row_(lane / 4),
        part_(lane % 4),
        radius_(range * kRadii + column_ + 2 * part_),
        active_(phase_ < run.phases && range * kRadii + column_ < run.radii) {}

  [[nodiscard]] __device__ bool active() const { return active_; }

  /// Initialises the sums for a segment's first row.
  __device__ void begin(const BoxRun& run, int segment, int block) {
    const std::int64_t plane = (std::int64_t{segment} * run.phases + phase_) * run.radii;
#pragma unroll
    for (int matrix = 0; matrix < kMatrices; ++matrix) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const bool there = active_ && radius_ + i < run.radii;
        const std::int64_t* const slopes = run.slopes + (plane + radius_ + i) * run.pitch +
                                           block * kWindows + matrix * 16 + 2 * row_;
        sums_[matrix][i] = there ? slopes[0] : 0;
        sums_[matrix][2 + i] = there ? slopes[1] : 0;
      }
    }
  }

  /// The weights of a piece. They are loaded long before their use, which hides the latency.
  struct Weights {
    std::uint32_t words[kQuads / kMatrixQuads][limbs][2];
    std::int32_t bias[limbs][2];
  };
  __device__ Weights weights(const BoxRun& run, int piece) const {
    Weights weights;
#pragma unroll
    for (int limb = 0; limb < limbs; ++limb) {
      const std::int64_t first = std::int64_t{piece} * limbs + limb;
#pragma unroll
      for (int step = 0; step < kQuads / kMatrixQuads; ++step) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int quad = step * kMatrixQuads + half * 4 + part_;
          weights.words[step][limb][half] =
              __ldg(run.weights + (first * kQuads + quad) * kRadii + column_ + row_);
        }
      }
#pragma unroll
      for (int i = 0; i < 2; ++i)
        weights.bias[limb][i] = __ldg(run.bias + first * kRadii + column_ + 2 * part_ + i);
    }
    return weights;
  }

  /// Adds the weighted counts of a piece.
  __device__ void add(const std::uint32_t* counts, const Weights& weights) {
    const std::uint32_t* const mine =
        counts + phase_of_four_ * kWindows + part_ * kQuadWords + row_;
#pragma unroll
    for (int matrix = 0; matrix < kMatrices; ++matrix) {
      int products[limbs][4];
#pragma unroll
      for (int limb = 0; limb < limbs; ++limb) {
        products[limb][0] = products[limb][2] = weights.bias[limb][0];
        products[limb][1] = products[limb][3] = weights.bias[limb][1];
      }
#pragma unroll
      for (int step = 0; step < kQuads / kMatrixQuads; ++step) {
        const std::uint32_t* const at = mine + step * kMatrixQuads * kQuadWords + matrix * 8;
        const std::uint32_t rows[4] = {at[0], at[kPairs], at[4 * kQuadWords],
                                       at[4 * kQuadWords + kPairs]};
#pragma unroll
        for (int limb = 0; limb < limbs; ++limb)
          multiply(products[limb], rows, weights.words[step][limb]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int limb = 0; limb < limbs; limb += 2) {  // the sum of two is below 2^31
          const int both = products[limb][i] + products[limb + 1][i] * 256;
          sums_[matrix][i] += std::int64_t{both} << (8 * limb);
        }
      }
    }
  }

  /// Writes the features of a row. `edges`: sums of the window before the block, [phase][radius].
  __device__ void write(const BoxRun& run, const std::int64_t* edges, int y, int block) const {
    // The lanes with the last windows of the lower and of the upper eight.
    const int last_lower = 3 * 4 + part_;
    const int last_upper = 7 * 4 + part_;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      std::int64_t before = edges[phase_of_four_ * kRadii + column_ + 2 * part_ + i];
      const bool there = radius_ + i < run.radii;
      float* const to =
          run.features +
          ((std::int64_t{phase_} * run.radii + radius_ + i) * run.rows + y) * run.pitch +
          block * kWindows + 2 * row_;
#pragma unroll
      for (int matrix = 0; matrix < kMatrices; ++matrix) {
        const std::int64_t lower = __shfl_sync(~0U, sums_[matrix][2 + i], last_lower);
        const std::int64_t upper = __shfl_sync(~0U, sums_[matrix][2 + i], last_upper);
        const std::int64_t first = row_ < 4 ? before : before + lower;
        if (there) {
          reinterpret_cast<float2*>(to)[matrix * 8] = {feature(first + sums_[matrix][i]),
                                                       feature(first + sums_[matrix][2 + i])};
        }
        before += lower + upper;
      }
    }
  }

 private:
  /// Rounds once, like feature_of().
  [[nodiscard]] __device__ static float feature(std::int64_t sum) {
    return __ll2float_rn(sum) * (0x1p-40F / kWeightScale);
  }

  int column_;  // the warp's first radius within the block
  int phase_of_four_;
  int phase_;
  int row_;
  int part_;
  int radius_;
  bool active_;
  std::int64_t sums_[kMatrices][4];
};

/// Grid: blocks of adjacent windows, segments of rows, and radius ranges of four phases each.
template <int limbs, bool held>
__global__ void __launch_bounds__(kThreads, 1) box_kernel(const BoxRun run) {
  extern __shared__ std::int64_t shared[];
  const auto block = static_cast<int>(blockIdx.x);
  const auto segment = static_cast<int>(blockIdx.y);
  const int fours = (run.phases + kPhasesOfWord - 1) / kPhasesOfWord;
  const int four = static_cast<int>(blockIdx.z) % fours;
  const int range = static_cast<int>(blockIdx.z) / fours;
  const auto thread = static_cast<int>(threadIdx.x);
  // Uniform in the warp; the shuffle tells the compiler so.
  const int warp = __shfl_sync(~0U, thread / 32, 0);
  const int lane = thread % 32;
  const int pair = warp % 2 * 32 + lane;
  const int first_row = segment * run.segment_rows;
  const int end_row = min(first_row + run.segment_rows, run.rows);
  const RadiusRange pieces = run.ranges[range];

  std::int64_t* const edges = shared;  // of this row and the next
  auto* const counts = reinterpret_cast<std::uint32_t*>(edges + 2 * kEdgeSums);
  std::uint32_t* const cells = counts + run.count_sets * kCountWords;
  const std::uint32_t* const picture = run.cells.words + four * run.cells.plane + block * kPairs;

  const auto bring_edges = [&](int y) {
    const int phase = four * kPhasesOfWord + thread / kRadii;
    const int radius = range * kRadii + thread % kRadii;
    if (thread >= kEdgeSums || phase >= run.phases || radius >= run.radii) return;
    const auto to =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(edges + (y & 1) * kEdgeSums + thread));
    const std::int64_t* const from =
        run.edges + ((std::int64_t{block} * run.phases + phase) * run.radii + radius) * run.rows +
        y;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
  };
  const auto edges_are_there = [] { asm volatile("cp.async.wait_all;" ::: "memory"); };

  Sums<limbs> sums(run, warp, lane, four, range);
  sums.begin(run, segment, block);
  bring_edges(first_row);
  edges_are_there();
  __syncthreads();
  int first_held = first_row - run.rows_ahead;
  int set = 0;
  for (int y = first_row; y < end_row; ++y) {
    if (y + 1 < end_row) bring_edges(y + 1);
    if (sums.active()) sums.write(run, edges + (y & 1) * kEdgeSums, y, block);
    if (y + 1 == end_row) break;
    std::uint32_t place = 4 * static_cast<std::uint32_t>(y * run.cells.half * 2 + pair);
    if constexpr (held) {
      if (y - first_held == run.rows_ahead) {
        first_held = y;
        const int words = min(run.window + run.rows_ahead, run.cell_rows - y) * run.held.pitch();
#pragma unroll 8
        for (int i = thread; i < words; i += kThreads) {
          const int half_row = i / run.held.half;
          cells[i] = picture[(std::int64_t{2} * y + half_row) * run.cells.half + i % run.held.half];
        }
        __syncthreads();
      }
      place = static_cast<std::uint32_t>(
          reinterpret_cast<const char*>(cells + (y - first_held) * run.held.pitch() + pair) -
          reinterpret_cast<const char*>(shared));
    }
    const CellRow row = held ? run.held : CellRow{run.cells.half};
    const Corners<held> corners(picture, place, row, run.window);
    for (int number = pieces.first; number < pieces.end; ++number) {
      const Piece piece = run.pieces[number];
      std::uint32_t* const now = counts + set * kCountWords;
      if (run.count_sets == 2) {
        set ^= 1;
      } else {
        __syncthreads();  // all warps have weighed the previous counts
      }
      for (int quad = warp / 2; quad < piece.quads; quad += kTeams) {
        count_quad(corners, run.groups + piece.first_group + 4 * quad, lane,
                   now + quad * kQuadWords + pair);
      }
      const typename Sums<limbs>::Weights weights = sums.weights(run, number);
      edges_are_there();
      __syncthreads();
      if (sums.active()) sums.add(now, weights);
    }
  }
}

}  // namespace seedwave::gpu::texture
