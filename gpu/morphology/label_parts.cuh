// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "gpu/device/buffer.h"
#include "gpu/device/launch.h"
#include "gpu/device/stream.h"
#include "gpu/morphology/cell_words.cuh"

#include <cstdint>

/// Connected parts of labels on a grid, those that stay, and the holes that they enclose.
///
/// Cells of a row that follow each other and are alike form a run, whose number is its first cell.
/// Runs are found as bits, and joined by union-find where the touching of two rows' runs begins. A
/// part's number is its smallest run, its first in raster order.
namespace seedwave::gpu {

/// The runs in a word of cells: where they start, the cells that belong to any, and those that are
/// like the cell before them along y and along z.
using RunBits = uint4;

/// A forest of runs. Only the entries of runs are used.
struct RunForest {
  CellWords words;
  const RunBits* runs;
  std::uint32_t* parent;

  /// Returns the run of a cell that belongs to one.
  [[nodiscard]] __device__ std::uint32_t run_at(std::uint32_t word, int bit) const {
    std::uint32_t starts = runs[word].x & (0xFFFFFFFFU >> (31 - bit));
    while (starts == 0)
      starts = runs[--word].x;
    return words.first_cell(word) + 31U -
           static_cast<std::uint32_t>(__clz(static_cast<int>(starts)));
  }
  [[nodiscard]] __device__ std::uint32_t parent_of(std::uint32_t run) const {
    return *static_cast<const volatile std::uint32_t*>(parent + run);
  }
  /// Returns the root, without changing the forest.
  [[nodiscard]] __device__ std::uint32_t root_of(std::uint32_t run) const {
    for (std::uint32_t next = parent_of(run); next != run; next = parent_of(run))
      run = next;
    return run;
  }
  /// Returns the root as it is now, and shortens the way to it.
  [[nodiscard]] __device__ std::uint32_t root_shortened(std::uint32_t run) const {
    std::uint32_t next = parent_of(run);
    while (next != run) {
      const std::uint32_t after = parent_of(next);
      if (after != next) parent[run] = after;
      run = next;
      next = after;
    }
    return run;
  }
  /// Joins the parts of two runs. Roots become children of smaller ones, by atomics.
  __device__ void join(std::uint32_t a, std::uint32_t b) const {
    a = root_shortened(a);
    b = root_shortened(b);
    while (a != b) {
      if (a < b) {
        const std::uint32_t swapped = a;
        a = b;
        b = swapped;
      }
      const std::uint32_t before = atomicCAS(parent + a, a, b);
      if (before == a) return;
      a = root_shortened(before);
    }
  }
  /// Returns the part of a cell that belongs to one, after flatten_kernel().
  [[nodiscard]] __device__ std::uint32_t part_at(std::uint32_t word, int bit) const {
    return parent[run_at(word, bit)];
  }
  /// Calls body(part, bits) for each run in a word, with its cells in the word. Also after
  /// flatten_kernel().
  template <typename Body>
  __device__ void for_parts(std::uint32_t word, const Body& body) const {
    const RunBits own = runs[word];
    for (std::uint32_t rest = own.y; rest != 0;) {
      const int begin = __ffs(static_cast<int>(rest)) - 1;
      const std::uint32_t after = begin == 31 ? 0 : 0xFFFFFFFFU << (begin + 1);
      const std::uint32_t ends = (own.x | ~own.y) & after;
      const int end = ends == 0 ? 32 : __ffs(static_cast<int>(ends)) - 1;
      const std::uint32_t bits = (0xFFFFFFFFU >> (32 - end)) & ~((1U << begin) - 1U);
      body(part_at(word, begin), bits);
      rest &= ~bits;
    }
  }
};

[[nodiscard]] __device__ inline std::uint32_t word_of_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Finds the runs of labels. A warp per kWordsOfWarp words; no races.
template <typename E>
__global__ void __launch_bounds__(kBlockSize)
    label_runs_kernel(const E* __restrict__ labels, const CellWords words,
                      RunBits* __restrict__ runs) {
  for_words_of_warp(words, [&](std::uint32_t word, const PlacedCell& cell) {
    const std::int64_t at = cell.offset(words);
    const E own = cell.x < words.nx ? labels[at] : E{0};
    const auto is_like = [&](bool exists, std::int64_t step) {
      return own != 0 && exists && labels[at - step] == own;
    };
    const unsigned filled = __ballot_sync(0xFFFFFFFFU, own != 0);
    const unsigned like_x = __ballot_sync(0xFFFFFFFFU, is_like(cell.x > 0, 1));
    const unsigned like_y = __ballot_sync(0xFFFFFFFFU, is_like(cell.y > 0, words.nx));
    const unsigned like_z =
        __ballot_sync(0xFFFFFFFFU, is_like(cell.z > 0, std::int64_t{words.nx} * words.ny));
    if (cell.bit == 0) runs[word] = make_uint4(filled & ~like_x, filled, like_y, like_z);
  });
}

/// Finds the runs of a set of cells. One thread per word; no races.
static __global__ void __launch_bounds__(kBlockSize)
    set_runs_kernel(const std::uint32_t* __restrict__ bits, const CellWords words,
                    RunBits* __restrict__ runs) {
  const std::uint32_t word = word_of_thread();
  if (word >= words.count()) return;
  const std::uint32_t own = bits[word];
  const auto row = static_cast<std::uint32_t>(words.row);
  const std::uint32_t line = word / row;
  const bool has_before = word != line * row;
  const std::uint32_t like_x = (own << 1) | (has_before ? bits[word - 1] >> 31 : 0U);
  const std::uint32_t like_y = line % words.ny != 0 ? bits[word - row] : 0U;
  const std::uint32_t like_z =
      line >= static_cast<std::uint32_t>(words.ny) ? bits[word - row * words.ny] : 0U;
  runs[word] = make_uint4(own & ~like_x, own, own & like_y, own & like_z);
}

/// Makes each run a part. One thread per word; no races.
static __global__ void __launch_bounds__(kBlockSize) make_parts_kernel(const RunForest forest) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  for_bits(forest.runs[word].x, [&](int bit) { forest.parent[first + bit] = first + bit; });
}

