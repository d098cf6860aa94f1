// SPDX-License-Identifier: Apache-2.0
// Included once without and once with AVX2. Everything here has internal linkage.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/morphology/linear/kernel.h"

#include <utility>

namespace seedwave::linear {
namespace {

/// An opening's view of cells. A closing's is the same with inverted order.
template <typename Cell, LineFilter filter>
struct Sense {
  static constexpr bool kOpens = filter == LineFilter::Opening;
  /// std::numeric_limits is shared with other files, and must not be compiled for AVX2.
  static constexpr Cell kMost = static_cast<Cell>(-1) > 0
                                    ? static_cast<Cell>(-1)
                                    : static_cast<Cell>((1ULL << (8 * sizeof(Cell) - 1)) - 1);
  static constexpr Cell kLeast = static_cast<Cell>(~kMost);
  static constexpr Cell kNever = kOpens ? kLeast : kMost;
  static constexpr Cell kAlways = kOpens ? kMost : kLeast;

  template <typename V>
  SEEDWAVE_INLINE static V all_of(const V& a, const V& b) {
    return kOpens ? lesser(a, b) : greater(a, b);
  }
  template <typename V>
  SEEDWAVE_INLINE static V one_of(const V& a, const V& b) {
    return kOpens ? greater(a, b) : lesser(a, b);
  }
};

/// Replaces weaker answers by `answer`, and their numbers by `number`.
template <typename Cell, LineFilter filter>
SEEDWAVE_INLINE void keep(const typename VectorOf<Cell>::Type& answer, Number<Cell> number,
                          Cell* strongest, Number<Cell>* numbers) {
  using V = typename VectorOf<Cell>::Type;
  const V before = load<V>(strongest);
  const V now = Sense<Cell, filter>::one_of(answer, before);
  store(strongest, now);
  store(numbers, now == before ? load<V>(numbers) : V{} + number);
}

enum class Answers { Written, Kept };

template <typename Cell, LineFilter filter, Answers answers>
struct StripKernel {
  using S = Sense<Cell, filter>;
  using V = typename VectorOf<Cell>::Type;
  static constexpr int kVectors = kStripBytes / kVectorBytes;
  static constexpr std::int64_t kRow = kStripLanes<Cell>;
  SEEDWAVE_INLINE static void fill(V* lanes, Cell value) {
    for (int v = 0; v < kVectors; ++v)
      lanes[v] = V{} + value;
  }
  SEEDWAVE_INLINE static V at(const Cell* row, int v) { return load<V>(row + v * kLanes<Cell>); }
  SEEDWAVE_INLINE static void put(Cell* row, int v, const V& lanes) {
    store(row + v * kLanes<Cell>, lanes);
  }
  SEEDWAVE_INLINE static void fetch(const Cell* row) {
    for (int line = 0; line < kStripBytes; line += 64)
      __builtin_prefetch(row + line / static_cast<int>(sizeof(Cell)));
  }

  /// Works block by block. `windows` first holds the extreme of each window within its own block,
  /// from its beginning to the block's end, then that of the whole window. `after` holds the
  /// strongest of the windows in the previous block from each one to the block's end, followed by
  /// one that never counts.
  static void open(const Strip<Cell>& strip) {
    Cell* windows = strip.memory;
    Cell* after = strip.memory + strip.length * kRow;
    V lanes[kVectors];
    fill(lanes, S::kAlways);
    for (std::int64_t r = strip.length - 1; r >= 0; --r) {
      for (int v = 0; v < kVectors; ++v)
        put(windows + r * kRow, v, lanes[v] = S::all_of(lanes[v], at(strip.rows[r], v)));
    }
    fill(lanes, S::kNever);
    for (std::int64_t r = 0; r <= strip.length; ++r) {
      for (int v = 0; v < kVectors; ++v)
        put(after + r * kRow, v, lanes[v]);
    }
    for (std::int64_t block = 0; block < strip.blocks; ++block) {
      forward(strip, block * strip.length, windows, after);
      if (block + 1 < strip.blocks) backward(strip, block * strip.length, windows, after);
    }
  }

