// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/strips.h"

#include "core/base/large_memory.h"
#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Beyond this a wide strip's memory would not stay in the first cache.
constexpr std::int64_t kLongestWide = 64;
/// Bytes of a cache line.
constexpr std::int64_t kLine = 64;

/// Cells in memory: x without gaps.
template <typename Cell>
struct CellGrid {
  const Cell* from;
  Cell* to;  // may be the same
  Index3 size;
  std::int64_t row;    // from one row to the next
  std::int64_t plane;  // from one plane to the next
};

/// Where lines of one direction go, in a grid in which they are longest along y or z.
struct Lines {
  int major;
  std::array<std::vector<std::int32_t>, 3> shifts;
  Index3 first_base;
  Index3 last_base;
  /// They run down the major axis: what is in front of a line lies behind it.
  bool backwards = false;
};

Lines lines_of(const LineFamily& family) {
  Lines lines{family.major(), {}, {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    lines.shifts[axis] = family.shifts(axis);
    lines.first_base[axis] = family.first_base(axis);
    lines.last_base[axis] = family.last_base(axis);
  }
  return lines;
}

/// The same when x and y have changed places.
Lines transposed(Lines lines) {
  lines.major = lines.major == 0 ? 1 : lines.major == 1 ? 0 : 2;
  std::swap(lines.shifts[0], lines.shifts[1]);
  std::swap(lines.first_base[0], lines.first_base[1]);
  std::swap(lines.last_base[0], lines.last_base[1]);
  return lines;
}

bool is_straight(const LineFamily& lines) {
  for (int axis = 0; axis < 3; ++axis) {
    if (axis != lines.major() && lines.shifts(axis).back() != 0) return false;
  }
  return true;
}

/// Whether lines run along x and as much along y: then they can be followed along y as well.
bool is_diagonal(const LineFamily& lines) {
  return lines.major() == 0 && std::abs(lines.step()[1]) == 1.0 && lines.shifts(2).back() == 0;
}

Lines diagonals_along_y(const LineFamily& family) {
  const auto count = static_cast<std::size_t>(family.size()[1]);
  const std::int64_t reach = family.size()[1] - 1;
  Lines lines{1, {}, {}, {}};
  lines.backwards = family.step()[1] < 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<std::int32_t>(i);
    lines.shifts[0].push_back(lines.backwards ? -step : step);
    lines.shifts[1].push_back(step);
  }
  lines.shifts[2].assign(count, 0);
  lines.first_base = {lines.backwards ? 0 : -reach, 0, 0};
  lines.last_base = {family.size()[0] - 1 + (lines.backwards ? reach : 0), 0, family.size()[2] - 1};
  return lines;
}

