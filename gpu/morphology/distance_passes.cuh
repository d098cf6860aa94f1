// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance/part_solver.h"
#include "gpu/device/buffer.h"
#include "gpu/device/devices.h"
#include "gpu/morphology/distance_sides.cuh"

#include <cstdint>
#include <type_traits>

/// The passes of the distance transform. Steps along columns are counted. Then, along rows and
/// along z, each cell takes the minimum of key plus squared step. A thread has eight cells of a
/// line and reads eight others at a time, outward as long as the minimum square there could still
/// win.
namespace seedwave::gpu {

// The keys that the passes of the distance transform minimise: a square, alone or with a name in
// the lower bits, so that of equally near cells the smallest name wins. Names are offsets, or
// labels.
//
//   kPaired                      whether near squares may be processed two per word
//   Square                       type of a step's or distance's square, in the scale's integers
//   of(square, name), none()     none: no such cell on the line, or plane, yet
//   square(key), name(key)
//   take(best, key, step)        the lesser of best and key a squared step away
//   cannot_win(square, worst)    no key of that square, or a higher one, is less than any whose
//                                square is at most `worst`

/// Equal spacings and squares below 2^31. On a line's padding the sum of none and a squared step
/// still fits, if the line has at most kLongest cells.
struct NearKey {
  using Square = std::uint32_t;
  static constexpr bool kNamed = false;
  static constexpr bool kPaired = true;
  static constexpr Square kNone = 0x7FFFFFFF;
  static constexpr std::int64_t kLongest = 46000;
  std::uint32_t key;

  static __device__ NearKey of(Square square, std::uint32_t) { return {square}; }
  static __device__ NearKey none() { return {kNone}; }
  [[nodiscard]] __device__ Square square() const { return key; }
  [[nodiscard]] __device__ bool is_none() const { return key >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return 0; }
  static __device__ void take(NearKey& best, NearKey other, Square step) {
    best.key = __viaddmin_u32(other.key, step, best.key);
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square >= worst; }
};

/// The same with a name, in one word.
struct NamedKey {
  using Square = std::uint32_t;
  static constexpr bool kNamed = true;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = 0x7FFFFFFF;
  std::uint64_t key;  // square << 32 | name

  static __device__ NamedKey of(Square square, std::uint32_t name) {
    return {static_cast<std::uint64_t>(square) << 32 | name};
  }
  static __device__ NamedKey none() { return of(kNone, 0); }
  [[nodiscard]] __device__ Square square() const { return static_cast<Square>(key >> 32); }
  [[nodiscard]] __device__ bool is_none() const { return square() >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return static_cast<std::uint32_t>(key); }
  static __device__ void take(NamedKey& best, NamedKey other, Square step) {
    best.key = min(best.key, other.key + (static_cast<std::uint64_t>(step) << 32));
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square > worst; }
};

/// Any spacings: squares below 2^53.
struct WideKey {
  using Square = std::uint64_t;
  static constexpr bool kNamed = false;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = Square{1} << 62;
  std::uint64_t key;

  static __device__ WideKey of(Square square, std::uint32_t) { return {square}; }
  static __device__ WideKey none() { return {kNone}; }
  [[nodiscard]] __device__ Square square() const { return key; }
  [[nodiscard]] __device__ bool is_none() const { return key >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return 0; }
  static __device__ void take(WideKey& best, WideKey other, Square step) {
    best.key = min(best.key, other.key + step);
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square >= worst; }
};

struct WideNamedKey {
  using Square = std::uint64_t;
  static constexpr bool kNamed = true;
  static constexpr bool kPaired = false;
  static constexpr Square kNone = Square{1} << 62;
  std::uint64_t whole;
  std::uint64_t called;

  static __device__ WideNamedKey of(Square square, std::uint32_t name) { return {square, name}; }
  static __device__ WideNamedKey none() { return {kNone, 0}; }
  [[nodiscard]] __device__ Square square() const { return whole; }
  [[nodiscard]] __device__ bool is_none() const { return whole >= kNone; }
  [[nodiscard]] __device__ std::uint32_t name() const { return static_cast<std::uint32_t>(called); }
  static __device__ void take(WideNamedKey& best, WideNamedKey other, Square step) {
    const Square square = other.whole + step;
    if (square < best.whole || (square == best.whole && other.called < best.called))
      best = {square, other.called};
  }
  static __device__ bool cannot_win(Square square, Square worst) { return square > worst; }
};

/// The fast path of the distance transform's passes for short distances. Squares have 16 bits, two
/// per word, so one instruction adds a squared step to two of them and takes the minimum. A pass
/// tries it for its eight cells and falls back to full keys if one of them finds nothing near.
namespace distance_passes {

/// Maximum distance, in blocks of eight cells, at which squares still fit, and the resulting limit:
/// no cell in a block beyond has a smaller square. The limit represents everything that is not
/// near.
inline constexpr int kMostAway = 21;
inline constexpr std::uint32_t kBeyond = (kMostAway * 8 + 1) * (kMostAway * 8 + 1);

/// Eight cells, with those at even places in the lower halves.
struct alignas(16) PairedKeys {
  std::uint32_t pair[4];

