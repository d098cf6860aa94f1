// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/morphology/distance_keys.cuh"

#include <cstdint>
#include <limits>

/// The passes of the distance transform: steps along columns are counted; then along rows, and
/// along z, each cell takes the least of key and squared step. A thread has eight cells of a line
/// and asks eight others at a time, outward as long as the least square there could still win.
namespace seedwave::gpu {

struct DistanceGrid {
  int nx;
  int ny;
  int nz;
  /// Of a step along each axis.
  std::uint64_t weights[3];

  [[nodiscard]] __host__ __device__ std::int64_t plane() const { return std::int64_t{nx} * ny; }
};

namespace distance_passes {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAll = 0xFFFFFFFFU;
/// Cells of a line that a thread has, and that it asks at once.
inline constexpr int kSome = 8;
// Along y: a block is 32 columns in as many bands.
inline constexpr int kBands = 32;
// Along x and z: threads of a block.
inline constexpr int kRowThreads = 256;
inline constexpr int kLineWarps = 8;
/// Blocks of kSome cells that are passed over at once, where far away is nothing.
inline constexpr int kMany = 8;

[[nodiscard]] __host__ __device__ constexpr int blocks_of(int length) {
  return (length + kSome - 1) / kSome;
}

/// Words of bits for a column.
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

/// Eight cells take what eight others, `away` cells further on, have.
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

/// The nearest site of the column. Sites: bool is(cell), name(cell). Threads (x, band); shared
/// memory: a bit for each cell of the columns, and the first and last site of each band, so that no
/// band is read from outside. No races: a thread owns its column's band.
template <typename Key, typename Sites>
__global__ void __launch_bounds__(kWarp* kBands)
    columns_kernel(const Sites sites, const DistanceGrid grid, Key* __restrict__ keys) {
  constexpr int kBelow = std::numeric_limits<int>::max();  // no row
  extern __shared__ __align__(16) char shared[];
  int(*const first)[kWarp] = reinterpret_cast<int(*)[kWarp]>(shared);
  int(*const last)[kWarp] = first + kBands;
  std::uint32_t(*const bits)[kWarp] = reinterpret_cast<std::uint32_t(*)[kWarp]>(last + kBands);
  const int lane = static_cast<int>(threadIdx.x);
  const int band = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * kWarp + lane;
  const int words = words_of(grid.ny);
  const int words_a_band = (words + kBands - 1) / kBands;
  const int begin = min(band * words_a_band, words);
  const int end = min(begin + words_a_band, words);
  const bool inside = x < grid.nx;
  const auto at = [&](int y) { return blockIdx.y * grid.plane() + x + std::int64_t{grid.nx} * y; };
  int own_first = kBelow;
  int own_last = -1;
  for (int w = begin; w < end; ++w) {
    std::uint32_t word = 0;
#pragma unroll
    for (int r = 0; r < kWarp; ++r) {
      const int y = w * kWarp + r;
      if (inside && y < grid.ny && sites.is(at(y))) word |= 1U << r;
    }
    bits[w][lane] = word;
    if (word == 0) continue;
    if (own_first == kBelow) own_first = w * kWarp + __ffs(static_cast<int>(word)) - 1;
    own_last = w * kWarp + kWarp - 1 - __clz(static_cast<int>(word));
  }
  first[band][lane] = own_first;
  last[band][lane] = own_last;
  __syncthreads();
  if (!inside) return;
  int above = -1;
  int after = kBelow;  // the first site of the bands behind
  for (int other = 0; other < kBands; ++other) {
    if (other < band) above = max(above, last[other][lane]);
    if (other > band) after = min(after, first[other][lane]);
  }
  int next = begin;  // the first word from here on that has a site
  for (int w = begin; w < end; ++w) {
    const std::uint32_t word = bits[w][lane];
    for (next = max(next, w + 1); next < end && bits[next][lane] == 0;)
      ++next;
    const int later =
        next < end ? next * kWarp + __ffs(static_cast<int>(bits[next][lane])) - 1 : after;
#pragma unroll 8
    for (int r = 0; r < kWarp; ++r) {
      const int y = w * kWarp + r;
      if (y >= grid.ny) break;
      const std::uint32_t rest = word >> r;
      const int below = rest != 0 ? y + __ffs(static_cast<int>(rest)) - 1 : later;
      if (below == y) above = y;
      using Square = typename Key::Square;
      Key key = Key::none();
      if (above >= 0) {
        const std::uint32_t name = Key::kNamed ? sites.name(at(above)) : 0;
        key = Key::of(squared<Square>(y - above, grid.weights[1]), name);
      }
      if (below != kBelow) {
        const std::uint32_t name = Key::kNamed ? sites.name(at(below)) : 0;
        Key::take(key, Key::of(squared<Square>(below - y, grid.weights[1]), name), 0);
      }
      keys[at(y)] = key;
    }
  }
}

/// A row in shared memory, block by block; two halves of a block lie apart, so that neighbouring
/// threads read without meeting in a bank.
template <typename Key>
struct SharedRow {
  static constexpr int kHalf = kSome / 2;
  struct alignas(sizeof(Key) * kHalf > 16 ? 16 : sizeof(Key) * kHalf) Half {
    Key key[kHalf];
  };
  using Square = typename Key::Square;

