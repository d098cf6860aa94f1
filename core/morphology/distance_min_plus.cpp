// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance.h"
#include "core/morphology/distance/kernel.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/large_memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

using namespace distance;

/// What far() works on where near() works on Cell.
template <typename Cell>
using ValueOf = std::conditional_t<std::is_same_v<Cell, std::uint16_t>, std::int32_t, Cell>;

template <typename Cell>
const NearKernel<Cell>& near_of(const Kernel& kernel) {
  if constexpr (std::is_same_v<Cell, std::uint16_t>)
    return kernel.near_u16;
  else if constexpr (std::is_same_v<Cell, std::int32_t>)
    return kernel.near_i32;
  else
    return kernel.near_f64;
}
template <typename Value>
const FarKernel<Value>& far_of(const Kernel& kernel) {
  if constexpr (std::is_same_v<Value, std::int32_t>)
    return kernel.far_i32;
  else
    return kernel.far_f64;
}

constexpr std::int64_t filled_up(std::int64_t count, std::int64_t block) {
  return (count + block - 1) / block * block;
}

/// Columns are filled up to whole blocks of every cell type, and of bytes.
constexpr std::int64_t kColumnBlock = 64;
/// Cells beyond each end of a line.
constexpr std::int64_t kMargin = 64;
static_assert(kMargin > kReach);
/// far() writes up to so many places more than it is asked for.
constexpr std::int64_t kFarBlock = 64;

/// The squares of steps along one axis, for near() and far().
template <typename Cell>
class StepSquares {
 public:
  using Value = ValueOf<Cell>;

  StepSquares(double weight, std::int64_t length)
      : weight_(static_cast<Value>(weight)), length_(length) {
    for (int k = 0; k <= kReach + 1; ++k)
      near_[k] = static_cast<Cell>(weight * k * k);
    far_.resize(static_cast<std::size_t>(2 * length + kFarBlock));
    for (std::int64_t k = -length; k < length + kFarBlock; ++k) {
      // Beyond the line nobody reads what comes of it.
      const auto steps = static_cast<double>(std::min(k, length));
      far_[static_cast<std::size_t>(k + length)] = static_cast<Value>(weight * steps * steps);
    }
  }
  [[nodiscard]] const Cell* near() const { return near_; }
  [[nodiscard]] const Value* far() const { return far_.data() + length_; }
  [[nodiscard]] Value weight() const { return weight_; }

 private:
  Value weight_;
  std::int64_t length_;
  Cell near_[kReach + 2];
  std::vector<Value> far_;
};

/// What far() needs around a line's candidates.
template <typename Cell>
class FarLine {
 public:
  using Value = ValueOf<Cell>;

  FarLine(const Kernel& kernel, const StepSquares<Cell>& squares, std::int64_t length)
      : kernel_(kernel), squares_(squares), best_(length + kFarBlock), least_(length + kFarBlock) {}

  const Value* solve(const Candidates<Value>& candidates, std::int64_t first, std::int64_t last) {
    far_of<Value>(kernel_).far(candidates, first, last, squares_.weight(), squares_.far(),
                               best_.data(), least_.data());
    return least_.data();
  }

 private:
  const Kernel& kernel_;
  const StepSquares<Cell>& squares_;
  std::vector<std::int32_t> best_;
  std::vector<Value> least_;
};

/// Writes squares in the form that was asked for.
struct Writer {
  const Kernel& kernel;
  DistanceForm form;
  double unit;
  float* reals;
  std::int32_t* wholes;