  [[nodiscard]] static __device__ PairedKeys of(const NearKey (&keys)[8]) {
    PairedKeys paired;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t first = min(keys[2 * p].key, kBeyond);
      const std::uint32_t second = min(keys[2 * p + 1].key, kBeyond);
      paired.pair[p] = first | second << 16;
    }
    return paired;
  }
  __device__ void unpack(NearKey (&keys)[8]) const {
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      keys[2 * p] = {pair[p] & 0xFFFFU};
      keys[2 * p + 1] = {pair[p] >> 16};
    }
  }
  [[nodiscard]] __device__ std::uint32_t highest() const {
    const std::uint32_t two = __vmaxu2(__vmaxu2(pair[0], pair[1]), __vmaxu2(pair[2], pair[3]));
    return max(two & 0xFFFFU, two >> 16);
  }
};

/// Squared steps to a block at this distance. Entry j - 2p + 6 has those from its cell j to the
/// cells 2p and 2p + 1 of this block.
struct PairedSteps {
  std::uint32_t step[16];
};
struct PairedStepTable {
  PairedSteps away[2 * kMostAway + 1];
};
[[nodiscard]] constexpr PairedStepTable paired_step_table() {
  PairedStepTable table{};
  for (int away = -kMostAway; away <= kMostAway; ++away) {
    for (int m = 0; m < 14; ++m) {
      const int step = away * 8 + m - 6;
      table.away[away + kMostAway].step[m] = static_cast<std::uint32_t>(step * step) |
                                             static_cast<std::uint32_t>((step - 1) * (step - 1))
                                                 << 16;
    }
  }
  return table;
}
// A key plus a step must not carry into the other half.
static_assert(kBeyond + (kMostAway * 8 + 7) * (kMostAway * 8 + 7) < 0x10000);
static __constant__ PairedStepTable kPairedSteps = paired_step_table();

/// Minimises eight cells with eight others, `away` blocks further on.
__device__ inline void take_paired(PairedKeys& best, const PairedKeys& others, int away) {
  const PairedSteps& steps = kPairedSteps.away[away + kMostAway];
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const std::uint32_t key = __byte_perm(others.pair[j / 2], 0, j % 2 == 0 ? 0x1010 : 0x3232);
#pragma unroll
    for (int p = 0; p < 4; ++p)
      best.pair[p] = __viaddmin_u16x2(key, steps.step[j - 2 * p + 6], best.pair[p]);
  }
}

}  // namespace distance_passes

struct DistanceGrid {
  int nx;
  int ny;
  int nz;
  /// Squared length of a step along each axis.
  std::uint64_t weights[3];

  [[nodiscard]] __host__ __device__ std::int64_t plane() const { return std::int64_t{nx} * ny; }
};

namespace distance_passes {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAll = 0xFFFFFFFFU;
/// Number of cells of a line that a thread has, and that it reads at once.
inline constexpr int kSome = 8;
// Along y: a block is 32 columns in a number of bands, each of whole words of 32 cells. Short
// columns have fewer bands, so that none is left without a word.
inline constexpr int kFewBands = 16;
inline constexpr int kManyBands = 32;
// Along x and z: threads per block.
inline constexpr int kRowThreads = 256;
inline constexpr int kLineWarps = 16;
/// Number of blocks of kSome cells that are skipped at once if they are far away and empty.
inline constexpr int kMany = 8;

[[nodiscard]] __host__ __device__ constexpr int blocks_of(int length) {
  return (length + kSome - 1) / kSome;
}

/// Returns the number of words of bits per column.
[[nodiscard]] __host__ __device__ constexpr int words_of(int length) {
  return (length + kWarp - 1) / kWarp;
}

template <typename Square>
[[nodiscard]] __device__ Square squared(int step, std::uint64_t weight) {
  if constexpr (sizeof(Square) == 4) {
    return static_cast<Square>(step) * static_cast<Square>(step);
  } else {
    return weight * static_cast<Square>(static_cast<std::int64_t>(step) * step);
  }
}

/// Minimises eight cells with eight others, `away` cells further on.
template <typename Key>
__device__ void take_all(Key (&best)[kSome], const Key (&others)[kSome], int away,
                         std::uint64_t weight) {
  typename Key::Square steps[2 * kSome - 1];
#pragma unroll
  for (int d = 0; d < 2 * kSome - 1; ++d)
    steps[d] = squared<typename Key::Square>(away + d - (kSome - 1), weight);
#pragma unroll
  for (int j = 0; j < kSome; ++j) {
#pragma unroll
    for (int i = 0; i < kSome; ++i)
      Key::take(best[i], others[j], steps[j - i + kSome - 1]);
  }
}
template <typename Key>
[[nodiscard]] __device__ typename Key::Square highest_of(const Key (&keys)[kSome]) {
  typename Key::Square highest = keys[0].square();
#pragma unroll
  for (int i = 1; i < kSome; ++i)
    highest = max(highest, keys[i].square());
  return highest;
}
template <typename Key>
[[nodiscard]] __device__ typename Key::Square least_of(const Key (&keys)[kSome]) {
  typename Key::Square least = keys[0].square();
#pragma unroll
  for (int i = 1; i < kSome; ++i)
    least = min(least, keys[i].square());
  return least;
}

/// The rows of the nearest sites beyond the grid in each column, and their names; see RowsPiece.
/// Null: there are none.
struct ColumnSides {
  const std::int32_t* above = nullptr;
  const std::int32_t* below = nullptr;
  const std::uint32_t* names_above = nullptr;
  const std::uint32_t* names_below = nullptr;
};

/// Keys of the nearest sites in a cell's column.
template <typename Key, typename Sites>
class ColumnKeys {
 public:
  static constexpr int kNowhere = distance::kNoRow;

