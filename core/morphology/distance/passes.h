// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/line.h"
#include "core/morphology/distance/part_solver.h"
#include "core/parallel/context.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/ranks.h"
#include "core/parallel/run_part.h"
#include "core/parallel/shared_items.h"
#include "core/parallel/workers.h"
#include "core/wavefront/partitions/work_in_parts.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// The passes of min-plus along y, x and z.
namespace seedwave::distance {

/// Calls body(item) for the items of a part. Each thread takes items as they come, with a body of
/// its own: make(context).
///
/// Unlike parallel_for(), this allocates working memory, up to a band of rows, once per thread and
/// part, and not once per range.
template <typename Make>
void work_off(const LayerRange& part, Context& own, Make&& make) {
  std::atomic<std::int64_t> next = part.begin;
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(part.layers(), 1, own.threads()));
  run_workers(threads, [&](int) {
    auto body = make(own);
    for (std::int64_t item = next++; item < part.end; item = next++)
      body(item);
  });
}

/// Gives the rows that each rank computed in every slice to the first one. Collective.
template <typename T>
void collect_rows(Context& context, T* grid, const Index3& size) {
  const std::int64_t slice = size[0] * size[1];
  for (std::int64_t z = 0; z < size[2]; ++z)
    collect_items(context, std::span(grid + z * slice, static_cast<std::size_t>(slice)), size[1]);
}

/// Returns the number of rows of a band. A slice whose steps fit into the cache is one band; a 2-D
/// image has many.
[[nodiscard]] inline std::int64_t rows_of_band(const Index3& size) {
  constexpr std::int64_t kSliceBytes = 1 << 19;
  constexpr std::int64_t kBandRows = 64;
  const bool whole = size[2] > 1 && size[1] * filled_up(size[0], kColumnBlock) * 2 <= kSliceBytes;
  return whole ? size[1] : std::min(size[1], kBandRows);
}

/// Steps to the nearest background along each column, for bands of rows that can be processed in
/// any order. First, each band records where its columns begin and end. Then each band gets the
/// steps beyond its ends.
template <typename Step>
class Columns {
 public:
  /// `objects` is as in DistanceProblem and is borrowed. The bands of an image have no more rows
  /// than the context's layers, unless ranks share the run. Collective.
  Columns(const std::uint8_t* objects, const Index3& size, const Kernel& kernel, Context& context);

  [[nodiscard]] std::int64_t bands() const { return bands_ * size_[2]; }
  [[nodiscard]] std::int64_t row_count(std::int64_t band) const {
    return std::min(rows_, size_[1] - band % bands_ * rows_);
  }
  /// Returns the bands that hold rows of a range. Rows are numbered through all slices.
  [[nodiscard]] LayerRange bands_of(const LayerRange& rows) const {
    if (rows.layers() <= 0) return {};
    return {band_of(rows.begin), band_of(rows.end - 1) + 1};
  }
  /// Returns the rows of some bands of an image.
  [[nodiscard]] LayerRange rows_of(const LayerRange& bands) const {
    return {bands.begin * rows_, std::min(bands.end * rows_, size_[1])};
  }
  /// Returns bands as items of work.
  [[nodiscard]] WorkItems bands_in(const LayerRange& bands) const {
    return {.own = bands, .cells_each = rows_ * size_[0]};
  }
  /// Returns the number of cells needed for the steps of a band.
  [[nodiscard]] std::size_t band_cells() const { return (rows_ + 1) * stride_; }

  /// Calls start(down, up) with counts that show which columns have any background (both at least
  /// kNoneYet<Step>: none). Then calls body(row, down, up) for each row of a band, from the last to
  /// the first. Rows are numbered through all slices.
  template <typename Start, typename Body>
  void for_rows(std::int64_t band, Step* steps, Start&& start, Body&& body) const {
    const std::int64_t first = first_row(band);
    const std::int64_t count = row_count(band);
    const Step* before = above(band);
    for (std::int64_t r = 0; r < count; ++r) {
      Step* down = steps + r * stride_;
      count_row(first + r, before, down);
      before = down;
    }
    Step* up = steps + count * stride_;
    std::copy_n(below(band), stride_, up);
    start(before, up);
    for (std::int64_t r = count - 1; r >= 0; --r) {
      count_row(first + r, up, up);
      body(first + r, steps + r * stride_, up);
    }
  }

