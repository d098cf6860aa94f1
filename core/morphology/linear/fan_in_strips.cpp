// SPDX-License-Identifier: Apache-2.0
#include "core/base/exact_sum.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/in_parts.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/orientation.h"
#include "core/morphology/linear/share_directions.h"
#include "core/morphology/linear/strip_worker.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace seedwave {
namespace linear {
namespace {

// Answers are consumed strip by strip while they are in the cache, and are never stored as an
// image. Lines mostly along x are followed in a transposed copy, made once for all directions.

/// A copy of an image with its rows as they are, and a transposed one if directions need it.
template <typename Voxel>
class FanImage {
 public:
  using Cell = CellOf<Voxel>;

  FanImage(const LineFanProblem& problem, const Kernels<Cell>& kernels, Context& context)
      : upright_(problem.image.geometry().size, kMargin,
                 outside_value<Cell>(problem.border, problem.filter), context) {
    const auto voxels = problem.image.voxels<Voxel>();
    const CellGrid<Cell>& grid = upright_.grid();
    const std::int64_t columns = grid.size[0];
    parallel_for(context, grid.size[1] * grid.size[2], kRowsPerTask,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     to_cells(voxels.data() + i * columns, columns, false, grid.to + i * grid.row);
                 });
    const auto is_along_x = [](const LineSegments& one) { return one.lines.major() == 0; };
    if (std::ranges::any_of(problem.directions, is_along_x))
      turned_.emplace(turned_cells(grid, kMargin,
                                   outside_value<Cell>(problem.border, problem.filter),
                                   kernels.transpose, context));
  }

  [[nodiscard]] const CellGrid<Cell>& upright() const { return upright_.grid(); }
  /// Valid only if a direction needs it.
  [[nodiscard]] const CellGrid<Cell>& turned() const { return turned_->grid(); }
  /// Returns the number of cells of both grids.
  [[nodiscard]] std::size_t cell_counts() const {
    return cell_count(upright()) + (turned_ ? cell_count(turned()) : 0);
  }
  [[nodiscard]] bool is_turned_for(const LineFamily& lines) const { return lines.major() == 0; }

 private:
  static constexpr std::int64_t kMargin = StripWorker<Cell>::kWidth;
  static constexpr std::int64_t kRowsPerTask = 64;

  CellsWithMargins<Cell> upright_;
  std::optional<CellsWithMargins<Cell>> turned_;
};

/// Replaces the value of cells in no window by what filtered_voxel() returns for a float. Final
/// answers are compared, and an infinity may be weaker.
template <typename Cell>
void make_finite(LineFilter filter, std::vector<Cell>& cells) {
  const auto finite =
      static_cast<Cell>(to_cell(filtered_voxel<float>(never<std::int32_t>(filter), filter), false));
  std::replace(cells.begin(), cells.end(), never<Cell>(filter), finite);
}

/// Calls open(worker, strip) for the strips of one direction, from any thread.
template <typename Voxel, typename Open>
void open_direction(const LineFanProblem& problem, std::int64_t number,
                    const FanImage<Voxel>& image, const Kernels<CellOf<Voxel>>& kernels,
                    Context& context, Open&& open) {
  using Cell = CellOf<Voxel>;
  const LinearOpeningProblem one = one_direction(problem, number);
  const bool turned = image.is_turned_for(one.lines);
  const StripLines lines = turned ? turned_strip_lines(one.lines) : strip_lines(one.lines);
  const CellGrid<Cell>& grid = turned ? image.turned() : image.upright();
  const Kernel<Cell>& kernel = kernels.of(problem.filter);
  const std::int64_t count = StripWorker<Cell>::count(lines);
  parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
    StripWorker<Cell> worker(one, lines, grid, kernel);
    for (std::int64_t i = begin; i < end; ++i)
      open(worker, i);
  });
}

/// Returns whether answers differ from cells, so that make_finite() is needed.
template <typename Voxel>
bool need_finite(const LineFanProblem& problem) {
  return std::is_same_v<Voxel, float> && problem.border == LineBorder::Inside;
}

/// Passes on a strip's final answers: take(cells, offset, count), each cell once. Offsets are those
/// of the grid in which its lines are followed.
template <typename Voxel, typename Take>
void hand_out(const LineFanProblem& problem, StripWorker<CellOf<Voxel>>& worker, std::int64_t strip,
              Take&& take) {
  using Cell = CellOf<Voxel>;
  std::vector<Cell> finite;
  worker.open(strip, [&](const Cell* cells, std::int64_t offset, std::int64_t length) {
    if (need_finite<Voxel>(problem)) {
      finite.assign(cells, cells + length);
      make_finite(problem.filter, finite);
      cells = finite.data();
    }
    take(cells, offset, length);
  });
}