  __device__ ColumnKeys(const Sites& sites, const ColumnSides& sides, const DistanceGrid& grid,
                        int x, std::int64_t first)
      : sites_(sites), sides_(sides), grid_(grid), x_(x), first_(first) {}

  [[nodiscard]] __device__ std::int64_t cell(int y) const {
    return first_ + std::int64_t{grid_.nx} * y;
  }
  /// Returns the key of row y. The nearest sites of its column are in row `above`, at or before y,
  /// and `below`, at or after y.
  [[nodiscard]] __device__ Key key(int y, int above, int below) const {
    if constexpr (Key::kNamed) {
      Key key = Key::none();
      for (const int site : {above, below}) {
        if (site == -kNowhere || site == kNowhere) continue;
        Key::take(key, Key::of(square(y - site), name(site)), 0);
      }
      return key;
    } else {
      const int step = min(y - above, below - y);
      return step < kNowhere / 2 ? Key::of(square(step), 0) : Key::none();
    }
  }

 private:
  [[nodiscard]] __device__ typename Key::Square square(int step) const {
    return squared<typename Key::Square>(step, grid_.weights[1]);
  }
  [[nodiscard]] __device__ std::uint32_t name(int site) const {
    if (site < 0) return sides_.names_above[x_];
    if (site >= grid_.ny) return sides_.names_below[x_];
    return sites_.name(cell(site));
  }