  /// Calls body(piece, bands) for pieces of at most `most` rows, if a band has no more, that
  /// together are these bands. They have no names.
  template <typename Body>
  void for_pieces(const LayerRange& bands, std::int64_t most, Body&& body) const {
    for (std::int64_t band = bands.begin; band < bands.end;) {
      const std::int64_t in_slice = (band / bands_ + 1) * bands_ - band;
      const std::int64_t slices =
          in_slice == bands_ ? std::min((bands.end - band) / bands_, most / size_[1]) : 0;
      const std::int64_t count =
          slices > 0
              ? slices * bands_
              : std::clamp<std::int64_t>(most / rows_, 1, std::min(in_slice, bands.end - band));
      const LayerRange here{band, band + count};
      body(piece_of(here), here);
      band += count;
    }
  }

 private:
  [[nodiscard]] const std::uint8_t* row(std::int64_t number) const {
    return objects_ + number * size_[0];
  }
  [[nodiscard]] std::int64_t first_row(std::int64_t band) const {
    return band / bands_ * size_[1] + band % bands_ * rows_;
  }
  [[nodiscard]] std::int64_t band_of(std::int64_t row) const {
    return row / size_[1] * bands_ + row % size_[1] / rows_;
  }
  [[nodiscard]] Step* above(std::int64_t band) { return &beyond_[2 * band * stride_]; }
  [[nodiscard]] Step* below(std::int64_t band) { return above(band) + stride_; }
  [[nodiscard]] const Step* above(std::int64_t band) const { return &beyond_[2 * band * stride_]; }
  [[nodiscard]] const Step* below(std::int64_t band) const { return above(band) + stride_; }

  void count_row(std::int64_t number, const Step* before, Step* after) const {
    if constexpr (sizeof(Step) == 2) {
      kernel_.steps.count(row(number), size_[0], before, after);
    } else {
      kernel_.steps.count_wide(row(number), size_[0], before, after);
    }
  }
  void look_beyond(Context& context);
  /// Carries counts from band to band, for a block of a slice's columns.
  void carry(std::int64_t slice, std::int64_t column, const std::vector<std::uint8_t>& firsts,
             const std::vector<std::uint8_t>& lasts);
  [[nodiscard]] RowsPiece piece_of(const LayerRange& bands) const;

  const std::uint8_t* objects_;
  Index3 size_;
  const Kernel& kernel_;
  std::int64_t stride_;
  std::int64_t rows_ = 1;
  std::int64_t bands_ = 1;
  /// For each band, the steps at the row above it and at the row below it.
  LargeArray<Step> beyond_;
};

template <typename Step>
Columns<Step>::Columns(const std::uint8_t* objects, const Index3& size, const Kernel& kernel,
                       Context& context)
    : objects_(objects), size_(size), kernel_(kernel), stride_(filled_up(size[0], kColumnBlock)) {
  rows_ = rows_of_band(size);
  // Ranks divide the same bands, and each may have other layers.
  if (size[2] == 1 && context.layers() > 0 && context.ranks() == nullptr)
    rows_ = std::min(rows_, context.layers());
  bands_ = (size[1] + rows_ - 1) / rows_;
  beyond_ = large_array<Step>(context, static_cast<std::size_t>(2 * bands() * stride_));
  // carry() writes the others.
  for (std::int64_t z = 0; z < size[2]; ++z) {
    std::fill_n(above(z * bands_), stride_, kNoneYet<Step>);
    std::fill_n(below((z + 1) * bands_ - 1), stride_, kNoneYet<Step>);
  }
  if (bands_ > 1) look_beyond(context);
}

template <typename Step>
void Columns<Step>::look_beyond(Context& context) {
  constexpr std::uint8_t kNever = 255;
  std::vector<std::uint8_t> firsts(static_cast<std::size_t>(bands() * stride_), kNever);
  std::vector<std::uint8_t> lasts(firsts.size(), 0);
  const auto mark = [&](Context& own) {
    return [&](std::int64_t band) {
      own.checkpoint(0.0);
      for (std::int64_t r = 0; r < row_count(band); ++r) {
        // Numbered from 1, because 0 means never.
        kernel_.steps.mark(row(first_row(band) + r), size_[0], static_cast<std::uint8_t>(r + 1),
                           &firsts[band * stride_], &lasts[band * stride_]);
      }
    };
  };
  run_part(context, 0.0, 0.0, [&](Context& marking) {
    for_each_part(
        bands_in(own_items(context, bands())),
        [&](const LayerRange& part, Context& own) { work_off(part, own, mark); }, marking);
  });
  share_items(context, std::span(firsts), bands());
  share_items(context, std::span(lasts), bands());
  const std::int64_t blocks = stride_ / kColumnBlock;
  parallel_for(context, size_[2] * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      carry(i / blocks, i % blocks * kColumnBlock, firsts, lasts);
  });
}