/// Joins runs that touch. One thread per word; the forest is changed by atomics.
static __global__ void __launch_bounds__(kBlockSize) join_runs_kernel(const RunForest forest) {
  const CellWords& words = forest.words;
  const std::uint32_t word = word_of_thread();
  if (word >= words.count()) return;
  const RunBits own = forest.runs[word];
  if (own.y == 0) return;
  const bool has_before = word % words.row != 0;
  const RunBits before = has_before ? forest.runs[word - 1] : make_uint4(0, 0, 0, 0);
  const auto join_along = [&](std::uint32_t like, std::uint32_t like_before, std::uint32_t back) {
    // Cells with which two runs begin to touch.
    const std::uint32_t goes_on = ((like << 1) | (like_before >> 31)) & ~own.x;
    for_bits(like & ~goes_on, [&](int bit) {
      forest.join(forest.run_at(word, bit), forest.run_at(word - back, bit));
    });
  };
  const auto row = static_cast<std::uint32_t>(words.row);
  join_along(own.z, before.z, row);
  join_along(own.w, before.w, row * words.ny);
}

/// Makes the root the parent of each run. One thread per word. A run's parent may be read before or
/// after it has changed.
static __global__ void __launch_bounds__(kBlockSize) flatten_kernel(const RunForest forest) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  for_bits(forest.runs[word].x,
           [&](int bit) { forest.parent[first + bit] = forest.root_of(first + bit); });
}

/// Parts that stay, as in CleanLabelsProblem.
struct PartRule {
  bool keeps_all;     // also parts without seeds of labels with seeds
  bool only_largest;  // of a grid with one label
  std::uint32_t fewest;
  const Label* seeded;  // labels that have seeds, sorted
  int seeded_count;

  [[nodiscard]] __device__ bool has_seeds(Label label) const {
    int low = 0;
    for (int high = seeded_count; low < high;) {
      const int middle = (low + high) / 2;
      if (seeded[middle] < label) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < seeded_count && seeded[low] == label;
  }
};

/// Sizes of parts, by their numbers.
struct PartSizes {
  static constexpr std::uint32_t kHasSeed = 0x80000000U;

  std::uint32_t* voxels;        // with kHasSeed
  unsigned long long* largest;  // voxels of the largest part, and the inverse of its number
};

static __global__ void __launch_bounds__(kBlockSize)
    clear_sizes_kernel(const RunForest forest, const PartSizes sizes) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  for_bits(forest.runs[word].x, [&](int bit) { sizes.voxels[first + bit] = 0; });
}

/// Words that a thread adds up before it adds to a part's size, for which others wait.
inline constexpr std::uint32_t kWordsAtOnce = 16;