/// Largest number of directions that a number beside a cell can distinguish. 0 stands for none of
/// them.
template <typename Cell>
constexpr std::int64_t kMostNumbers = sizeof(Cell) == 1 ? 255 : 65535;

/// The strongest answers of a worker's directions, in ascending order, in one grid.
template <typename Cell>
class StrongestCells {
 public:
  /// Borrows memory for cell_count() cells and as many numbers.
  StrongestCells(const CellGrid<Cell>& grid, Cell* memory, const Kernel<Cell>& kernel,
                 LineFilter filter)
      : grid_(grid),
        kernel_(kernel),
        beside_(static_cast<std::ptrdiff_t>(cell_count(grid))),
        cells_(memory + grid.margin) {
    std::fill_n(memory, beside_, never<Cell>(filter));
    forget_numbers();
  }

  /// Resets the numbers of the present answers to 0 and keeps their strengths.
  void forget_numbers() { std::fill_n(cells_ - grid_.margin + beside_, beside_, Number<Cell>{0}); }
  /// Sets the number of the answers that follow.
  void begin(Number<Cell> number) { number_ = number; }
  void keep(StripWorker<Cell>& worker, std::int64_t strip) {
    worker.keep(strip, {cells_, beside_, number_});
  }
  void take(const Cell* answers, std::int64_t offset, std::int64_t count) {
    kernel_.keep_stronger(answers, count, number_, cells_ + offset, cells_ + offset + beside_);
  }

  [[nodiscard]] const CellGrid<Cell>& grid() const { return grid_; }
  // Returns a pointer to the first cell. Margins lie before it.
  [[nodiscard]] const Cell* cells() const { return cells_; }
  [[nodiscard]] const Number<Cell>* numbers() const { return cells_ + beside_; }

 private:
  const CellGrid<Cell>& grid_;
  const Kernel<Cell>& kernel_;
  std::ptrdiff_t beside_;
  Cell* cells_;
  Number<Cell> number_ = 0;
};

/// The strongest answers of one worker, in both grids.
template <typename Voxel>
class FanAnswers {
 public:
  using Cell = CellOf<Voxel>;

  FanAnswers(const FanImage<Voxel>& image, const Kernel<Cell>& kernel, LineFilter filter)
      : image_(image),
        kernel_(kernel),
        filter_(filter),
        memory_(large_array<Cell>(2 * image.cell_counts(), LastPage::Whole)) {}

  StrongestCells<Cell>& in(bool is_turned) {
    auto& strongest = is_turned ? turned_ : upright_;
    if (!strongest)
      strongest.emplace(is_turned ? image_.turned() : image_.upright(),
                        memory_.get() + (is_turned ? 2 * cell_count(image_.upright()) : 0), kernel_,
                        filter_);
    return *strongest;
  }
  void forget_numbers() {
    for (auto* strongest : {&upright_, &turned_}) {
      if (*strongest) (*strongest)->forget_numbers();
    }
  }
  [[nodiscard]] const std::optional<StrongestCells<Cell>>& upright() const { return upright_; }
  [[nodiscard]] const std::optional<StrongestCells<Cell>>& turned() const { return turned_; }

 private:
  const FanImage<Voxel>& image_;
  const Kernel<Cell>& kernel_;
  LineFilter filter_;
  LargeArray<Cell> memory_;
  std::optional<StrongestCells<Cell>> upright_{};
  std::optional<StrongestCells<Cell>> turned_{};
};

/// Converts numbers to directions, except 0, which keeps the former direction. A separate function,
/// because otherwise it would not be vectorised.
template <typename Number>
[[gnu::noinline]] void name_directions(const Number* __restrict numbers, std::int64_t count,
                                       std::int64_t before, std::uint16_t* __restrict first) {
  const auto base = static_cast<std::uint16_t>(before - 1);  // wraps modulo 2^16 for -1
  for (std::int64_t i = 0; i < count; ++i) {
    const auto direction = static_cast<std::uint16_t>(base + numbers[i]);
    first[i] = numbers[i] != 0 ? direction : first[i];
  }
}