/// What a worker needs for one strip after the other.
template <typename Cell>
class StripWorker {
 public:
  StripWorker(const LinearOpeningProblem& problem, const Lines& lines, const CellGrid<Cell>& grid,
              const linear::Kernel<Cell>& kernel)
      : problem_(problem), lines_(lines), grid_(grid), kernel_(kernel) {
    never_ = linear::never<Cell>(problem.filter);
    always_ = linear::always<Cell>(problem.filter);
    width_ = problem.length <= kLongestWide ? linear::kWide<Cell> : linear::kNarrow<Cell>;
    const auto width = static_cast<std::size_t>(width_);
    outside_.assign(width, problem.border == LineBorder::Inside ? never_ : always_);
    never_row_.assign(width, never_);
    unwanted_.resize(width);
    const Index3 strides{1, grid.row, grid.plane};
    offsets_.resize(static_cast<std::size_t>(grid.size[lines.major]));
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis)
        offsets_[i] += lines.shifts[axis][i] * strides[axis];
    }
  }
  [[nodiscard]] std::int64_t width() const { return width_; }

  /// The lines whose base is x .. x + width() - 1 beside `other`, along the third axis.
  void open(std::int64_t x, std::int64_t other) {
    find_places(x, other);
    const std::int64_t count = last_ - first_;
    if (count <= 0) return;
    length_ = linear::least_length(problem_.border, problem_.length, count);
    const auto [front, behind] = margins(problem_.border, length_);
    front_ = lines_.backwards ? behind : front;
    const std::int64_t blocks = (front_ + count + length_ - 1) / length_;
    begin(blocks, count);
    add_all(x, other);
    const linear::Strip<Cell> strip{rows_.data(), opened_.data(), limits_.data(),
                                    length_,      blocks,         room_for(2 * length_ + 1)};
    (width_ == linear::kWide<Cell> ? kernel_.open_wide : kernel_.open_narrow)(strip);
    for (const Part& part : parts_)
      std::copy(part.cells + part.first, part.cells + part.last, part.to + part.first);
  }

 private:
  /// A row of which only some lanes lie inside.
  struct Part {
    const Cell* cells;
    Cell* to;
    std::int64_t first;
    std::int64_t last;
  };

  [[nodiscard]] std::int64_t shift(int axis, std::int64_t place) const {
    return lines_.shifts[axis][static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int third_axis() const { return 3 - lines_.major; }

  [[nodiscard]] bool has_lanes(std::int64_t place, std::int64_t x, std::int64_t other) const {
    const std::int64_t left = x + shift(0, place);
    const std::int64_t beside = other + shift(third_axis(), place);
    return left > -width_ && left < grid_.size[0] && beside >= 0 &&
           beside < grid_.size[third_axis()];
  }

  /// Shifts never turn back, so the places with lanes inside are in one piece.
  void find_places(std::int64_t x, std::int64_t other) {
    first_ = 0;
    last_ = grid_.size[lines_.major];
    while (first_ < last_ && !has_lanes(first_, x, other))
      ++first_;
    while (first_ < last_ && !has_lanes(last_ - 1, x, other))
      --last_;
  }

  void begin(std::int64_t blocks, std::int64_t count) {
    const auto steps = static_cast<std::size_t>(blocks * length_);
    rows_.assign(steps + static_cast<std::size_t>(length_ + linear::kAhead), outside_.data());
    opened_.assign(steps, unwanted_.data());
    limits_.assign(steps, nullptr);
    if (problem_.border == LineBorder::Anchor) {
      // The middle of a window that begins there lies behind the strip.
      for (std::size_t i = static_cast<std::size_t>(count); i < steps; ++i)
        limits_[i] = never_row_.data();
    }
    parts_.clear();
    used_ = 0;
    // Two rows a place at most; no row moves while others point to it.
    staged_.resize(static_cast<std::size_t>(2 * count * width_));
  }

  void add_all(std::int64_t x, std::int64_t other) {
    const std::int64_t base = x + other * (lines_.major == 1 ? grid_.plane : grid_.row);
    for (std::int64_t along = first_; along < last_; ++along) {
      const std::int64_t left = x + shift(0, along);
      const std::int64_t offset = base + offsets_[static_cast<std::size_t>(along)];
      if (left >= 0 && left + width_ <= grid_.size[0]) {
        const auto at = static_cast<std::size_t>(front_ + along - first_);
        rows_[at] = grid_.from + offset;
        opened_[at] = grid_.to + offset;
      } else {
        add_part(along - first_, left, offset);
      }
    }
  }

  /// A row that begins at x = left, which may lie outside.
  void add_part(std::int64_t place, std::int64_t left, std::int64_t offset) {
    const auto at = static_cast<std::size_t>(front_ + place);
    const std::int64_t lane = std::max<std::int64_t>(0, -left);
    const std::int64_t end = std::min(width_, grid_.size[0] - left);
    Cell* cells = stage(outside_.front(), lane, end);
    std::copy(grid_.from + offset + lane, grid_.from + offset + end, cells + lane);
    rows_[at] = opened_[at] = cells;
    parts_.push_back({cells, grid_.to + offset, lane, end});
    if (problem_.border == LineBorder::Anchor) {
      Cell* limit = stage(never_, lane, end);
      std::fill(limit + lane, limit + end, always_);
      limits_[static_cast<std::size_t>(place)] = limit;
    }
  }

  /// Memory for rows, from a cache line on: what lies across two lines is written twice as slowly.
  Cell* room_for(std::int64_t rows) {
    const auto cells = static_cast<std::size_t>(rows * width_);
    if (memory_.size() < cells + kLine) memory_.resize(cells + kLine);
    void* start = memory_.data();
    std::size_t room = memory_.size() * sizeof(Cell);
    return static_cast<Cell*>(std::align(kLine, cells * sizeof(Cell), start, room));
  }

  /// A row of which lanes first .. last - 1 are still to be set.
  Cell* stage(Cell value, std::int64_t first, std::int64_t last) {
    Cell* row = staged_.data() + used_;
    used_ += width_;
    std::fill(row, row + first, value);
    std::fill(row + last, row + width_, value);
    return row;
  }

  const LinearOpeningProblem& problem_;
  const Lines& lines_;
  const CellGrid<Cell>& grid_;
  const linear::Kernel<Cell>& kernel_;
  Cell never_;
  Cell always_;
  std::int64_t width_;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::int64_t length_ = 0;
  std::int64_t front_ = 0;
  std::int64_t used_ = 0;
  std::vector<std::int64_t> offsets_;  // along a line
  std::vector<Cell> outside_;
  std::vector<Cell> never_row_;
  std::vector<Cell> unwanted_;
  std::vector<Cell> staged_;
  std::vector<Cell> memory_;
  std::vector<const Cell*> rows_;
  std::vector<Cell*> opened_;
  std::vector<const Cell*> limits_;
  std::vector<Part> parts_;
};

template <typename Cell>
void open_strips(const LinearOpeningProblem& problem, const Lines& lines,
                 const CellGrid<Cell>& grid, const linear::Kernel<Cell>& kernel, Context& context) {
  const int third = 3 - lines.major;
  const std::int64_t width = StripWorker<Cell>(problem, lines, grid, kernel).width();
  const std::int64_t lanes = lines.last_base[0] - lines.first_base[0] + 1;
  const std::int64_t beside = (lanes + width - 1) / width;
  const std::int64_t others = lines.last_base[third] - lines.first_base[third] + 1;
  parallel_for(context, beside * others, 1, [&](std::int64_t begin, std::int64_t end) {
    StripWorker<Cell> worker(problem, lines, grid, kernel);
    for (std::int64_t i = begin; i < end; ++i)
      worker.open(lines.first_base[0] + i % beside * width, lines.first_base[third] + i / beside);
  });
}

/// Along x there is no other line beside a row's cells.
template <typename Cell>
void open_rows(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
               const linear::Kernel<Cell>& kernel, Context& context) {
  const std::int64_t count = grid.size[0];
  const std::int64_t length = linear::least_length(problem.border, problem.length, count);
  const auto [front, behind] = margins(problem.border, length);
  const auto always = linear::always<Cell>(problem.filter);
  const auto room = static_cast<std::size_t>(front + count + behind + length + kLine);
  parallel_for(context, grid.size[1] * grid.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Cell> cells(room, always);
    std::vector<Cell> memory(2 * room);
    std::vector<Cell> opened(static_cast<std::size_t>(count + kLine));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t offset = i % grid.size[1] * grid.row + i / grid.size[1] * grid.plane;
      std::copy(grid.from + offset, grid.from + offset + count, cells.begin() + front);
      kernel.open_row({cells.data(), front, count, behind, length, memory.data(), opened.data()});
      std::copy(opened.begin(), opened.begin() + count, grid.to + offset);
    }
  });
}