  static void forward(const Strip<Cell>& strip, std::int64_t first, Cell* windows,
                      const Cell* after) {
    const Cell* const* next = strip.rows + first + strip.length;
    Cell* const* opened = strip.opened + first;
    const Cell* const* limits = strip.limits + first;
    V begun[kVectors];  // extreme of the next block's rows so far
    V best[kVectors];   // strongest of this block's windows so far
    fill(begun, S::kAlways);
    fill(best, S::kNever);
    const std::int64_t length = strip.length;  // local: stores could alias the member
    const std::int64_t first_answer = strip.first - first;
    const std::int64_t last_answer = strip.last - first;
    const std::ptrdiff_t beside = strip.beside;
    const Number<Cell> number = strip.number;
    for (std::int64_t r = 0; r < length; ++r) {
      Cell* window = windows + r * kRow;
      const Cell* earlier = after + (r + 1) * kRow;
      const Cell* row = next[r];
      const Cell* limit = limits[r];
      Cell* answer = opened[r];
      const bool is_wanted = r >= first_answer && r < last_answer;
      fetch(next[r + kAhead]);
      V counts[kVectors];
      for (int v = 0; v < kVectors; ++v)
        counts[v] = S::all_of(at(window, v), begun[v]);
      if (limit != nullptr) {
        for (int v = 0; v < kVectors; ++v)
          counts[v] = S::all_of(counts[v], at(limit, v));
      }
      for (int v = 0; v < kVectors; ++v) {
        begun[v] = S::all_of(begun[v], at(row, v));
        best[v] = S::one_of(best[v], counts[v]);
        put(window, v, counts[v]);
        if (!is_wanted) continue;
        const V strongest = S::one_of(best[v], at(earlier, v));
        if constexpr (answers == Answers::Kept) {
          Cell* place = answer + v * kLanes<Cell>;
          keep<Cell, filter>(strongest, number, place, place + beside);
        } else {
          put(answer, v, strongest);
        }
      }
    }
  }

  static void backward(const Strip<Cell>& strip, std::int64_t first, Cell* windows, Cell* after) {
    const Cell* const* next = strip.rows + first + strip.length;
    V ending[kVectors];  // extreme of the next block's rows from here on
    V best[kVectors];    // strongest of this block's windows from here on
    fill(ending, S::kAlways);
    fill(best, S::kNever);
    for (std::int64_t r = strip.length - 1; r >= 0; --r) {
      Cell* window = windows + r * kRow;
      const Cell* row = next[r];
      for (int v = 0; v < kVectors; ++v) {
        best[v] = S::one_of(best[v], at(window, v));
        ending[v] = S::all_of(ending[v], at(row, v));
        put(after + r * kRow, v, best[v]);
        put(window, v, ending[v]);
      }
    }
  }
};

template <typename Cell, LineFilter filter>
struct RowKernel {
  using S = Sense<Cell, filter>;
  using V = typename VectorOf<Cell>::Type;

  struct AllOf {
    SEEDWAVE_INLINE static V of(const V& a, const V& b) { return S::all_of(a, b); }
  };
  struct OneOf {
    SEEDWAVE_INLINE static V of(const V& a, const V& b) { return S::one_of(a, b); }
  };

  using Lanes = std::make_integer_sequence<int, kLanes<Cell>>;
  /// Returns the lanes `by` positions further on in two adjacent vectors.
  template <int by, int... lane>
  SEEDWAVE_INLINE static V ahead(const V& a, const V& b, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, b, (lane + by)...);
  }

  /// Takes a row's vectors one after the other. Returns at each cell the extreme of `width` cells
  /// from it on, kBehind vectors later.
  template <typename Pick, int width>
  struct Doubled {
    static constexpr int kBehind = Doubled<Pick, width / 2>::kBehind + 1;
    Doubled<Pick, width / 2> halves;
    V last{};
    SEEDWAVE_INLINE V next(const V& cells) {
      const V half = halves.next(cells);
      const V picked = Pick::of(last, ahead<width / 2>(last, half, Lanes{}));
      last = half;
      return picked;
    }
  };
  template <typename Pick>
  struct Doubled<Pick, 1> {
    static constexpr int kBehind = 0;
    SEEDWAVE_INLINE V next(const V& cells) { return cells; }
  };