  __device__ SharedRow(char* memory, int blocks)
      : halves{reinterpret_cast<Half*>(memory), reinterpret_cast<Half*>(memory) + blocks},
        least(reinterpret_cast<Square*>(halves[1] + blocks)),
        least_of_many(least + blocks) {}
  [[nodiscard]] static __host__ __device__ int bytes(int blocks) {
    return blocks * static_cast<int>(2 * sizeof(Half) + sizeof(Square)) +
           (blocks + kMany - 1) / kMany * static_cast<int>(sizeof(Square));
  }
  __device__ void read(int block, Key (&keys)[kSome]) const {
    const Half near = halves[0][block];
    const Half far = halves[1][block];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      keys[i] = near.key[i];
      keys[kHalf + i] = far.key[i];
    }
  }

  Half* halves[2];
  Square* least;          // of a block
  Square* least_of_many;  // of kMany blocks
};

/// Along a row. One block a row. Finish: operator()(cell, key). In place where the answer is as
/// wide as a key: a block owns its row and has read all of it before it writes.
template <typename Key, typename Finish>
__global__ void __launch_bounds__(kRowThreads)
    rows_kernel(const Key* keys, const DistanceGrid grid, const Finish finish) {
  using Square = typename Key::Square;
  extern __shared__ __align__(16) char shared[];
  const int blocks = blocks_of(grid.nx);
  const int many = (blocks + kMany - 1) / kMany;
  const SharedRow<Key> row(shared, blocks);
  const std::int64_t start = std::int64_t{blockIdx.x} * grid.nx;
  for (int x = static_cast<int>(threadIdx.x); x < blocks * kSome; x += kRowThreads) {
    constexpr int kHalf = SharedRow<Key>::kHalf;
    const Key key = x < grid.nx ? keys[start + x] : Key::none();
    row.halves[x / kHalf % 2][x / kSome].key[x % kHalf] = key;
  }
  __syncthreads();
  for (int block = static_cast<int>(threadIdx.x); block < blocks; block += kRowThreads) {
    Key some[kSome];
    row.read(block, some);
    row.least[block] = least_of(some);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < many; i += kRowThreads) {
    Square least = Key::kNone;
    for (int block = i * kMany; block < min(blocks, (i + 1) * kMany); ++block)
      least = min(least, row.least[block]);
    row.least_of_many[i] = least;
  }
  __syncthreads();
  for (int block = static_cast<int>(threadIdx.x); block < blocks; block += kRowThreads) {
    Key best[kSome];
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
    // Block by block up to where the next many begin, on either side.
    int left = block - 1;
    int right = block + 1;
    for (int away = 1; away <= kMany; ++away, --left, ++right) {
      if (Key::cannot_win(squared<Square>((away - 1) * kSome + 1, grid.weights[0]), worst)) break;
      if (left >= 0) look_at(left, away);
      if (right < blocks) look_at(right, away);
    }
    // Then by many; what is nearer was looked at.
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
#pragma unroll
    for (int i = 0; i < kSome; ++i) {
      const int x = block * kSome + i;
      if (x < grid.nx) finish(start + x, best[i]);
    }
  }
}

/// The same along z: a block has 32 neighbouring columns along x of one row, a lane a column each.
template <typename Key, typename Finish>
__global__ void __launch_bounds__(kWarp* kLineWarps)
    along_z_kernel(const Key* keys, const DistanceGrid grid, const Finish finish) {
  using Square = typename Key::Square;
  extern __shared__ __align__(16) char shared[];
  const int blocks = blocks_of(grid.nz);
  Key(*const line)[kWarp] = reinterpret_cast<Key(*)[kWarp]>(shared);
  Square(*const least)[kWarp] = reinterpret_cast<Square(*)[kWarp]>(line + blocks * kSome);
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
    least[block][lane] = least_of(some);
  }
  __syncthreads();
  const auto read = [&](int block, Key(&some)[kSome]) {
#pragma unroll
    for (int k = 0; k < kSome; ++k)
      some[k] = line[block * kSome + k][lane];
  };
  for (int block = warp; block < blocks; block += kLineWarps) {
    Key best[kSome];
    read(block, best);
    {
      Key some[kSome];
      read(block, some);
      take_all(best, some, 0, grid.weights[2]);
    }
    Square worst = highest_of(best);
    for (int away = 1; away < blocks; ++away) {
      const Square step = squared<Square>((away - 1) * kSome + 1, grid.weights[2]);
      if (__all_sync(kAll, Key::cannot_win(step, worst))) break;
      for (int sign = -1; sign <= 1; sign += 2) {
        const int other = block + sign * away;
        if (other < 0 || other >= blocks) continue;
        if (__all_sync(kAll, Key::cannot_win(least[other][lane] + step, worst))) continue;
        Key some[kSome];
        read(other, some);
        take_all(best, some, (other - block) * kSome, grid.weights[2]);
        worst = highest_of(best);
      }
    }
#pragma unroll
    for (int i = 0; i < kSome; ++i) {
      const int z = block * kSome + i;
      if (x < grid.nx && z < grid.nz) finish(start + grid.plane() * z, best[i]);
    }
  }
}