  const Sites& sites_;
  const ColumnSides& sides_;
  const DistanceGrid& grid_;
  int x_;
  std::int64_t first_;
};

/// Finds the nearest site of the column. Sites: bool is(cell), name(cell). Threads (x, band).
/// Shared memory: a bit for each cell of the columns, and the first and last site of each band, so
/// that no band reads cells outside itself. No races: each thread owns its column's band.
template <typename Key, typename Sites, int bands>
__global__ void __launch_bounds__(kWarp* bands, bands == kFewBands ? 3 : 1)
    columns_kernel(const Sites sites, const ColumnSides sides, const DistanceGrid grid,
                   Key* __restrict__ keys) {
  using Column = ColumnKeys<Key, Sites>;
  constexpr int kNowhere = Column::kNowhere;
  extern __shared__ __align__(16) char shared[];
  int(*const first)[kWarp] = reinterpret_cast<int(*)[kWarp]>(shared);
  int(*const last)[kWarp] = first + bands;
  std::uint32_t(*const bits)[kWarp] = reinterpret_cast<std::uint32_t(*)[kWarp]>(last + bands);
  const int lane = static_cast<int>(threadIdx.x);
  const int band = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * kWarp + lane;
  const int words = words_of(grid.ny);
  const int words_a_band = (words + bands - 1) / bands;
  const int begin = min(band * words_a_band, words);
  const int end = min(begin + words_a_band, words);
  const bool inside = x < grid.nx;
  const Column column(sites, sides, grid, x, blockIdx.y * grid.plane() + x);
  int own_first = kNowhere;
  int own_last = -kNowhere;
  for (int w = begin; w < end; ++w) {
    const std::int64_t cell = column.cell(w * kWarp);
    const int rows = inside ? min(kWarp, grid.ny - w * kWarp) : 0;
    std::uint32_t word = 0;
#pragma unroll
    for (int r = 0; r < kWarp; ++r) {
      if (r < rows && sites.is(cell + std::int64_t{grid.nx} * r)) word |= 1U << r;
    }
    bits[w][lane] = word;
    if (word == 0) continue;
    if (own_first == kNowhere) own_first = w * kWarp + __ffs(static_cast<int>(word)) - 1;
    own_last = w * kWarp + kWarp - 1 - __clz(static_cast<int>(word));
  }
  first[band][lane] = own_first;
  last[band][lane] = own_last;
  __syncthreads();
  if (!inside) return;
  int above = sides.above == nullptr ? -kNowhere : sides.above[x];
  // The first site of the bands after this one.
  int after = sides.below == nullptr ? kNowhere : sides.below[x];
  for (int other = 0; other < bands; ++other) {
    if (other < band) above = max(above, last[other][lane]);
    if (other > band) after = min(after, first[other][lane]);
  }
  int next = begin;  // the first word from here on with a site
  for (int w = begin; w < end; ++w) {
    const std::uint32_t word = bits[w][lane];
    for (next = max(next, w + 1); next < end && bits[next][lane] == 0;)
      ++next;
    const int later =
        next < end ? next * kWarp + __ffs(static_cast<int>(bits[next][lane])) - 1 : after;
    const std::int64_t cell = column.cell(w * kWarp);
    const int rows = min(kWarp, grid.ny - w * kWarp);
#pragma unroll 8
    for (int r = 0; r < rows; ++r) {
      const int y = w * kWarp + r;
      const std::uint32_t rest = word >> r;
      const int below = rest != 0 ? y + __ffs(static_cast<int>(rest)) - 1 : later;
      if (below == y) above = y;
      keys[cell + std::int64_t{grid.nx} * r] = column.key(y, above, below);
    }
  }
}

/// Loads eight cells of a row from `first` on, none beyond its end. whole: the row is a whole
/// number of sides, and sides are therefore aligned.
template <typename Key>
__device__ void load_some(const Key* keys, int count, bool whole, Key (&some)[kSome]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int x = half * kAtOnce;
    if (whole && x < count) {
      const auto side = *reinterpret_cast<const Side<Key>*>(keys + x);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i)
        some[x + i] = side.of[i];
      continue;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      some[x + i] = x + i < count ? keys[x + i] : Key::none();
  }
}

/// A row in shared memory, block by block. The two halves of a block are stored apart, so that
/// neighbouring threads read without bank conflicts.
template <typename Key>
struct SharedRow {
  static constexpr int kHalf = kSome / 2;
  static_assert(kHalf == kAtOnce);
  using Half = Side<Key>;
  using Square = typename Key::Square;

  /// has_pairs: there is room for paired keys too.
  __device__ SharedRow(char* memory, int blocks, bool has_pairs, const Key* /*keys*/,
                       const DistanceGrid& /*grid*/)
      : halves{reinterpret_cast<Half*>(memory), reinterpret_cast<Half*>(memory) + blocks},
        paired(has_pairs ? reinterpret_cast<PairedKeys*>(halves[1] + blocks) : nullptr),
        least(has_pairs ? reinterpret_cast<Square*>(paired + blocks)
                        : reinterpret_cast<Square*>(halves[1] + blocks)),
        least_of_many(least + blocks) {}
  /// Returns the bytes, rounded up to whole chunks of 16, so that another row may follow.
  [[nodiscard]] static __host__ __device__ int bytes(int blocks, bool has_pairs) {
    const std::size_t pairs = has_pairs ? sizeof(PairedKeys) : 0;
    const int all = blocks * static_cast<int>(2 * sizeof(Half) + pairs + sizeof(Square)) +
                    (blocks + kMany - 1) / kMany * static_cast<int>(sizeof(Square));
    return (all + 15) / 16 * 16;
  }
  __device__ void read(int block, Key (&keys)[kSome]) const {
    const Half near = halves[0][block];
    const Half far = halves[1][block];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      keys[i] = near.of[i];
      keys[kHalf + i] = far.of[i];
    }
  }
  __device__ void write(int block, const Key (&keys)[kSome]) const {
    Half near;
    Half far;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      near.of[i] = keys[i];
      far.of[i] = keys[kHalf + i];
    }
    halves[0][block] = near;
    halves[1][block] = far;
    if constexpr (Key::kPaired) {
      if (paired != nullptr) paired[block] = PairedKeys::of(keys);
    }
    least[block] = least_of(keys);
  }

  Half* halves[2];
  PairedKeys* paired;     // paired keys, if near; or null
  Square* least;          // per block
  Square* least_of_many;  // per kMany blocks
};

/// A row too long for shared memory, which holds its blocks' minima only. The keys are read again
/// where they lie.
template <typename Key>
struct LongRow {
  using Square = typename Key::Square;