template <typename Step>
void Columns<Step>::carry(std::int64_t slice, std::int64_t column,
                          const std::vector<std::uint8_t>& firsts,
                          const std::vector<std::uint8_t>& lasts) {
  for (std::int64_t band = slice * bands_; band + 1 < (slice + 1) * bands_; ++band) {
    const std::uint8_t* last = &lasts[band * stride_ + column];
    const auto rows = static_cast<Step>(row_count(band));
    const Step* from = above(band) + column;
    Step* to = above(band + 1) + column;
    for (std::int64_t i = 0; i < kColumnBlock; ++i)
      to[i] = static_cast<Step>(last[i] != 0 ? rows - last[i] : from[i] + rows);
  }
  for (std::int64_t band = (slice + 1) * bands_ - 1; band > slice * bands_; --band) {
    const std::uint8_t* first = &firsts[band * stride_ + column];
    const auto rows = static_cast<Step>(row_count(band));
    const Step* from = below(band) + column;
    Step* to = below(band - 1) + column;
    for (std::int64_t i = 0; i < kColumnBlock; ++i)
      to[i] = static_cast<Step>(first[i] != 255 ? first[i] - 1 : from[i] + rows);
  }
}

template <typename Step>
RowsPiece Columns<Step>::piece_of(const LayerRange& bands) const {
  const std::int64_t last = bands.end - 1;
  const std::int64_t end = first_row(last) + row_count(last);
  RowsPiece piece;
  piece.first = first_row(bands.begin);
  piece.slices = last / bands_ - bands.begin / bands_ + 1;
  piece.rows = (end - piece.first) / piece.slices;
  piece.wanted = {piece.first, end};
  for (std::int64_t i = 0; i < size_[0]; ++i) {
    const Step up = above(bands.begin)[i];
    const Step down = below(last)[i];
    piece.above.push_back(up >= kNoneYet<Step> ? -kNoRow : -1 - static_cast<std::int32_t>(up));
    piece.below.push_back(down >= kNoneYet<Step> ? kNoRow
                                                 : static_cast<std::int32_t>(piece.rows + down));
  }
  return piece;
}

/// Names of background voxels: their offset, or the label at that voxel. The smaller name wins if
/// two are equally near.
struct SourceNames {
  std::int64_t columns = 0;
  LabelSpan labels{};  // empty: names are offsets

  /// Returns the name of the nearer of two voxels: `down` rows above and `up` rows below. At least
  /// one exists.
  [[nodiscard]] std::int64_t name(std::int64_t row, std::int64_t column, int down, int up) const {
    const std::int64_t above = (row - down) * columns + column;
    const std::int64_t below = (row + up) * columns + column;
    if (labels.empty()) return down <= up ? above : below;
    const auto label = [&](std::int64_t at) { return labels[static_cast<std::size_t>(at)]; };
    if (down != up) return label(down < up ? above : below);
    return std::min(label(above), label(below));
  }
};

/// The pass along x, row by row, of one worker.
template <typename Cell>
class RowPass {
 public:
  using Value = ValueOf<Cell>;
  using Step = StepOf<Cell>;

  RowPass(const Kernel& kernel, std::int64_t columns, const StepSquares<Cell>& squares,
          double column_weight, const SourceNames& names)
      : kernel_(kernel),
        squares_(squares),
        column_weight_(column_weight),
        names_(names),
        columns_(columns),
        cells_(static_cast<std::size_t>(filled_up(columns, kColumnBlock) + 2 * kMargin),
               kUnknown<Cell>),
        least_(static_cast<std::size_t>(filled_up(columns, kColumnBlock))),
        far_(least_.size() / kBlock<Cell>),
        places_(static_cast<std::size_t>(columns + kFarBlock)),
        values_(places_.size()),
        line_(kernel, squares, columns) {}

  /// Sets which columns have any background, for the rows that follow.
  void know(const Step* down, const Step* up) {
    known_.clear();
    for (std::int64_t i = 0; i < columns_; ++i) {
      if (std::min(down[i], up[i]) >= kNoneYet<Step>) continue;
      places_[known_.size()] = static_cast<Value>(i);
      known_.push_back(static_cast<std::int32_t>(i));
    }
  }