/// Adds up the sizes of parts. One thread per kWordsAtOnce words; atomics.
static __global__ void __launch_bounds__(kBlockSize)
    add_sizes_kernel(const RunForest forest, const PartSizes sizes) {
  const std::uint32_t begin = word_of_thread() * kWordsAtOnce;
  std::uint32_t last = 0;
  std::uint32_t voxels = 0;
  for (std::uint32_t k = 0; k < kWordsAtOnce && begin + k < forest.words.count(); ++k) {
    forest.for_parts(begin + k, [&](std::uint32_t part, std::uint32_t bits) {
      if (part != last && voxels != 0) {
        atomicAdd(sizes.voxels + last, voxels);
        voxels = 0;
      }
      last = part;
      voxels += static_cast<std::uint32_t>(__popc(bits));
    });
  }
  if (voxels != 0) atomicAdd(sizes.voxels + last, voxels);
}

/// Finds the largest part, the first of equal ones. One thread per word; atomics.
static __global__ void __launch_bounds__(kBlockSize)
    find_largest_kernel(const RunForest forest, const PartSizes sizes) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  for_bits(forest.runs[word].x, [&](int bit) {
    const std::uint32_t run = first + bit;
    if (forest.parent[run] != run) return;
    atomicMax(sizes.largest,
              static_cast<unsigned long long>(sizes.voxels[run]) << 32 | (0xFFFFFFFFU - run));
  });
}

/// Marks the parts of seeds. One thread per seed; atomics.
static __global__ void __launch_bounds__(kBlockSize)
    mark_seeded_kernel(const Seed* __restrict__ seeds, std::int64_t count, const RunForest forest,
                       const PartSizes sizes) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const CellCode code = forest.words.code_of(seeds[i].offset);
  if ((forest.runs[code >> 5].y >> (code & 31U) & 1U) == 0) return;
  const std::uint32_t part = forest.part_at(code >> 5, static_cast<int>(code & 31U));
  atomicOr(sizes.voxels + part, PartSizes::kHasSeed);
}

/// Finds the cells that no part that stays holds, and those of them that have a label. One thread
/// per word; no races.
template <typename E>
__global__ void __launch_bounds__(kBlockSize)
    open_cells_kernel(const E* __restrict__ labels, const RunForest forest, const PartSizes sizes,
                      const PartRule rule, std::uint32_t* __restrict__ open,
                      std::uint32_t* __restrict__ removed) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  const std::uint32_t unlabelled = ~forest.runs[word].y & forest.words.inside(word);
  std::uint32_t found = 0;
  forest.for_parts(word, [&](std::uint32_t part, std::uint32_t bits) {
    const std::uint32_t size = sizes.voxels[part];
    bool is_chosen = rule.keeps_all;
    if (rule.only_largest) {
      is_chosen = 0xFFFFFFFFU - static_cast<std::uint32_t>(*sizes.largest) == part;
    } else if (!is_chosen) {
      is_chosen = !rule.has_seeds(labels[first + __ffs(static_cast<int>(bits)) - 1]);
    }
    const bool stays = (size & PartSizes::kHasSeed) != 0 || (is_chosen && size >= rule.fewest);
    if (!stays) found |= bits;
  });
  open[word] = found | unlabelled;
  removed[word] = found;
}

/// The labels that an open part touches or holds: the smallest and the largest. A smallest one of 0
/// means that the part is no hole.
struct HoleLabels {
  std::uint32_t* smallest;
  std::uint32_t* largest;

  __device__ void add(std::uint32_t part, std::uint32_t low, std::uint32_t high) const {
    const std::uint32_t low_now = *static_cast<volatile std::uint32_t*>(smallest + part);
    const std::uint32_t high_now = *static_cast<volatile std::uint32_t*>(largest + part);
    if (low_now < high_now) return;  // several labels already
    if (low < low_now) atomicMin(smallest + part, low);
    if (high > high_now) atomicMax(largest + part, high);
  }
  /// Returns the label of which a part is a hole, or 0.
  [[nodiscard]] __device__ Label label_of(std::uint32_t part) const {
    return smallest[part] == largest[part] ? smallest[part] : 0;
  }
};

static __global__ void __launch_bounds__(kBlockSize)
    clear_holes_kernel(const RunForest forest, const HoleLabels holes) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count()) return;
  const std::uint32_t first = forest.words.first_cell(word);
  for_bits(forest.runs[word].x, [&](int bit) {
    holes.smallest[first + bit] = 0xFFFFFFFFU;
    holes.largest[first + bit] = 0;
  });
}