  void write(const std::uint16_t* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_u16(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  void write(const std::int32_t* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_i32(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  void write(const double* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_f64(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  void write_zeros(std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::SquareInVoxels) {
      std::fill_n(wholes + at, count, 0);
    } else {
      std::fill_n(reals + at, count, 0.0F);
    }
  }

 private:
  template <typename Square>
  void write_squares(const Square* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::SquareInVoxels) {
      for (std::int64_t i = 0; i < count; ++i)
        wholes[at + i] = squares[i] < kUnknown<Square> ? static_cast<std::int32_t>(squares[i]) : -1;
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto square = static_cast<float>(unit * unit * static_cast<double>(squares[i]));
      reals[at + i] = squares[i] < kUnknown<Square> ? square : __builtin_huge_valf();
    }
  }
};

/// Steps to the nearest background along each column, for bands of rows that can be worked on in
/// any order: first every band notes where its columns begin and end, then each knows what lies
/// beyond it.
class Columns {
 public:
  Columns(const std::uint8_t* objects, const Index3& size, const Kernel& kernel, Context& context)
      : objects_(objects), size_(size), kernel_(kernel), stride_(filled_up(size[0], kColumnBlock)) {
    // A slice whose steps fit into the cache is one band; a picture has many.
    constexpr std::int64_t kSliceBytes = 1 << 19;
    constexpr std::int64_t kBandRows = 64;
    const bool whole = size[2] > 1 && size[1] * stride_ * 2 <= kSliceBytes;
    rows_ = whole ? size[1] : std::min<std::int64_t>(size[1], kBandRows);
    bands_ = (size[1] + rows_ - 1) / rows_;
    beyond_.assign(static_cast<std::size_t>(2 * size[2] * bands_ * stride_), kNoneYet);
    if (bands_ > 1) look_beyond(context);
  }
  [[nodiscard]] std::int64_t bands() const { return bands_ * size_[2]; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  /// Room for the steps of a band.
  [[nodiscard]] std::size_t band_cells() const { return (rows_ + 1) * stride_; }

  /// Calls start(down, up) with what tells which columns have any background at all (kNoneYet and
  /// more in both: none), then body(row, down, up) for each row of a band, from the last to the
  /// first; rows are counted through all slices.
  template <typename Start, typename Body>
  void for_rows(std::int64_t band, std::uint16_t* steps, Start&& start, Body&& body) const {
    const std::int64_t first = first_row(band);
    const std::int64_t count = row_count(band);
    const std::uint16_t* before = above(band);
    for (std::int64_t r = 0; r < count; ++r) {
      std::uint16_t* down = steps + r * stride_;
      kernel_.steps.count(row(first + r), size_[0], before, down);
      before = down;
    }
    std::uint16_t* up = steps + count * stride_;
    std::copy_n(below(band), stride_, up);
    start(before, up);
    for (std::int64_t r = count - 1; r >= 0; --r) {
      kernel_.steps.count(row(first + r), size_[0], up, up);
      body(first + r, steps + r * stride_, up);
    }
  }

 private:
  [[nodiscard]] const std::uint8_t* row(std::int64_t number) const {
    return objects_ + number * size_[0];
  }
  [[nodiscard]] std::int64_t first_row(std::int64_t band) const {
    return band / bands_ * size_[1] + band % bands_ * rows_;
  }
  [[nodiscard]] std::int64_t row_count(std::int64_t band) const {
    return std::min(rows_, size_[1] - band % bands_ * rows_);
  }
  [[nodiscard]] std::uint16_t* above(std::int64_t band) { return &beyond_[2 * band * stride_]; }
  [[nodiscard]] std::uint16_t* below(std::int64_t band) { return above(band) + stride_; }
  [[nodiscard]] const std::uint16_t* above(std::int64_t band) const {
    return &beyond_[2 * band * stride_];
  }
  [[nodiscard]] const std::uint16_t* below(std::int64_t band) const {
    return above(band) + stride_;
  }

  void look_beyond(Context& context) {
    constexpr std::uint8_t kNever = 255;
    std::vector<std::uint8_t> firsts(static_cast<std::size_t>(bands() * stride_), kNever);
    std::vector<std::uint8_t> lasts(firsts.size(), 0);
    parallel_for(context, bands(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t band = begin; band < end; ++band) {
        context.checkpoint(0.0);
        for (std::int64_t r = 0; r < row_count(band); ++r) {
          // Counted from 1: 0 is never.
          kernel_.steps.mark(row(first_row(band) + r), size_[0], static_cast<std::uint8_t>(r + 1),
                             &firsts[band * stride_], &lasts[band * stride_]);
        }
      }
    });
    parallel_for(context, size_[2], 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t slice = begin; slice < end; ++slice)
        carry(slice, firsts, lasts);
    });
  }

  void carry(std::int64_t slice, const std::vector<std::uint8_t>& firsts,
             const std::vector<std::uint8_t>& lasts) {
    for (std::int64_t band = slice * bands_; band + 1 < (slice + 1) * bands_; ++band) {
      const std::uint8_t* last = &lasts[band * stride_];
      const auto rows = static_cast<std::uint16_t>(row_count(band));
      const std::uint16_t* from = above(band);
      std::uint16_t* to = above(band + 1);
      for (std::int64_t i = 0; i < stride_; ++i)
        to[i] = static_cast<std::uint16_t>(last[i] != 0 ? rows - last[i] : from[i] + rows);
    }
    for (std::int64_t band = (slice + 1) * bands_ - 1; band > slice * bands_; --band) {
      const std::uint8_t* first = &firsts[band * stride_];
      const auto rows = static_cast<std::uint16_t>(row_count(band));
      const std::uint16_t* from = below(band);
      std::uint16_t* to = below(band - 1);
      for (std::int64_t i = 0; i < stride_; ++i)
        to[i] = static_cast<std::uint16_t>(first[i] != 255 ? first[i] - 1 : from[i] + rows);
    }
  }

  const std::uint8_t* objects_;
  Index3 size_;
  const Kernel& kernel_;
  std::int64_t stride_;
  std::int64_t rows_ = 1;
  std::int64_t bands_ = 1;
  /// For each band the steps at the row above it and at the row below it.
  std::vector<std::uint16_t> beyond_;
};

/// The pass along x, row by row, of one worker.
template <typename Cell>
class RowPass {
 public:
  using Value = ValueOf<Cell>;

  RowPass(const Kernel& kernel, std::int64_t columns, const StepSquares<Cell>& squares,
          double column_weight)
      : kernel_(kernel),
        squares_(squares),
        column_weight_(column_weight),
        columns_(columns),
        cells_(static_cast<std::size_t>(filled_up(columns, kColumnBlock) + 2 * kMargin),
               kUnknown<Cell>),
        least_(static_cast<std::size_t>(filled_up(columns, kColumnBlock))),
        far_(least_.size() / kBlock<Cell>),
        places_(static_cast<std::size_t>(columns + kFarBlock)),
        values_(places_.size()),
        line_(kernel, squares, columns) {}

  /// For the rows that follow: which columns have any background.
  void know(const std::uint16_t* down, const std::uint16_t* up) {
    known_.clear();
    for (std::int64_t i = 0; i < columns_; ++i) {
      if (std::min(down[i], up[i]) >= kNoneYet) continue;
      places_[known_.size()] = static_cast<Value>(i);
      known_.push_back(static_cast<std::int32_t>(i));
    }
  }

  /// Calls write(squares, count, x) for pieces of the row, or zeros(): nothing but background.
  template <typename Write, typename Zeros>
  void solve(const std::uint16_t* down, const std::uint16_t* up, Write&& write, Zeros&& zeros) {
    // Where few columns have any background, a line is too empty to be worth looking near by.
    if (static_cast<double>(known_.size()) < kFewColumns * static_cast<double>(columns_)) {
      return write(solve_far(down, up, 0, columns_), columns_, std::int64_t{0});
    }
    Cell* cells = cells_.data() + kMargin;
    if (!square(down, up, cells)) return zeros();
    // Beyond the row counts are of voxels that are not there.
    std::fill(cells + columns_, cells + least_.size(), kUnknown<Cell>);
    const std::int64_t blocks = (columns_ + kBlock<Cell> - 1) / kBlock<Cell>;
    const bool any_far = near_of<Cell>(kernel_).near(
        cells, blocks, 1, squares_.near(), squares_.near()[kGiveUp], least_.data(), far_.data());
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
  /// In rows far() is faster for what looks farther than so many steps.
  static constexpr int kGiveUp = 40;
  static constexpr double kFewColumns = 0.3;

  bool square(const std::uint16_t* down, const std::uint16_t* up, Cell* cells) {
    if constexpr (std::is_same_v<Cell, std::uint16_t>) {
      return kernel_.steps.square(down, up, columns_, cells);
    } else {
      unsigned all = 0;
      for (std::int64_t i = 0; i < columns_; ++i) {
        const int steps = std::min(down[i], up[i]);
        all |= static_cast<unsigned>(steps);
        const double square = column_weight_ * steps * steps;
        cells[i] = steps < kNoneYet ? static_cast<Cell>(square) : kUnknown<Cell>;
      }
      return all != 0;
    }
  }

  /// What lies before and behind a stretch of far blocks was resolved within kReach steps, and the
  /// nearest cell's place never goes back: so nothing beyond kMargin cells of the stretch matters.
  const Value* solve_far(const std::uint16_t* down, const std::uint16_t* up, std::int64_t first,
                         std::int64_t last) {
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
        values_[i] = wide_square(std::min(down[column], up[column]));
      }
    } else if constexpr (std::is_same_v<Value, std::int32_t>) {
      kernel_.steps.square_wide(down + begin, up + begin, count, values_.data());
    } else {
      std::copy_n(cells_.data() + kMargin + begin, count, values_.data());
    }
    std::fill_n(values_.begin() + count, kFarBlock / 2, kUnknown<Value>);
    return line_.solve({places_.data() + from, values_.data(), count}, first, last);
  }

  [[nodiscard]] Value wide_square(int steps) const {
    if constexpr (std::is_same_v<Value, std::int32_t>) {
      return steps * steps;
    } else {
      return column_weight_ * steps * steps;
    }
  }

  const Kernel& kernel_;
  const StepSquares<Cell>& squares_;
  double column_weight_;
  std::int64_t columns_;
  std::vector<Cell> cells_;
  std::vector<Cell> least_;
  std::vector<std::uint8_t> far_;
  std::vector<std::int32_t> known_;
  std::vector<Value> places_;  // the same, as far() wants them
  std::vector<Value> values_;
  FarLine<Cell> line_;
};

constexpr std::int64_t kRowsPerCheck = 16;

/// One run. Cell: what near() works on in rows.
template <typename Cell>
class MinPlus {
 public:
  MinPlus(const DistanceProblem& problem, const Kernel& kernel, const Writer& writer,
          Context& context)
      : size_(problem.objects.geometry().size),
        weights_(problem.scale.weights),
        kernel_(kernel),
        writer_(writer),
        context_(context),
        columns_(problem.objects.voxels<std::uint8_t>().data(), size_, kernel, context),
        x_squares_(weights_[0], size_[0]) {}