  __device__ LongRow(char* memory, int blocks, bool /*has_pairs*/, const Key* row,
                     const DistanceGrid& grid)
      : keys(row),
        nx(grid.nx),
        least(reinterpret_cast<Square*>(memory)),
        least_of_many(least + blocks) {}
  [[nodiscard]] static __host__ __device__ int bytes(int blocks, bool /*has_pairs*/) {
    return (blocks + (blocks + kMany - 1) / kMany) * static_cast<int>(sizeof(Square));
  }
  __device__ void read(int block, Key (&some)[kSome]) const {
    load_some(keys + block * kSome, nx - block * kSome, nx % kAtOnce == 0, some);
  }
  __device__ void write(int block, const Key (&some)[kSome]) const {
    least[block] = least_of(some);
  }

  const Key* keys;
  int nx;
  Square* least;          // per block
  Square* least_of_many;  // per kMany blocks
};

/// Returns the number of adjacent rows of a thread block, so that all of its threads have cells
/// even if rows are short. Each row has whole warps.
[[nodiscard]] __host__ __device__ constexpr int rows_at_once(int blocks) {
  int rows = 1;
  while (2 * rows * blocks <= kRowThreads && 2 * rows * kWarp <= kRowThreads)
    rows *= 2;
  return rows;
}

template <typename Key, typename Finish>
__device__ void finish_some(const Finish& finish, std::int64_t first, int count, bool whole,
                            const Key (&some)[kSome]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int x = half * kAtOnce;
    if (whole && x < count) {
      finish.side(first + x, some + x);
      continue;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (x + i < count) finish(first + x + i, some[x + i]);
    }
  }
}

/// Finds the near keys of a block's eight cells in their row. Returns false if one of them may have
/// none.
__device__ inline bool find_near(const SharedRow<NearKey>& row, int blocks, int block,
                                 NearKey (&found)[kSome]) {
  constexpr int kManyAway = (kMostAway + kMany - 1) / kMany;
  const int here = block / kMany;
  const int last = (blocks - 1) / kMany;
  bool has_near = false;
  for (int i = max(0, here - kManyAway); i <= min(last, here + kManyAway); ++i)
    has_near |= row.least_of_many[i] < kBeyond;
  if (!has_near) return false;
  PairedKeys best = row.paired[block];
  take_paired(best, row.paired[block], 0);
  std::uint32_t worst = best.highest();
  for (int away = 1; away <= kMostAway; ++away) {
    const std::uint32_t step = squared<std::uint32_t>((away - 1) * kSome + 1, 1);
    if (step >= worst) break;
    for (int sign = -1; sign <= 1; sign += 2) {
      const int other = block + sign * away;
      if (other < 0 || other >= blocks || row.least[other] + step >= worst) continue;
      take_paired(best, row.paired[other], sign * away);
      worst = best.highest();
    }
  }
  best.unpack(found);
  return worst < kBeyond;
}