/// Shared memory of a block.
[[nodiscard]] inline std::int64_t column_bytes(std::int64_t ny) {
  return (2 * kBands + std::int64_t{words_of(static_cast<int>(ny))}) * kWarp * 4;
}
template <typename Key>
[[nodiscard]] std::int64_t row_bytes(std::int64_t nx) {
  return SharedRow<Key>::bytes(blocks_of(static_cast<int>(nx)));
}
template <typename Key>
[[nodiscard]] std::int64_t line_bytes(std::int64_t nz) {
  return std::int64_t{blocks_of(static_cast<int>(nz))} * kWarp *
         static_cast<std::int64_t>(kSome * sizeof(Key) + sizeof(typename Key::Square));
}

template <typename Kernel>
void allow(Kernel* kernel, std::int64_t shared_bytes) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)));
}

}  // namespace distance_passes

// Each pass, on an image or a part of one that has all of the lines that it needs, packed.
// Enqueued. Finish may write over the keys where its answer is as wide.

template <typename Key, typename Sites>
void along_columns(const Sites& sites, const DistanceGrid& grid, DeviceBuffer<Key>& keys,
                   const Stream& stream) {
  using namespace distance_passes;
  const dim3 blocks(static_cast<unsigned>((grid.nx + kWarp - 1) / kWarp),
                    static_cast<unsigned>(grid.nz));
  const std::int64_t bytes = column_bytes(grid.ny);
  allow(columns_kernel<Key, Sites>, bytes);
  columns_kernel<<<blocks, dim3(kWarp, kBands), static_cast<std::size_t>(bytes), stream.get()>>>(
      sites, grid, keys.data());
  check_launch(stream.get());
}

template <typename Key, typename Finish>
void along_rows(const DeviceBuffer<Key>& keys, const DistanceGrid& grid, const Finish& finish,
                const Stream& stream) {
  using namespace distance_passes;
  const std::int64_t bytes = row_bytes<Key>(grid.nx);
  allow(rows_kernel<Key, Finish>, bytes);
  rows_kernel<<<static_cast<unsigned>(grid.ny) * static_cast<unsigned>(grid.nz), kRowThreads,
                static_cast<std::size_t>(bytes), stream.get()>>>(keys.data(), grid, finish);
  check_launch(stream.get());
}

template <typename Key, typename Finish>
void along_z(const DeviceBuffer<Key>& keys, const DistanceGrid& grid, const Finish& finish,
             const Stream& stream) {
  using namespace distance_passes;
  const std::int64_t bytes = line_bytes<Key>(grid.nz);
  allow(along_z_kernel<Key, Finish>, bytes);
  const dim3 blocks(static_cast<unsigned>((grid.nx + kWarp - 1) / kWarp),
                    static_cast<unsigned>(grid.ny));
  along_z_kernel<<<blocks, kWarp * kLineWarps, static_cast<std::size_t>(bytes), stream.get()>>>(
      keys.data(), grid, finish);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