/// Excludes the parts that touch the border of the grid. One thread per word; all threads write the
/// same.
static __global__ void __launch_bounds__(kBlockSize)
    open_at_border_kernel(const RunForest forest, const HoleLabels holes) {
  const CellWords& words = forest.words;
  const std::uint32_t word = word_of_thread();
  if (word >= words.count()) return;
  const PlacedCell cell(words, word << 5);
  const auto is_end = [](int place, int size) {
    return size > 1 && (place == 0 || place == size - 1);
  };
  std::uint32_t border = 0;
  if (is_end(cell.y, words.ny) || is_end(cell.z, words.nz)) border = 0xFFFFFFFFU;
  if (words.nx > 1 && cell.x == 0) border |= 1U;
  if (words.nx > 1 && words.nx - cell.x <= 32) border |= 1U << (words.nx - 1 - cell.x);
  if ((forest.runs[word].y & border) == 0) return;
  forest.for_parts(word, [&](std::uint32_t part, std::uint32_t bits) {
    if ((bits & border) != 0 && holes.smallest[part] != 0) holes.smallest[part] = 0;
  });
}

/// Excludes the parts that hold a seed. One thread per seed; all write the same.
static __global__ void __launch_bounds__(kBlockSize)
    open_at_seeds_kernel(const Seed* __restrict__ seeds, std::int64_t count, const RunForest forest,
                         const HoleLabels holes) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const CellCode code = forest.words.code_of(seeds[i].offset);
  if ((forest.runs[code >> 5].y >> (code & 31U) & 1U) == 0) return;
  holes.smallest[forest.part_at(code >> 5, static_cast<int>(code & 31U))] = 0;
}

/// A box of an image, in whose layout the cells lie.
struct BoxInImage {
  std::int64_t first = 0;  // offset in the image of the box's first cell
  std::int64_t row = 0;    // offsets between rows and planes
  std::int64_t plane = 0;

  [[nodiscard]] SEEDWAVE_HD std::int64_t offset(const PlacedCell& cell) const {
    return first + cell.x + row * cell.y + plane * cell.z;
  }
};

/// Notes the labels of open cells, in `given`, and of the cells that touch them: `alone`, or those
/// in `labels` if it is 0. known: the open cells that may have a label in `given`; null: all. One
/// thread per word; atomics.
template <typename E, typename L>
__global__ void __launch_bounds__(kBlockSize)
    look_around_kernel(const RunForest forest, const E* __restrict__ labels, Label alone,
                       const std::uint32_t* __restrict__ known, const L* __restrict__ given,
                       const BoxInImage box, const HoleLabels holes) {
  const CellWords& words = forest.words;
  const std::uint32_t word = word_of_thread();
  if (word >= words.count() || forest.runs[word].y == 0) return;
  const PlacedCell first(words, word << 5);
  const std::uint32_t own = forest.runs[word].y;
  // The cells next to the word's that are open, in each direction of CutCell.
  const auto open_at = [&](bool exists, std::uint32_t at) {
    return exists ? forest.runs[at].y : 0xFFFFFFFFU;
  };
  const auto row = static_cast<std::uint32_t>(words.row);
  const std::uint32_t plane = row * words.ny;
  const bool has_next = first.x + 32 < words.nx;
  const std::uint32_t last = has_next ? 0U : ~(words.inside(word) >> 1);
  const std::uint32_t open[6] = {(own >> 1) | (has_next ? forest.runs[word + 1].y << 31 : last),
                                 (own << 1) | (first.x > 0 ? forest.runs[word - 1].y >> 31 : 1U),
                                 open_at(first.y + 1 < words.ny, word + row),
                                 open_at(first.y > 0, word - row),
                                 open_at(first.z + 1 < words.nz, word + plane),
                                 open_at(first.z > 0, word - plane)};
  const std::int64_t steps[3] = {1, words.nx, std::int64_t{words.nx} * words.ny};
  const std::uint32_t cell = words.first_cell(word);
  forest.for_parts(word, [&](std::uint32_t part, std::uint32_t bits) {
    if (holes.smallest[part] == 0) return;
    std::uint32_t low = 0xFFFFFFFFU;
    std::uint32_t high = 0;
    const auto note = [&](std::uint32_t label) {
      low = min(low, label);
      high = max(high, label);
    };
    for_bits(known == nullptr ? bits : bits & known[word], [&](int bit) {
      const Label label = given[box.offset(first) + bit];
      if (label != 0) note(label);
    });
    for (int direction = 0; direction < 6; ++direction) {
      const std::int64_t step = direction % 2 == 0 ? steps[direction / 2] : -steps[direction / 2];
      for_bits(bits & ~open[direction],
               [&](int bit) { note(alone != 0 ? alone : Label{labels[cell + bit + step]}); });
    }
    if (high != 0) holes.add(part, low, high);
  });
}