/// Minimises along a row. Finish: operator()(cell, key), side(first, keys). With SharedRow it works
/// in place if the answer is as wide as a key: a thread block owns its rows and has read all of
/// them before it writes. Shared memory: the rows.
template <typename Row, typename Key, typename Finish>
__global__ void __launch_bounds__(kRowThreads)
    rows_kernel(const Key* keys, const DistanceGrid grid, const bool has_pairs,
                const Finish finish) {
  using Square = typename Key::Square;
  extern __shared__ __align__(16) char shared[];
  const int blocks = blocks_of(grid.nx);
  const int many = (blocks + kMany - 1) / kMany;
  const int threads = kRowThreads / rows_at_once(blocks);  // per row
  const auto thread = static_cast<int>(threadIdx.x) % threads;
  const auto which = static_cast<int>(threadIdx.x) / threads;
  const std::int64_t number = std::int64_t{blockIdx.x} * rows_at_once(blocks) + which;
  const bool inside = number < std::int64_t{grid.ny} * grid.nz;
  const std::int64_t start = number * grid.nx;
  const Row row(shared + which * Row::bytes(blocks, has_pairs), blocks, has_pairs, keys + start,
                grid);
  const bool whole = grid.nx % kAtOnce == 0;
  bool has_any = false;
  for (int block = thread; inside && block < blocks; block += threads) {
    Key some[kSome];
    load_some(keys + start + block * kSome, grid.nx - block * kSome, whole, some);
    row.write(block, some);
    has_any |= row.least[block] < Key::kNone;
  }
  if (!__syncthreads_or(has_any)) {
    for (int block = thread; inside && block < blocks; block += threads) {
      Key none[kSome];
#pragma unroll
      for (Key& key : none)
        key = Key::none();
      finish_some(finish, start + block * kSome, grid.nx - block * kSome, whole, none);
    }
    return;
  }
  for (int i = thread; inside && i < many; i += threads) {
    Square least = Key::kNone;
    for (int block = i * kMany; block < min(blocks, (i + 1) * kMany); ++block)
      least = min(least, row.least[block]);
    row.least_of_many[i] = least;
  }
  __syncthreads();
  for (int block = thread; inside && block < blocks; block += threads) {
    Key best[kSome];
    if constexpr (Key::kPaired) {
      if (has_pairs && find_near(row, blocks, block, best)) {
        finish_some(finish, start + block * kSome, grid.nx - block * kSome, whole, best);
        continue;
      }
    }
    row.read(block, best);
    {
      Key some[kSome];
      row.read(block, some);
      take_all(best, some, 0, grid.weights[0]);
    }
    Square worst = highest_of(best);
    const auto look_at = [&](int other, int away) {
      const Square step = squared<Square>((away - 1) * kSome + 1, grid.weights[0]);
      if (Key::cannot_win(row.least[other] + step, worst)) return;
      Key some[kSome];
      row.read(other, some);
      take_all(best, some, (other - block) * kSome, grid.weights[0]);
      worst = highest_of(best);
    };
    // Block by block on either side, up to the start of the next kMany.
    int left = block - 1;
    int right = block + 1;
    for (int away = 1; away <= kMany; ++away, --left, ++right) {
      if (Key::cannot_win(squared<Square>((away - 1) * kSome + 1, grid.weights[0]), worst)) break;
      if (left >= 0) look_at(left, away);
      if (right < blocks) look_at(right, away);
    }
    // Then kMany at a time; nearer blocks have been searched.
    const int here = block / kMany;
    for (int far = 1; far < many; ++far) {
      const int last_left = (here - far + 1) * kMany - 1;
      const int first_right = (here + far) * kMany;
      const int to_left = max(block - last_left, kMany + 1);
      const int to_right = max(first_right - block, kMany + 1);
      const Square step_left = squared<Square>((to_left - 1) * kSome + 1, grid.weights[0]);
      const Square step_right = squared<Square>((to_right - 1) * kSome + 1, grid.weights[0]);
      if (Key::cannot_win(min(step_left, step_right), worst)) break;
      if (here - far >= 0 && !Key::cannot_win(row.least_of_many[here - far] + step_left, worst)) {
        for (int other = block - to_left; other > last_left - kMany; --other)
          look_at(other, block - other);
      }
      if (here + far < many &&
          !Key::cannot_win(row.least_of_many[here + far] + step_right, worst)) {
        for (int other = block + to_right; other < min(first_right + kMany, blocks); ++other)
          look_at(other, other - block);
      }
    }
    finish_some(finish, start + block * kSome, grid.nx - block * kSome, whole, best);
  }
}

/// A block's surroundings along z, for 32 columns.
template <typename Square>
struct SharedLines {
  Square (*least)[kWarp];  // per block
  PairedKeys (*paired)[kWarp];
  /// For each block, the nearest nonempty block on either side, counting all columns; -1 or the
  /// number of blocks if there is none.
  const int* before;
  const int* after;
  int blocks;

  /// Visits the blocks around `block`, the nearest first, up to `most` away: calls visit(other,
  /// step) with the minimum squared step, while may_win(step).
  template <typename MayWin, typename Visit>
  __device__ void outward(int block, int most, std::uint64_t weight, const MayWin& may_win,
                          const Visit& visit) const {
    int low = before[block];
    int high = after[block];
    while (low >= 0 || high < blocks) {
      const int to_low = low >= 0 ? block - low : blocks;
      const int to_high = high < blocks ? high - block : blocks;
      const int away = min(to_low, to_high);
      const auto step = squared<Square>((away - 1) * kSome + 1, weight);
      if (away > most || !may_win(step)) return;
      if (to_low == away) {
        visit(low, step);
        low = before[low];
      }
      if (to_high == away) {
        visit(high, step);
        high = after[high];
      }
    }
  }
};

/// Does the same as in a row. Called by all lanes together, one column per lane.
__device__ inline bool find_near(const SharedLines<std::uint32_t>& lines, int block, int lane,
                                 bool inside, NearKey (&found)[kSome]) {
  PairedKeys best = lines.paired[block][lane];
  take_paired(best, lines.paired[block][lane], 0);
  std::uint32_t worst = inside ? best.highest() : 0;
  lines.outward(
      block, kMostAway, 1, [&](std::uint32_t step) { return __any_sync(kAll, step < worst); },
      [&](int other, std::uint32_t step) {
        if (!__any_sync(kAll, lines.least[other][lane] + step < worst)) return;
        take_paired(best, lines.paired[other][lane], other - block);
        worst = inside ? best.highest() : 0;
      });
  best.unpack(found);
  return __all_sync(kAll, worst < kBeyond);
}