  /// Rows, and that is all.
  void run_image() {
    for_bands([&](RowPass<Cell>& pass, std::int64_t row, const std::uint16_t* down,
                  const std::uint16_t* up) {
      pass.solve(
          down, up,
          [&](const auto* squares, std::int64_t count, std::int64_t x) {
            writer_.write(squares, count, row * size_[0] + x);
          },
          [&] { writer_.write_zeros(size_[0], row * size_[0]); });
    });
  }

  /// Rows, then along z what they left. Plane: the cells kept between, in `rows`, `row_bytes` a
  /// row: that may be the answer's own memory. False: some squares do not fit into them, and what
  /// was written is nothing.
  template <typename Plane>
  [[nodiscard]] bool run_volume(std::byte* rows, std::int64_t row_bytes) {
    for_bands([&](RowPass<Cell>& pass, std::int64_t row, const std::uint16_t* down,
                  const std::uint16_t* up) {
      std::byte* to = rows + row * row_bytes;
      pass.solve(
          down, up,
          [&](const auto* squares, std::int64_t count, std::int64_t x) {
            keep<Plane>(squares, count, to + x * static_cast<std::int64_t>(sizeof(Plane)));
          },
          [&] { std::memset(to, 0, static_cast<std::size_t>(size_[0]) * sizeof(Plane)); });
    });
    return pass_z<Plane>(rows, row_bytes);
  }