  /// Sets to[i] = the extreme of from[i .. i + width - 1], in registers.
  template <typename Pick, int width>
  static void begin(const Cell* from, std::int64_t count, Cell* to) {
    Doubled<Pick, width> doubled;
    constexpr std::int64_t kFirst = std::int64_t{doubled.kBehind} * kLanes<Cell>;
    for (std::int64_t i = 0; i < kFirst; i += kLanes<Cell>)
      doubled.next(load<V>(from + i));
    for (std::int64_t i = 0; i < count; i += kLanes<Cell>)
      store(to + i, doubled.next(load<V>(from + i + kFirst)));
  }
  /// Uses the largest width below the length that a vector holds.
  template <typename Pick, int width = kLanes<Cell>>
  static std::int64_t begin_below(std::int64_t length, const Cell* from, std::int64_t count,
                                  Cell* to) {
    if constexpr (width > 2) {
      if (width >= length) return begin_below<Pick, width / 2>(length, from, count, to);
    }
    begin<Pick, width>(from, count + length - width, to);
    return width;
  }

  /// Returns the extreme of from[0], from[step], .. over all steps, for each lane.
  template <typename Pick, typename... Steps>
  SEEDWAVE_INLINE static V of_some(const Cell* from, Steps... steps) {
    V picked = load<V>(from);
    ((picked = Pick::of(picked, load<V>(from + steps))), ...);
    return picked;
  }

  /// Sets to[i] = of_some(from + i) for i < count, and no cell beyond if count is at least kLanes.
  template <typename Pick, typename... Steps>
  SEEDWAVE_INLINE static void finish(const Cell* from, std::int64_t count, Cell* to,
                                     Steps... steps) {
    std::int64_t i = 0;
    for (; i + kLanes<Cell> <= count; i += kLanes<Cell>)
      store(to + i, of_some<Pick>(from + i, steps...));
    if (i < count) {
      i = i == 0 ? 0 : count - kLanes<Cell>;
      store(to + i, of_some<Pick>(from + i, steps...));
    }
  }

  /// Sets to[i] = the extreme of from[i .. i + length - 1], i < count, using `between`.
  template <typename Pick>
  SEEDWAVE_INLINE static void run(const Cell* from, std::int64_t length, std::int64_t count,
                                  Cell* between, Cell* to) {
    std::int64_t width = 1;
#ifdef SEEDWAVE_FOR_AVX2
    // Without AVX2, vectors are shifted by a few lanes one lane at a time.
    if (length > 4) {
      width = begin_below<Pick>(length, from, count, between);
      from = between;
    }
#endif
    // Each step needs fewer cells to the right than the previous one.
    for (; 4 * width < length; width *= 4) {
      const std::int64_t needed = count + length - 4 * width;
      for (std::int64_t i = 0; i < needed; i += kLanes<Cell>)
        store(between + i, of_some<Pick>(from + i, width, 2 * width, 3 * width));
      from = between;  // in place: a cell is written after all later ones have been read
    }
    const std::int64_t last = length - width;
    if (last <= width) {
      finish<Pick>(from, count, to, last);
    } else if (last <= 2 * width) {
      finish<Pick>(from, count, to, width, last);
    } else {
      finish<Pick>(from, count, to, width, 2 * width, last);
    }
  }