/// Makes columns of rows in every plane.
template <typename Cell>
void transpose(const Cell* from, const Index3& size, std::int64_t row, std::int64_t plane, Cell* to,
               std::int64_t to_row, std::int64_t to_plane, linear::Transpose<Cell> run,
               Context& context) {
  constexpr std::int64_t kSide = 256;  // of a block: its rows here and there stay in the cache
  const std::int64_t across = (size[0] + kSide - 1) / kSide;
  const std::int64_t down = (size[1] + kSide - 1) / kSide;
  parallel_for(context, across * down * size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t x = i % across * kSide;
      const std::int64_t y = i / across % down * kSide;
      const std::int64_t z = i / (across * down);
      run(from + x + y * row + z * plane, row, std::min(kSide, size[0] - x),
          std::min(kSide, size[1] - y), to + y + x * to_row + z * to_plane, to_row);
    }
  });
}

template <typename Cell>
void open_transposed(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                     const linear::Kernels<Cell>& kernels, const linear::Kernel<Cell>& kernel,
                     Context& context) {
  const Index3 size{grid.size[1], grid.size[0], grid.size[2]};
  // Rows a power of two apart would fight for the same places in the cache.
  constexpr std::int64_t kBlock = kLine / static_cast<std::int64_t>(sizeof(Cell));
  const std::int64_t row = (size[0] + kBlock - 1) / kBlock * kBlock + kBlock;
  const std::int64_t plane = row * size[1];
  const auto cells = large_array<Cell>(context, static_cast<std::size_t>(plane * size[2]));
  transpose(grid.from, grid.size, grid.row, grid.plane, cells.get(), row, plane, kernels.transpose,
            context);
  const CellGrid<Cell> turned{cells.get(), cells.get(), size, row, plane};
  open_strips(problem, transposed(lines_of(problem.lines)), turned, kernel, context);
  transpose<Cell>(cells.get(), size, row, plane, grid.to, grid.row, grid.plane, kernels.transpose,
                  context);
}