/// The strongest answers of all workers, in the image's own grid, block by block. Transposed
/// answers are transposed back and compared while they are in the cache.
template <typename Voxel>
class FanResult {
 public:
  using Cell = CellOf<Voxel>;

  FanResult(const LineFanProblem& problem, const Kernels<Cell>& kernels, Context& context)
      : geometry_(problem.image.geometry()),
        filter_(problem.filter),
        kernels_(kernels),
        context_(context),
        strongest_(large_array<Voxel>(context, count())),
        first_(large_array<std::uint16_t>(context, count())) {
    std::fill_n(first_.get(), count(), std::uint16_t{0});
  }

  /// Takes over answers stronger than all before. Number 1 is direction `before`.
  void take(const std::vector<FanAnswers<Voxel>>& of_workers, std::int64_t before) {
    const Index3& size = geometry_.size;
    const std::int64_t across = (size[0] + kSide - 1) / kSide;
    const std::int64_t down = (size[1] + kSide - 1) / kSide;
    parallel_for(context_, across * down * size[2], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        take_block({i % across * kSide, i / across % down * kSide, i / (across * down)}, of_workers,
                   before);
    });
  }

  OrientationMap map() {
    return {Volume(geometry_, std::move(strongest_)), Volume(geometry_, std::move(first_))};
  }

 private:
  static constexpr std::int64_t kSide = 64;

  /// Answers of a block and their numbers.
  struct Block {
    alignas(64) Cell cells[kSide * kSide];
    alignas(64) Number<Cell> numbers[kSide * kSide];
  };

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(geometry_.voxel_count());
  }

  void take_block(const Index3& at, const std::vector<FanAnswers<Voxel>>& of_workers,
                  std::int64_t before) {
    const std::int64_t columns = std::min(kSide, geometry_.size[0] - at[0]);
    const std::int64_t rows = std::min(kSide, geometry_.size[1] - at[1]);
    const auto merge = kernels_.of(filter_).merge;
    Block all;
    Block other;
    std::fill_n(all.cells, kSide * kSide, never<Cell>(filter_));
    std::fill_n(all.numbers, kSide * kSide, Number<Cell>{0});
    for (const FanAnswers<Voxel>& answers : of_workers) {
      if (const auto& upright = answers.upright()) {
        const std::int64_t offset = offset_of(upright->grid(), at[0], at[1], at[2]);
        for (std::int64_t y = 0; y < rows; ++y) {
          const std::int64_t row = offset + y * upright->grid().row;
          merge(upright->cells() + row, upright->numbers() + row, columns, all.cells + y * kSide,
                all.numbers + y * kSide);
        }
      }
      if (const auto& turned = answers.turned()) {
        const std::int64_t offset = offset_of(turned->grid(), at[1], at[0], at[2]);
        const std::int64_t row = turned->grid().row;
        kernels_.transpose(turned->cells() + offset, row, rows, columns, other.cells, kSide);
        kernels_.transpose(turned->numbers() + offset, row, rows, columns, other.numbers, kSide);
        for (std::int64_t y = 0; y < rows; ++y)
          merge(other.cells + y * kSide, other.numbers + y * kSide, columns, all.cells + y * kSide,
                all.numbers + y * kSide);
      }
    }
    for (std::int64_t y = 0; y < rows; ++y) {
      const std::int64_t to = at[0] + (at[1] + y + at[2] * geometry_.size[1]) * geometry_.size[0];
      put_row(all.cells + y * kSide, columns, strongest_.get() + to);
      name_directions(all.numbers + y * kSide, columns, before, first_.get() + to);
    }
  }

  static std::int64_t offset_of(const CellGrid<Cell>& grid, std::int64_t x, std::int64_t y,
                                std::int64_t z) {
    return x + y * grid.row + z * grid.plane;
  }

  void put_row(const Cell* cells, std::int64_t columns, Voxel* to) const {
    if constexpr (std::is_same_v<Voxel, Cell>) {
      std::copy_n(cells, columns, to);
    } else {
      for (std::int64_t x = 0; x < columns; ++x)
        to[x] = filtered_voxel<Voxel>(cells[x], filter_);
    }
  }

  const Geometry& geometry_;
  LineFilter filter_;
  const Kernels<Cell>& kernels_;
  Context& context_;
  LargeArray<Voxel> strongest_;
  LargeArray<std::uint16_t> first_;
};