/// Minimises along z in the same way. A block has 32 adjacent columns along x of one row, one per
/// lane. For each block of cells the nearest nonempty ones on either side are known, so that empty
/// stretches take no time.
template <typename Key, typename Finish>
__global__ void __launch_bounds__(kWarp* kLineWarps)
    along_z_kernel(const Key* keys, const DistanceGrid grid, const bool has_pairs,
                   const Finish finish) {
  using Square = typename Key::Square;
  extern __shared__ __align__(16) char shared[];
  const int blocks = blocks_of(grid.nz);
  Key(*const line)[kWarp] = reinterpret_cast<Key(*)[kWarp]>(shared);
  PairedKeys(*const paired)[kWarp] = reinterpret_cast<PairedKeys(*)[kWarp]>(line + blocks * kSome);
  Square(*const least)[kWarp] =
      reinterpret_cast<Square(*)[kWarp]>(paired + (has_pairs ? blocks : 0));
  int* const has = reinterpret_cast<int*>(least + blocks);
  int* const before = has + blocks;
  int* const after = before + blocks;
  const int lane = static_cast<int>(threadIdx.x % kWarp);
  const int warp = static_cast<int>(threadIdx.x / kWarp);
  const int x = static_cast<int>(blockIdx.x) * kWarp + lane;
  const std::int64_t start = x + std::int64_t{grid.nx} * blockIdx.y;
  for (int block = warp; block < blocks; block += kLineWarps) {
    Key some[kSome];
#pragma unroll
    for (int k = 0; k < kSome; ++k) {
      const int z = block * kSome + k;
      some[k] = x < grid.nx && z < grid.nz ? keys[start + grid.plane() * z] : Key::none();
      line[z][lane] = some[k];
    }
    if constexpr (Key::kPaired) {
      if (has_pairs) paired[block][lane] = PairedKeys::of(some);
    }
    const Square least_here = least_of(some);
    least[block][lane] = least_here;
    const bool has_any = __any_sync(kAll, least_here < Key::kNone);
    if (lane == 0) has[block] = has_any ? 1 : 0;
  }
  __syncthreads();
  for (int block = static_cast<int>(threadIdx.x); block < blocks; block += kWarp * kLineWarps) {
    int low = block - 1;
    int high = block + 1;
    while (low >= 0 && has[low] == 0)
      --low;
    while (high < blocks && has[high] == 0)
      ++high;
    before[block] = low;
    after[block] = high;
  }
  __syncthreads();
  const SharedLines<Square> lines{least, paired, before, after, blocks};
  const auto read = [&](int block, Key(&some)[kSome]) {
#pragma unroll
    for (int k = 0; k < kSome; ++k)
      some[k] = line[block * kSome + k][lane];
  };
  for (int block = warp; block < blocks; block += kLineWarps) {
    Key best[kSome];
    const auto write = [&] {
#pragma unroll
      for (int i = 0; i < kSome; ++i) {
        const int z = block * kSome + i;
        if (x < grid.nx && z < grid.nz) finish(start + grid.plane() * z, best[i]);
      }
    };
    if constexpr (Key::kPaired) {
      if (has_pairs && find_near(lines, block, lane, x < grid.nx, best)) {
        write();
        continue;
      }
    }
    read(block, best);
    {
      Key some[kSome];
      read(block, some);
      take_all(best, some, 0, grid.weights[2]);
    }
    Square worst = highest_of(best);
    lines.outward(
        block, blocks, grid.weights[2],
        [&](Square step) { return !__all_sync(kAll, Key::cannot_win(step, worst)); },
        [&](int other, Square step) {
          if (__all_sync(kAll, Key::cannot_win(least[other][lane] + step, worst))) return;
          Key some[kSome];
          read(other, some);
          take_all(best, some, (other - block) * kSome, grid.weights[2]);
          worst = highest_of(best);
        });
    write();
  }
}