template <typename Cell>
const linear::Kernels<Cell>& kernels_of(const linear::KernelSet& set) {
  if constexpr (std::is_same_v<Cell, std::uint8_t>) {
    return set.u8;
  } else if constexpr (std::is_same_v<Cell, std::uint16_t>) {
    return set.u16;
  } else {
    return set.i32;
  }
}

template <typename Cell>
void open_cells(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                const linear::KernelSet& set, Context& context) {
  const auto& kernels = kernels_of<Cell>(set);
  const linear::Kernel<Cell>& kernel =
      problem.filter == LineFilter::Opening ? kernels.opening : kernels.closing;
  if (problem.lines.major() != 0) {
    open_strips(problem, lines_of(problem.lines), grid, kernel, context);
  } else if (is_straight(problem.lines)) {
    open_rows(problem, grid, kernel, context);
  } else if (is_diagonal(problem.lines)) {
    open_strips(problem, diagonals_along_y(problem.lines), grid, kernel, context);
  } else {
    open_transposed(problem, grid, kernels, kernel, context);
  }
}

}  // namespace

Volume linear_opening(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_in_strips(problem, linear::best_kernels(), context);
}

Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                const linear::KernelSet& kernels, Context& context) {
  check(problem);
  const auto stage = context.stage(problem.filter == LineFilter::Opening ? "opening" : "closing");
  const Geometry& geometry = problem.image.geometry();
  const Index3& size = geometry.size;
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    using Cell = CellOf<Voxel>;
    auto opened = large_array<Voxel>(context, voxels.size());
    if constexpr (std::is_same_v<Voxel, Cell>) {
      open_cells<Cell>(problem, {voxels.data(), opened.get(), size, size[0], size[0] * size[1]},
                       kernels, context);
    } else {
      constexpr std::int64_t kGrain = 1 << 16;
      const auto cells = large_array<Cell>(context, voxels.size());
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        to_cells(voxels.data() + begin, end - begin, false, cells.get() + begin);
      });
      open_cells<Cell>(problem, {cells.get(), cells.get(), size, size[0], size[0] * size[1]},
                       kernels, context);
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          opened[i] = linear::filtered_voxel<Voxel>(cells[i], problem.filter);
      });
    }
    return Volume(geometry, std::move(opened));
  });
}

}  // namespace seedwave