  static void open(const Row<Cell>& row) {
    const std::int64_t windows = row.front + row.count + row.behind - row.length + 1;
    const std::int64_t room = row.front + row.count + row.behind + row.length + kRowRoom;
    Cell* between = row.memory;
    Cell* counts = row.memory + room;
    // Windows that contain the row's first cell begin length - 1 before it, at front + 1 - length.
    const std::int64_t before = row.length - 1 - row.front;
    for (std::int64_t i = 0; i < before; ++i)
      counts[i] = S::kNever;
    Cell* first = counts + before;
    if (windows > 0) run<AllOf>(row.cells, row.length, windows, between, first);
    const std::int64_t needed = row.count + row.length - 1 - before;
    for (std::int64_t i = windows > 0 ? windows : 0; i < needed; ++i)
      first[i] = S::kNever;
    const bool fits = row.count >= kLanes<Cell>;
    run<OneOf>(counts, row.length, row.count, between, fits ? row.opened : between);
    for (std::int64_t i = 0; !fits && i < row.count; ++i)
      row.opened[i] = between[i];
  }
};

template <typename Cell, LineFilter filter>
void keep_stronger(const Cell* answers, std::int64_t count, Number<Cell> number, Cell* strongest,
                   Number<Cell>* numbers) {
  using S = Sense<Cell, filter>;
  using V = typename VectorOf<Cell>::Type;
  const auto keep_at = [&](std::int64_t i) {
    keep<Cell, filter>(load<V>(answers + i), number, strongest + i, numbers + i);
  };
  std::int64_t i = 0;
  for (; i + kLanes<Cell> <= count; i += kLanes<Cell>)
    keep_at(i);
  if (i < count && count >= kLanes<Cell>) {
    keep_at(count - kLanes<Cell>);  // keeping an answer twice changes nothing
    return;
  }
  for (; i < count; ++i) {
    if (S::kOpens ? answers[i] <= strongest[i] : answers[i] >= strongest[i]) continue;
    strongest[i] = answers[i];
    numbers[i] = number;
  }
}

template <typename Cell, LineFilter filter>
void merge(const Cell* others, const Number<Cell>* others_numbers, std::int64_t count,
           Cell* strongest, Number<Cell>* numbers) {
  using V = typename VectorOf<Cell>::Type;
  for (std::int64_t i = 0; i < count; i += kLanes<Cell>) {
    const V a = load<V>(strongest + i);
    const V b = load<V>(others + i);
    const V first = load<V>(numbers + i);
    const V second = load<V>(others_numbers + i);
    const V now = Sense<Cell, filter>::one_of(a, b);
    const V of_equal = lesser(first, second);
    store(strongest + i, now);
    store(numbers + i, a == b ? of_equal : (now == a ? first : second));
  }
}

/// Rows of half a vector: transposes two blocks at once, one in each half.
template <typename Cell>
struct Transposer {
  using V = typename VectorOf<Cell>::Type;
  using Half = typename VectorOf<Cell>::Half;
  static constexpr int kSide = kLanes<Cell> / 2;

  using Lanes = std::make_integer_sequence<int, kLanes<Cell>>;
  /// Returns the lane index for interleaving, where the second vector's lanes follow those of the
  /// first. Each half gets pairs from the `part`th quarter of both.
  static constexpr int paired(int lane, int part) {
    const int in_half = lane % kSide;
    return lane % 2 * kLanes<Cell> + lane / kSide * kSide + part * kSide / 2 + in_half / 2;
  }

  template <int part, int... lane>
  SEEDWAVE_INLINE static V pairs(const V& a, const V& b, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, b, paired(lane, part)...);
  }
  template <int... lane>
  SEEDWAVE_INLINE static V joined(const Half& low, const Half& high,
                                  std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(low, high, lane...);
  }

  /// Transposes 2 * kSide rows of kSide columns. Interleaves the first half of the registers with
  /// the second log2(kSide) times. Not inlined: a loop around it would keep the address of each
  /// row, and in memory, which took a third longer.
  [[gnu::noinline]] static void block(const Cell* from, std::ptrdiff_t from_stride, Cell* to,
                                      std::ptrdiff_t to_stride) {
    V rows[kSide];
    for (int r = 0; r < kSide; ++r)
      rows[r] = joined(load<Half>(from + r * from_stride),
                       load<Half>(from + (r + kSide) * from_stride), Lanes{});
    for (int width = 1; width < kSide; width *= 2) {
      V mixed[kSide];
      for (int r = 0; r < kSide / 2; ++r) {
        mixed[2 * r] = pairs<0>(rows[r], rows[r + kSide / 2], Lanes{});
        mixed[2 * r + 1] = pairs<1>(rows[r], rows[r + kSide / 2], Lanes{});
      }
      for (int r = 0; r < kSide; ++r)
        rows[r] = mixed[r];
    }
    for (int r = 0; r < kSide; ++r)
      store(to + r * to_stride, rows[r]);
  }

