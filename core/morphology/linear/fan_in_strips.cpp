// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/fan_in_strips.h"

#include "core/base/exact_sum.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/share_directions.h"
#include "core/morphology/linear/strip_worker.h"
#include "core/morphology/linear/strongest.h"
#include "core/morphology/linear/turned_cells.h"
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

constexpr std::int64_t kGrain = 1 << 16;

/// A copy of an image as its rows lie, and another one turned over, where directions need them.
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
  /// Only where a direction needs it.
  [[nodiscard]] const CellGrid<Cell>& turned() const { return turned_->grid(); }
  [[nodiscard]] bool is_turned_for(const LineFamily& lines) const { return lines.major() == 0; }

 private:
  static constexpr std::int64_t kMargin = StripWorker<Cell>::kWidth;
  static constexpr std::int64_t kRowsPerTask = 64;

  CellsWithMargins<Cell> upright_;
  std::optional<CellsWithMargins<Cell>> turned_;
};

/// What filtered_voxel() makes of a float in no window, as a cell: answers are compared as they are
/// given, and an infinity may be less.
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

/// Whether answers are not cells yet as they are given.
template <typename Voxel>
bool need_finite(const LineFanProblem& problem) {
  return std::is_same_v<Voxel, float> && problem.border == LineBorder::Inside;
}

/// Hands out a strip's answers as they are given: take(cells, offset, count), each cell once;
/// offsets are those of the grid in which its lines are followed.
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

/// Numbers become directions, but 0, which says nothing new, and are 0 then. A function of its own,
/// or it would not run on vectors.
template <typename Number>
[[gnu::noinline]] void number_some(Number* __restrict numbers, std::int64_t count,
                                   std::int64_t before, std::uint16_t* __restrict first) {
  const auto base = static_cast<std::uint16_t>(before);  // modulo 2^16 where it is -1
  for (std::int64_t i = 0; i < count; ++i) {
    const auto direction = static_cast<std::uint16_t>(base + numbers[i]);
    first[i] = numbers[i] != 0 ? direction : first[i];
    numbers[i] = 0;
  }
}

/// The strongest answers of a worker's directions, in ascending order, in one grid.
template <typename Cell>
class StrongestCells {
 public:
  StrongestCells(const CellGrid<Cell>& grid, const Kernel<Cell>& kernel, LineFilter filter)
      : grid_(grid),
        kernel_(kernel),
        cells_(large_array<Cell>(cell_count(grid))),
        numbers_(large_vector<Number<Cell>>(cell_count(grid))),
        first_(large_vector<std::uint16_t>(cell_count(grid))) {
    std::fill_n(cells_.get(), cell_count(grid), never<Cell>(filter));
  }

  /// What follows are the answers of that direction.
  void begin(std::int64_t direction) {
    if (direction / kMost != round_) fold();
    round_ = direction / kMost;
    number_ = static_cast<Number<Cell>>(direction % kMost + 1);
  }
  void keep(StripWorker<Cell>& worker, std::int64_t strip) {
    worker.keep(strip, {cells(), numbers(), number_});
  }
  void take(const Cell* answers, std::int64_t offset, std::int64_t count) {
    kernel_.keep_stronger(answers, count, number_, cells() + offset, numbers() + offset);
  }
  /// Nothing is taken any more.
  void end() { fold(); }

  [[nodiscard]] const CellGrid<Cell>& grid() const { return grid_; }
  // Of the first cell; margins are in front of it.
  [[nodiscard]] const Cell* cells() const { return cells_.get() + grid_.margin; }
  [[nodiscard]] Cell* cells() { return cells_.get() + grid_.margin; }
  [[nodiscard]] const std::uint16_t* first() const { return first_.data() + grid_.margin; }
  [[nodiscard]] std::uint16_t* first() { return first_.data() + grid_.margin; }

  /// Of others in the same grid.
  void merge(const StrongestCells& others, LineFilter filter, Context& context) {
    const auto count = static_cast<std::int64_t>(cell_count(grid_));
    parallel_for(context, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      const auto run = filter == LineFilter::Opening ? merge_strongest<LineFilter::Opening, Cell>
                                                     : merge_strongest<LineFilter::Closing, Cell>;
      run(others.cells_.get() + begin, others.first_.data() + begin, end - begin,
          cells_.get() + begin, first_.data() + begin);
    });
  }

 private:
  /// Directions that a number beside a cell can tell apart; 0 is none of them.
  static constexpr std::int64_t kMost = sizeof(Cell) == 1 ? 255 : 65535;

  [[nodiscard]] Number<Cell>* numbers() { return numbers_.data() + grid_.margin; }
  void fold() {
    number_some(numbers_.data(), std::ssize(numbers_), round_ * kMost - 1, first_.data());
  }

  const CellGrid<Cell>& grid_;
  const Kernel<Cell>& kernel_;
  LargeArray<Cell> cells_;
  std::vector<Number<Cell>> numbers_;  // since the last fold
  std::vector<std::uint16_t> first_;
  std::int64_t round_ = 0;
  Number<Cell> number_ = 0;
};