/// Parts of a grid of labels, and their holes.
template <typename E>
class LabelParts {
 public:
  LabelParts(const CellWords& words, const Stream& stream)
      : words_(words),
        stream_(stream),
        runs_(words.count(), stream),
        parent_(cells(), stream),
        smallest_(cells(), stream),
        largest_(cells(), stream),
        largest_part_(1, stream),
        open_(words.count(), stream),
        removed_(words.count(), stream) {}

  /// Finds the cells that no part that stays holds. seeds: with offsets on this grid; only those on
  /// cells of their label.
  void remove_parts(const E* labels, const PartRule& rule, const DeviceBuffer<Seed>& seeds,
                    bool needs_sizes) {
    const PartSizes sizes{smallest_.data(), largest_part_.data()};
    label_runs_kernel<<<warp_blocks(words_), kBlockSize, 0, stream_.get()>>>(labels, words_,
                                                                             runs_.data());
    check_launch(stream_.get());
    connect();
    clear_sizes_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest(), sizes);
    check_launch(stream_.get());
    if (needs_sizes) {
      const unsigned of_words = blocks_for((words_.count() + kWordsAtOnce - 1) / kWordsAtOnce);
      add_sizes_kernel<<<of_words, kBlockSize, 0, stream_.get()>>>(forest(), sizes);
      check_launch(stream_.get());
    }
    if (rule.only_largest) {
      largest_part_.fill_bytes(0, stream_);
      find_largest_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest(), sizes);
      check_launch(stream_.get());
    }
    if (seeds.size() > 0) {
      mark_seeded_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream_.get()>>>(
          seeds.data(), seeds.size(), forest(), sizes);
      check_launch(stream_.get());
    }
    open_cells_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(labels, forest(), sizes, rule,
                                                                  open_.data(), removed_.data());
    check_launch(stream_.get());
    set_runs_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(open_.data(), words_, runs_.data());
    check_launch(stream_.get());
  }

  /// Finds the parts of the open cells that are holes of one label: `alone`, or any if it is 0.
  /// given: the labels of the image, in which the grid is a box; if `alone` is 0, `labels`.
  /// foreign: seeds that no hole may hold.
  template <typename L>
  void find_holes(const E* labels, Label alone, const L* given, const BoxInImage& box,
                  const DeviceBuffer<Seed>& foreign) {
    connect();
    clear_holes_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest(), holes());
    check_launch(stream_.get());
    open_at_border_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest(), holes());
    check_launch(stream_.get());
    if (foreign.size() > 0) {
      open_at_seeds_kernel<<<blocks_for(foreign.size()), kBlockSize, 0, stream_.get()>>>(
          foreign.data(), foreign.size(), forest(), holes());
      check_launch(stream_.get());
    }
    look_around_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(
        forest(), labels, alone, alone == 0 ? removed_.data() : nullptr, given, box, holes());
    check_launch(stream_.get());
  }

  /// The open cells as runs; after find_holes() with their parts.
  [[nodiscard]] RunForest forest() { return {words_, runs_.data(), parent_.data()}; }
  [[nodiscard]] HoleLabels holes() { return {smallest_.data(), largest_.data()}; }
  /// Open cells that had a label.
  [[nodiscard]] const std::uint32_t* removed() const { return removed_.data(); }
  /// Number of blocks with a thread per word.
  [[nodiscard]] unsigned blocks() const { return blocks_for(words_.count()); }

 private:
  [[nodiscard]] std::int64_t cells() const {
    return std::int64_t{words_.nx} * words_.ny * words_.nz;
  }
  void connect() {
    make_parts_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest());
    check_launch(stream_.get());
    join_runs_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest());
    check_launch(stream_.get());
    flatten_kernel<<<blocks(), kBlockSize, 0, stream_.get()>>>(forest());
    check_launch(stream_.get());
  }

  CellWords words_;
  Stream stream_;
  DeviceBuffer<RunBits> runs_;
  DeviceBuffer<std::uint32_t> parent_;
  DeviceBuffer<std::uint32_t> smallest_;  // sizes first
  DeviceBuffer<std::uint32_t> largest_;
  DeviceBuffer<unsigned long long> largest_part_;
  DeviceBuffer<std::uint32_t> open_;
  DeviceBuffer<std::uint32_t> removed_;
};

}  // namespace seedwave::gpu