template <typename Voxel>
OrientationMap orientation_of(const LineFanProblem& problem, const KernelSet& set,
                              Context& context) {
  using Cell = CellOf<Voxel>;
  const Kernels<Cell>& kernels = set.of<Cell>();
  const FanImage<Voxel> image(problem, kernels, context);
  const auto directions = std::ssize(problem.directions);
  // Bytes for strongest answers and numbers, in both grids.
  const std::int64_t bytes =
      problem.image.value_count() * static_cast<std::int64_t>(4 * sizeof(Cell));
  const int workers = workers_for(directions, bytes, context);
  std::vector<FanAnswers<Voxel>> of_worker;
  of_worker.reserve(static_cast<std::size_t>(workers));
  for (int worker = 0; worker < workers; ++worker)
    of_worker.emplace_back(image, kernels.of(problem.filter), problem.filter);
  FanResult<Voxel> result(problem, kernels, context);
  for (std::int64_t first = 0; first < directions; first += kMostNumbers<Cell>) {
    const std::int64_t last = std::min(first + kMostNumbers<Cell>, directions);
    const auto open = [&](int worker, std::int64_t direction, Context& inner) {
      const LineFamily& lines = problem.directions[static_cast<std::size_t>(direction)].lines;
      StrongestCells<Cell>& strongest = of_worker[worker].in(image.is_turned_for(lines));
      strongest.begin(static_cast<Number<Cell>>(direction - first + 1));
      open_direction(problem, direction, image, kernels, inner,
                     [&](StripWorker<Cell>& strips, std::int64_t strip) {
                       if (!need_finite<Voxel>(problem)) {
                         strongest.keep(strips, strip);
                         return;
                       }
                       hand_out<Voxel>(
                           problem, strips, strip,
                           [&](const Cell* cells, std::int64_t offset, std::int64_t count) {
                             strongest.take(cells, offset, count);
                           });
                     });
    };
    for_each_direction(DirectionRange{first, last, directions}, workers, context, open);
    result.take(of_worker, first);
    if (last == directions) break;
    for (FanAnswers<Voxel>& answers : of_worker)
      answers.forget_numbers();
  }
  return result.map();
}

template <typename Voxel>
std::vector<double> spectrum_of(const LineFanProblem& problem, const KernelSet& set,
                                Context& context) {
  using Cell = CellOf<Voxel>;
  const Kernels<Cell>& kernels = set.of<Cell>();
  const FanImage<Voxel> image(problem, kernels, context);
  const auto directions = std::ssize(problem.directions);
  std::vector<double> sums(problem.directions.size());
  const int workers = workers_for(directions, 0, context);
  for_each_direction(directions, workers, context,
                     [&](int /*worker*/, std::int64_t number, Context& inner) {
                       ExactSum<Voxel> sum;
                       std::mutex mutex;  // guards sum
                       const auto add = [&](const Cell* cells, std::int64_t, std::int64_t count) {
                         ExactSum<Voxel> part;
                         for (std::int64_t i = 0; i < count; ++i)
                           part.add(filtered_voxel<Voxel>(cells[i], problem.filter));
                         const std::lock_guard lock(mutex);
                         sum += part;
                       };
                       open_direction(problem, number, image, kernels, inner,
                                      [&](StripWorker<Cell>& worker, std::int64_t strip) {
                                        hand_out<Voxel>(problem, worker, strip, add);
                                      });
                       sums[static_cast<std::size_t>(number)] = sum.value();
                     });
  return sums;
}

}  // namespace
}  // namespace linear

OrientationMap orientation_in_strips(const LineFanProblem& problem,
                                     const linear::KernelSet& kernels, Context& context) {
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return linear::orientation_of<Voxel>(problem, kernels, context);
  });
}

std::vector<double> angular_spectrum_in_strips(const LineFanProblem& problem,
                                               const linear::KernelSet& kernels, Context& context) {
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return linear::spectrum_of<Voxel>(problem, kernels, context);
  });
}

OrientationMap orientation(const LineFanProblem& problem, Context& context) {
  return linear::orientation_in_parts(
      problem,
      [](const LineFanProblem& part, Context& own) {
        return orientation_in_strips(part, linear::best_kernels(), own);
      },
      context);
}

std::vector<double> angular_spectrum(const LineFanProblem& problem, Context& context) {
  return linear::angular_spectrum_in_parts(
      problem,
      [](const LineFanProblem& part, Context& own) {
        return angular_spectrum_in_strips(part, linear::best_kernels(), own);
      },
      context);
}

}  // namespace seedwave