/// What one worker has seen, in either grid.
template <typename Voxel>
struct FanAnswers {
  using Cell = CellOf<Voxel>;
  std::optional<StrongestCells<Cell>> upright{};
  std::optional<StrongestCells<Cell>> turned{};

  StrongestCells<Cell>& in(bool is_turned, const FanImage<Voxel>& image, const Kernel<Cell>& kernel,
                           LineFilter filter) {
    auto& strongest = is_turned ? turned : upright;
    if (!strongest) strongest.emplace(is_turned ? image.turned() : image.upright(), kernel, filter);
    return *strongest;
  }
};

/// Everything that workers have seen, in the image's own grid.
template <typename Voxel>
class FanResult {
 public:
  using Cell = CellOf<Voxel>;

  FanResult(const LineFanProblem& problem, const FanImage<Voxel>& image, const KernelSet& kernels,
            Context& context)
      : problem_(problem), image_(image), kernels_(kernels), context_(context) {}

  void add(FanAnswers<Voxel>& answers) {
    if (answers.upright) {
      answers.upright->end();
      add_upright(std::move(*answers.upright));
      answers.upright.reset();
    }
    if (answers.turned) {
      answers.turned->end();
      add_turned(*answers.turned);
      answers.turned.reset();
    }
  }

  OrientationMap map() {
    const Geometry& geometry = problem_.image.geometry();
    const auto count = static_cast<std::size_t>(geometry.voxel_count());
    const std::int64_t columns = geometry.size[0];
    auto strongest = large_array<Voxel>(context_, count);
    auto first = large_array<std::uint16_t>(context_, count);
    parallel_for(context_, geometry.size[1] * geometry.size[2], 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row) {
                     const std::int64_t from = row * all_->grid().row;
                     for (std::int64_t x = 0; x < columns; ++x)
                       strongest[row * columns + x] =
                           filtered_voxel<Voxel>(all_->cells()[from + x], problem_.filter);
                     std::copy_n(all_->first() + from, columns, first.get() + row * columns);
                   }
                 });
    return {Volume(geometry, std::move(strongest)), Volume(geometry, std::move(first))};
  }

 private:
  void add_upright(StrongestCells<Cell>&& upright) {
    if (all_) {
      all_->merge(upright, problem_.filter, context_);
    } else {
      all_.emplace(std::move(upright));
    }
  }

  void add_turned(const StrongestCells<Cell>& turned) {
    const CellGrid<Cell>& from = turned.grid();
    const CellGrid<Cell>& to = image_.upright();
    const CellGrid<std::uint16_t> numbers_from{nullptr, nullptr, from.size, from.row, from.plane};
    const CellGrid<std::uint16_t> numbers_to{nullptr, nullptr, to.size, to.row, to.plane};
    StrongestCells<Cell> upright(to, kernels_.of<Cell>().of(problem_.filter), problem_.filter);
    turn(turned.cells(), from, upright.cells(), to, kernels_.of<Cell>().transpose, context_);
    turn(turned.first(), numbers_from, upright.first(), numbers_to,
         kernels_.of<std::uint16_t>().transpose, context_);
    add_upright(std::move(upright));
  }

  const LineFanProblem& problem_;
  const FanImage<Voxel>& image_;
  const KernelSet& kernels_;
  Context& context_;
  std::optional<StrongestCells<Cell>> all_;
};

template <typename Voxel>
OrientationMap orientation_of(const LineFanProblem& problem, const KernelSet& set,
                              Context& context) {
  using Cell = CellOf<Voxel>;
  const Kernels<Cell>& kernels = set.of<Cell>();
  const Kernel<Cell>& kernel = kernels.of(problem.filter);
  const FanImage<Voxel> image(problem, kernels, context);
  const auto directions = std::ssize(problem.directions);
  // Strongest, number and direction, in either grid.
  const std::int64_t bytes =
      problem.image.value_count() * static_cast<std::int64_t>(2 * (2 * sizeof(Cell) + 2));
  const int workers = workers_for(directions, bytes, context);
  std::vector<FanAnswers<Voxel>> of_worker(static_cast<std::size_t>(workers));
  for_each_direction(
      directions, workers, context, [&](int worker, std::int64_t number, Context& inner) {
        const LineFamily& lines = problem.directions[static_cast<std::size_t>(number)].lines;
        auto& strongest =
            of_worker[worker].in(image.is_turned_for(lines), image, kernel, problem.filter);
        strongest.begin(number);
        open_direction(problem, number, image, kernels, inner,
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
      });
  FanResult<Voxel> result(problem, image, set, context);
  for (FanAnswers<Voxel>& answers : of_worker)
    result.add(answers);
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
  return orientation_in_strips(problem, linear::best_kernels(), context);
}

std::vector<double> angular_spectrum(const LineFanProblem& problem, Context& context) {
  return angular_spectrum_in_strips(problem, linear::best_kernels(), context);
}

}  // namespace seedwave