 private:
  template <typename Plane, typename Square>
  static void keep(const Square* squares, std::int64_t count, std::byte* to) {
    if constexpr (std::is_same_v<Plane, Square>) {
      std::memcpy(to, squares, static_cast<std::size_t>(count) * sizeof(Plane));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        const auto most = static_cast<std::int32_t>(kUnknown<Plane>);
        const auto square = static_cast<Plane>(std::min<std::int32_t>(squares[i], most));
        std::memcpy(to + i * static_cast<std::int64_t>(sizeof(Plane)), &square, sizeof(Plane));
      }
    }
  }

  template <typename Body>
  void for_bands(Body&& body) {
    parallel_for(context_, columns_.bands(), 1, [&](std::int64_t begin, std::int64_t end) {
      const auto steps = large_array<std::uint16_t>(columns_.band_cells());
      RowPass<Cell> pass(kernel_, size_[0], x_squares_, weights_[1]);
      for (std::int64_t band = begin; band < end; ++band) {
        columns_.for_rows(
            band, steps.get(),
            [&](const std::uint16_t* down, const std::uint16_t* up) { pass.know(down, up); },
            [&](std::int64_t row, const std::uint16_t* down, const std::uint16_t* up) {
              if (row % kRowsPerCheck == 0) {
                context_.checkpoint(static_cast<double>(row) /
                                    static_cast<double>(size_[1] * size_[2]));
              }
              body(pass, row, down, up);
            });
      }
    });
  }