  /// Calls write(squares, count, x) for parts of the row, or zeros() if it is all background.
  template <typename Write, typename Zeros>
  void solve(std::int64_t row, const Step* down, const Step* up, Write&& write, Zeros&& zeros) {
    Cell* cells = cells_.data() + kMargin;
    const bool all_zero = !square(row, down, up, cells);
    if (all_zero && !std::is_same_v<Cell, std::int64_t>) return zeros();  // i64 zeros have names
    // If few columns have any background, the line is too sparse for near() to pay.
    if (static_cast<double>(known_.size()) < kFewColumns * static_cast<double>(columns_)) {
      return write(solve_far(down, up, 0, columns_), columns_, std::int64_t{0});
    }
    // Counts beyond the row belong to voxels that do not exist.
    std::fill(cells + columns_, cells + least_.size(), kUnknown<Cell>);
    const std::int64_t blocks = (columns_ + kBlock<Cell> - 1) / kBlock<Cell>;
    const bool any_far =
        near_of<Cell>(kernel_).near(cells, blocks, 1, squares_.near(), least_.data(), far_.data());
    if (!any_far) return write(std::as_const(least_).data(), columns_, std::int64_t{0});
    for (std::int64_t b = 0; b < blocks;) {
      const std::int64_t start = b;
      while (b < blocks && far_[b] == far_[start])
        ++b;
      const std::int64_t first = start * kBlock<Cell>;
      const std::int64_t last = std::min(b * kBlock<Cell>, columns_);
      if (far_[start] == 0) {
        write(std::as_const(least_).data() + first, last - first, first);
      } else {
        write(solve_far(down, up, first, last), last - first, first);
      }
    }
  }

 private:
  static constexpr double kFewColumns = 0.3;

  bool square(std::int64_t row, const Step* down, const Step* up, Cell* cells) {
    if constexpr (std::is_same_v<Cell, std::uint16_t>) {
      return kernel_.steps.square(down, up, columns_, cells);
    } else {
      unsigned all = 0;
      for (std::int64_t i = 0; i < columns_; ++i) {
        const Step steps = std::min(down[i], up[i]);
        all |= steps;
        cells[i] =
            steps < kNoneYet<Step> ? cell_of<Cell>(column_weight_ * steps * steps) : kUnknown<Cell>;
        if constexpr (std::is_same_v<Cell, std::int64_t>) {
          if (steps < kNoneYet<Step>) cells[i] |= names_.name(row, i, down[i], up[i]);
        }
      }
      return all != 0;
    }
  }

  /// Cells before and after a stretch of far blocks were resolved within kReach steps, and the
  /// position of the nearest cell never decreases. So nothing more than kMargin cells from the
  /// stretch matters.
  const Value* solve_far(const Step* down, const Step* up, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = std::max<std::int64_t>(first - kMargin, 0);
    const std::int64_t end = std::min(last + kMargin, columns_);
    std::int64_t from = begin;
    std::int64_t count = end - begin;
    if (static_cast<std::int64_t>(known_.size()) < columns_) {
      const auto at_begin = std::lower_bound(known_.begin(), known_.end(), begin);
      from = at_begin - known_.begin();
      count = std::lower_bound(at_begin, known_.end(), end) - at_begin;
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t column = known_[from + i];
        if constexpr (std::is_same_v<Cell, std::uint16_t>) {
          const int steps = std::min(down[column], up[column]);
          values_[i] = steps * steps;
        } else {
          values_[i] = cells_[kMargin + column];
        }
      }
    } else if constexpr (std::is_same_v<Cell, std::uint16_t>) {
      kernel_.steps.square_wide(down + begin, up + begin, count, values_.data());
    } else {
      std::copy_n(cells_.data() + kMargin + begin, count, values_.data());
    }
    std::fill_n(values_.begin() + count, kFarBlock / 2, kUnknown<Value>);
    return line_.solve({places_.data() + from, values_.data(), count}, first, last);
  }

  const Kernel& kernel_;
  const StepSquares<Cell>& squares_;
  double column_weight_;
  SourceNames names_;
  std::int64_t columns_;
  std::vector<Cell> cells_;
  std::vector<Cell> least_;
  std::vector<std::uint8_t> far_;
  std::vector<std::int32_t> known_;
  std::vector<Value> places_;  // the same, in the form for far()
  std::vector<Value> values_;
  FarLine<Cell> line_;
};

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