  /// Transposes a multiple of kSide columns and of kLanes rows.
  static void blocks(const Cell* from, std::ptrdiff_t from_stride, std::int64_t columns,
                     std::int64_t rows, Cell* to, std::ptrdiff_t to_stride) {
    for (std::int64_t x = 0; x < columns; x += kSide) {
      for (std::int64_t y = 0; y < rows; y += kLanes<Cell>)
        block(from + x + y * from_stride, from_stride, to + y + x * to_stride, to_stride);
    }
  }

  static void plain(const Cell* from, std::ptrdiff_t from_stride, std::int64_t columns,
                    std::int64_t rows, Cell* to, std::ptrdiff_t to_stride) {
    for (std::int64_t x = 0; x < columns; ++x) {
      for (std::int64_t y = 0; y < rows; ++y)
        to[y + x * to_stride] = from[x + y * from_stride];
    }
  }

  /// Number of cells in a cache line.
  static constexpr int kLine = 2 * kLanes<Cell>;

  SEEDWAVE_INLINE static void copy_line(const Cell* from, Cell* to) {
    store(to, load<V>(from));
    store(to + kLanes<Cell>, load<V>(from + kLanes<Cell>));
  }

  /// Transposes a square of whole cache lines through contiguous memory, so each is read and
  /// written once. Rows of an image may all map to the same cache set.
  static void square(const Cell* from, std::ptrdiff_t from_stride, Cell* to,
                     std::ptrdiff_t to_stride) {
    alignas(64) Cell rows[kLine * kLine];
    alignas(64) Cell columns[kLine * kLine];
    for (int y = 0; y < kLine; ++y) {
      // The square to the right is next.
      __builtin_prefetch(from + y * from_stride + kLine, 0, 2);
      __builtin_prefetch(to + (y + kLine) * to_stride, 0, 2);
      copy_line(from + y * from_stride, rows + y * kLine);
    }
    for (int y = 0; y < kLine; y += kLanes<Cell>) {
      for (int x = 0; x < kLine; x += kSide)
        block(rows + x + y * kLine, kLine, columns + y + x * kLine, kLine);
    }
    for (int x = 0; x < kLine; ++x)
      copy_line(columns + x * kLine, to + x * to_stride);
  }

  static void run(const Cell* from, std::ptrdiff_t from_stride, std::int64_t columns,
                  std::int64_t rows, Cell* to, std::ptrdiff_t to_stride) {
    const std::int64_t whole_rows = rows / kLine * kLine;
    const std::int64_t whole_columns = columns / kLine * kLine;
    for (std::int64_t y = 0; y < whole_rows; y += kLine) {
      for (std::int64_t x = 0; x < whole_columns; x += kLine)
        square(from + x + y * from_stride, from_stride, to + y + x * to_stride, to_stride);
      plain(from + whole_columns + y * from_stride, from_stride, columns - whole_columns, kLine,
            to + y + whole_columns * to_stride, to_stride);
    }
    plain(from + whole_rows * from_stride, from_stride, columns, rows - whole_rows, to + whole_rows,
          to_stride);
  }
};

template <typename Cell, LineFilter filter>
constexpr Kernel<Cell> kKernel{StripKernel<Cell, filter, Answers::Written>::open,
                               StripKernel<Cell, filter, Answers::Kept>::open,
                               RowKernel<Cell, filter>::open, keep_stronger<Cell, filter>,
                               merge<Cell, filter>};

template <typename Cell>
constexpr Kernels<Cell> kKernels{kKernel<Cell, LineFilter::Opening>,
                                 kKernel<Cell, LineFilter::Closing>, Transposer<Cell>::run,
                                 Transposer<Cell>::blocks};

constexpr KernelSet kKernelSet{kKernels<std::uint8_t>, kKernels<std::uint16_t>,
                               kKernels<std::int32_t>};

}  // namespace
}  // namespace seedwave::linear