  /// Strips of one cache line's width and all slices, copied so that they lie together, a few
  /// beside each other at a time. From the last column to the first: where the planes lie in the
  /// answer's memory, a row's squares take no more room than its answers, so none is overwritten
  /// unread.
  template <typename Plane>
  bool pass_z(const std::byte* rows, std::int64_t row_bytes) {
    constexpr std::int64_t kWidth = kBlock<Plane>;
    constexpr std::int64_t kMostBytes = 1 << 18;
    const StepSquares<Plane> squares(weights_[2], size_[2]);
    const std::int64_t strips = (size_[0] + kWidth - 1) / kWidth;
    const std::int64_t strip_rows = size_[2] + 2 * kMargin;
    const std::int64_t together =
        std::clamp<std::int64_t>(kMostBytes / (strip_rows * kBlockBytes), 1, strips);
    std::atomic<bool> fits = true;
    parallel_for(context_, size_[1], 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Plane> memory(static_cast<std::size_t>((together * strip_rows + 1) * kWidth),
                                kUnknown<Plane>);
      // Blocks are cache lines, so the strips begin at one.
      void* aligned = memory.data();
      std::size_t room = memory.size() * sizeof(Plane);
      auto* first_strip = static_cast<Plane*>(std::align(kBlockBytes, kBlockBytes, aligned, room));
      first_strip += kMargin * kWidth;
      std::vector<Plane> least(static_cast<std::size_t>(size_[2] * kWidth));
      std::vector<std::uint8_t> far(static_cast<std::size_t>(size_[2]));
      FarLine<Plane> line(kernel_, squares, size_[2]);
      for (std::int64_t y = begin; y < end; ++y) {
        for (std::int64_t last = strips; last > 0; last -= std::min(last, together)) {
          if (!fits.load(std::memory_order_relaxed)) return;
          context_.checkpoint(static_cast<double>(y) / static_cast<double>(size_[1]));
          const std::int64_t first = last - std::min(last, together);
          const std::int64_t x = first * kWidth;
          const std::int64_t columns = std::min(last * kWidth, size_[0]) - x;
          for (std::int64_t z = 0; z < size_[2]; ++z) {
            const std::byte* from = rows + (z * size_[1] + y) * row_bytes +
                                    x * static_cast<std::int64_t>(sizeof(Plane));
            for (std::int64_t s = 0; s * kWidth < columns; ++s) {
              const std::int64_t width = std::min(kWidth, columns - s * kWidth);
              Plane* to = first_strip + (s * strip_rows + z) * kWidth;
              if (width == kWidth) {
                std::memcpy(to, from + s * kBlockBytes, kBlockBytes);
              } else {  // what lies beyond the row is looked at, and must not look far
                std::fill_n(to, kWidth, Plane{0});
                std::memcpy(to, from + s * kBlockBytes,
                            static_cast<std::size_t>(width) * sizeof(Plane));
              }
            }
          }
          for (std::int64_t s = 0; s * kWidth < columns; ++s) {
            const Plane* strip = first_strip + s * strip_rows * kWidth;
            const std::int64_t width = std::min(kWidth, columns - s * kWidth);
            if (near_of<Plane>(kernel_).near(strip, size_[2], kWidth, squares.near(),
                                             squares.near()[kReach], least.data(), far.data()) &&
                !solve_far(strip, width, far, line, least.data())) {
              fits.store(false, std::memory_order_relaxed);
            }
            for (std::int64_t z = 0; z < size_[2]; ++z) {
              writer_.write(least.data() + z * kWidth, width,
                            (z * size_[1] + y) * size_[0] + x + s * kWidth);
            }
          }
        }
      }
    });
    return fits.load();
  }

  /// Each column of a strip as a line, where slices are far. False: a square does not fit.
  template <typename Plane>
  bool solve_far(const Plane* strip, std::int64_t width, const std::vector<std::uint8_t>& far,
                 FarLine<Plane>& line, Plane* least) {
    constexpr std::int64_t kWidth = kBlock<Plane>;
    using Value = ValueOf<Plane>;
    std::vector<Value> places(static_cast<std::size_t>(size_[2] + kFarBlock));
    std::vector<Value> values(places.size());
    bool fits = true;
    for (std::int64_t z = 0; z < size_[2];) {
      const std::int64_t first = z;
      while (z < size_[2] && far[z] == far[first])
        ++z;
      if (far[first] == 0) continue;
      const std::int64_t begin = std::max<std::int64_t>(first - kMargin, 0);
      const std::int64_t end = std::min(z + kMargin, size_[2]);
      for (std::int64_t i = 0; i < width; ++i) {
        std::int64_t count = 0;
        for (std::int64_t from = begin; from < end; ++from) {
          const Plane square = strip[from * kWidth + i];
          places[count] = static_cast<Value>(from);
          values[count] = static_cast<Value>(square);
          count += square < kUnknown<Plane> ? 1 : 0;
        }
        std::fill_n(values.begin() + count, kFarBlock / 2, kUnknown<Value>);
        const Value* found = line.solve({places.data(), values.data(), count}, first, z);
        for (std::int64_t to = first; to < z; ++to) {
          if constexpr (sizeof(Plane) < sizeof(Value)) {
            fits = fits && found[to - first] < kUnknown<Plane>;
          }
          least[to * kWidth + i] = static_cast<Plane>(found[to - first]);
        }
      }
    }
    return fits;
  }

  Index3 size_;
  Vec3 weights_;
  const Kernel& kernel_;
  const Writer& writer_;
  Context& context_;
  Columns columns_;
  StepSquares<Cell> x_squares_;
};