/// Shared memory of a block.
[[nodiscard]] inline int bands_of(std::int64_t ny) {
  return words_of(static_cast<int>(ny)) <= kFewBands ? kFewBands : kManyBands;
}
[[nodiscard]] inline std::int64_t column_bytes(std::int64_t ny) {
  return (2 * bands_of(ny) + std::int64_t{words_of(static_cast<int>(ny))}) * kWarp * 4;
}
/// Returns the number of rows of the longest column that fits into so much shared memory.
[[nodiscard]] inline std::int64_t longest_column(std::int64_t shared_bytes) {
  return (shared_bytes / (kWarp * 4) - 2 * kManyBands) * kWarp;
}
/// No line along x or z of so many cells fits, and the bytes of shorter ones fit an int.
inline constexpr std::int64_t kNoLine = 1 << 24;
/// Largest number of rows of along_z(), and of slices of along_columns(): those of a launch.
inline constexpr std::int64_t kMostInLaunch = 65535;
template <typename Key>
[[nodiscard]] std::int64_t row_bytes(std::int64_t nx, bool has_pairs = false) {
  const int blocks = blocks_of(static_cast<int>(nx));
  return std::int64_t{rows_at_once(blocks)} * SharedRow<Key>::bytes(blocks, has_pairs);
}
/// Returns whether a row that is too long for shared memory can be read where it lies. Its answer
/// must lie elsewhere.
template <typename Key>
[[nodiscard]] bool is_long_row(std::int64_t nx, std::int64_t shared_bytes) {
  return std::is_same_v<Key, WideKey> && row_bytes<Key>(nx) > shared_bytes &&
         LongRow<Key>::bytes(blocks_of(static_cast<int>(nx)), false) <= shared_bytes;
}
template <typename Key>
[[nodiscard]] std::int64_t line_bytes(std::int64_t nz, bool has_pairs = false) {
  constexpr std::size_t kOfColumn = kSome * sizeof(Key) + sizeof(typename Key::Square);
  const std::size_t of_column = kOfColumn + (has_pairs ? sizeof(PairedKeys) : 0);
  return std::int64_t{blocks_of(static_cast<int>(nz))} *
         static_cast<std::int64_t>(kWarp * of_column + 3 * sizeof(int));
}

template <typename Kernel>
void allow(Kernel* kernel, std::int64_t shared_bytes) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)));
}

}  // namespace distance_passes

// The passes over an image, or over a part of it with complete lines, packed. Enqueued. Finish may
// overwrite the keys if its answer is as wide.

template <typename Key, typename Sites>
void along_columns(const Sites& sites, const distance_passes::ColumnSides& sides,
                   const DistanceGrid& grid, DeviceBuffer<Key>& keys, const Stream& stream) {
  using namespace distance_passes;
  const dim3 blocks(static_cast<unsigned>((grid.nx + kWarp - 1) / kWarp),
                    static_cast<unsigned>(grid.nz));
  const std::int64_t bytes = column_bytes(grid.ny);
  const auto launch = [&](auto bands) {
    allow(columns_kernel<Key, Sites, bands>, bytes);
    columns_kernel<Key, Sites, bands>
        <<<blocks, dim3(kWarp, bands), static_cast<std::size_t>(bytes), stream.get()>>>(
            sites, sides, grid, keys.data());
    check_launch(stream.get());
  };
  if (bands_of(grid.ny) == kFewBands) {
    launch(std::integral_constant<int, kFewBands>{});
  } else {
    launch(std::integral_constant<int, kManyBands>{});
  }
}

template <typename Key, typename Finish>
void along_rows(const DeviceBuffer<Key>& keys, const DistanceGrid& grid, const Finish& finish,
                const Stream& stream) {
  using namespace distance_passes;
  const std::int64_t shared_bytes = shared_bytes_of_block();
  const bool has_pairs = Key::kPaired && row_bytes<Key>(grid.nx, true) <= shared_bytes;
  const int rows = rows_at_once(blocks_of(grid.nx));
  const std::int64_t blocks = (std::int64_t{grid.ny} * grid.nz + rows - 1) / rows;
  const auto launch = [&](auto* kernel, std::int64_t bytes) {
    allow(kernel, bytes);
    kernel<<<static_cast<unsigned>(blocks), kRowThreads, static_cast<std::size_t>(bytes),
             stream.get()>>>(keys.data(), grid, has_pairs, finish);
    check_launch(stream.get());
  };
  if constexpr (std::is_same_v<Key, WideKey>) {
    if (is_long_row<Key>(grid.nx, shared_bytes)) {
      launch(rows_kernel<LongRow<Key>, Key, Finish>,
             LongRow<Key>::bytes(blocks_of(grid.nx), false));
      return;
    }
  }
  launch(rows_kernel<SharedRow<Key>, Key, Finish>, row_bytes<Key>(grid.nx, has_pairs));
}

template <typename Key, typename Finish>
void along_z(const DeviceBuffer<Key>& keys, const DistanceGrid& grid, const Finish& finish,
             const Stream& stream) {
  using namespace distance_passes;
  const bool has_pairs = Key::kPaired && line_bytes<Key>(grid.nz, true) <= shared_bytes_of_block();
  const std::int64_t bytes = line_bytes<Key>(grid.nz, has_pairs);
  allow(along_z_kernel<Key, Finish>, bytes);
  const dim3 blocks(static_cast<unsigned>((grid.nx + kWarp - 1) / kWarp),
                    static_cast<unsigned>(grid.ny));
  along_z_kernel<<<blocks, kWarp * kLineWarps, static_cast<std::size_t>(bytes), stream.get()>>>(
      keys.data(), grid, has_pairs, finish);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