/// Squares of whole steps below 2^30, so that the sum of two fits into i32.
bool is_whole(const DistanceProblem& problem) {
  constexpr double kMost = 1 << 30;
  double diagonal = 0.0;
  for (const std::int64_t n : problem.objects.geometry().size)
    diagonal += static_cast<double>(n) * static_cast<double>(n);
  return problem.scale.weights == Vec3{1, 1, 1} && diagonal < kMost;
}

void solve(const DistanceProblem& problem, const Kernel& kernel, const Writer& writer,
           Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  if (is_whole(problem)) {
    MinPlus<std::uint16_t> run(problem, kernel, writer, context);
    if (geometry.is_2d()) return run.run_image();
    // Both forms of the answer have four bytes a voxel: room for the squares on the way.
    auto* rows = writer.reals != nullptr ? reinterpret_cast<std::byte*>(writer.reals)
                                         : reinterpret_cast<std::byte*>(writer.wholes);
    const std::int64_t row_bytes = geometry.size[0] * 4;
    if (!run.run_volume<std::uint16_t>(rows, row_bytes)) {
      static_cast<void>(run.run_volume<std::int32_t>(rows, row_bytes));
    }
    return;
  }
  MinPlus<double> run(problem, kernel, writer, context);
  if (geometry.is_2d()) return run.run_image();
  const auto planes = large_array<double>(static_cast<std::size_t>(geometry.voxel_count()));
  static_cast<void>(
      run.run_volume<double>(reinterpret_cast<std::byte*>(planes.get()), geometry.size[0] * 8));
}

}  // namespace

DistanceMap distance_by_min_plus(const DistanceProblem& problem, const distance::Kernel& kernel,
                                 Context& context) {
  constexpr std::int64_t kMostRows = 65535 - kNoneYet;
  const Geometry& geometry = problem.objects.geometry();
  if (problem.nearest == NearestCells::Find || geometry.size[1] > kMostRows)
    return distance_by_envelope(problem, context);
  const auto stage = context.stage("distance");
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  if (problem.form == DistanceForm::SquareInVoxels) {
    auto wholes = large_array<std::int32_t>(count);
    solve(problem, kernel, {kernel, problem.form, problem.scale.unit, nullptr, wholes.get()},
          context);
    return {Volume(geometry, std::move(wholes)), {}};
  }
  auto reals = large_array<float>(count);
  solve(problem, kernel, {kernel, problem.form, problem.scale.unit, reals.get(), nullptr}, context);
  return {Volume(geometry, std::move(reals)), {}};
}

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  return distance_by_min_plus(problem, distance::best_kernel(), context);
}

}  // namespace seedwave
