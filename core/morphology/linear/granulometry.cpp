// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/granulometry.h"

#include "core/base/error.h"
#include "core/base/exact_sum.h"
#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/orientation.h"
#include "core/parallel/shared_items.h"
#include "core/parallel/workers.h"
#include "core/wavefront/partitions/work_in_parts.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

/// Returns the largest length that matters. Longer windows contain no other cells of a line of
/// `cells`, or do not fit.
std::int64_t last_that_counts(std::int64_t longest, std::int64_t cells) {
  return std::min(longest, 2 * cells);
}

/// Returns the longest window inside a zone on a line of `count` cells, including the margins of
/// the border at that length.
std::int64_t longest_in(std::int64_t begin, std::int64_t end, std::int64_t count,
                        LineBorder border) {
  const std::int64_t width = end - begin;
  const bool at_front = begin == 0;
  const bool at_end = end == count;
  switch (border) {
    case LineBorder::Inside:
      return width;
    case LineBorder::Ignore:
      return at_front || at_end ? kForEver : width;
    case LineBorder::Anchor:
      break;
  }
  // Half a window's length more in front, and one less at the end: see margins().
  if (at_front) return at_end ? kForEver : 2 * width;
  return at_end ? 2 * width - 1 : width;
}

/// Result of a worker: the sum of all cells, and the change of the sum after each length.
template <typename Voxel>
class Changes {
 public:
  using Cell = CellOf<Voxel>;

  Changes(std::int64_t lengths, LineFilter filter)
      : by_length_(static_cast<std::size_t>(lengths)), filter_(filter) {}

  void add(const std::vector<Cell>& line, LineBorder border) {
    const std::int64_t count = std::ssize(line);
    for (std::int64_t i = 0; i < count; ++i) {
      all_.add(voxel(line[i]));
      std::int64_t begin = i;
      while (!zones_.empty() && zones_.back().value > line[i])
        begin = end_zone(i, count, &line[i], border);
      if (zones_.empty() || zones_.back().value < line[i]) zones_.push_back({line[i], begin});
    }
    while (!zones_.empty())
      end_zone(count, count, nullptr, border);
  }

  void operator+=(const Changes& other) {
    all_ += other.all_;
    for (std::size_t i = 0; i < by_length_.size(); ++i)
      by_length_[i] += other.by_length_[i];
  }

  /// Adds the changes of all other ranks. Collective.
  void add_all(Ranks& ranks) {
    sum_over_ranks(ranks, std::span(&all_, 1));
    sum_over_ranks(ranks, std::span(by_length_));
  }

  /// Returns the sums for the first `lengths` lengths. After the last recorded length nothing
  /// changes.
  [[nodiscard]] std::vector<double> sums(std::int64_t lengths) const {
    std::vector<double> result;
    ExactSum<Voxel> sum = all_;
    for (std::int64_t i = 0; i < lengths; ++i) {
      result.push_back(sum.value());
      if (i < std::ssize(by_length_)) sum += by_length_[i];
    }
    return result;
  }

 private:
  struct Zone {
    Cell value;
    std::int64_t begin;
  };

  /// Cells are inverted for closings.
  [[nodiscard]] Voxel voxel(Cell cell) const {
    return from_cell<Voxel>(cell, filter_ == LineFilter::Closing);
  }

  /// Ends the highest zone before `end`, where the line falls to `lower` (null: the line ends). Its
  /// cells fall to that or to the zone below, whichever is higher. A lower zone continues from its
  /// beginning, which is returned.
  std::int64_t end_zone(std::int64_t end, std::int64_t count, const Cell* lower,
                        LineBorder border) {
    const Zone zone = zones_.back();
    zones_.pop_back();
    const std::int64_t kept = longest_in(zone.begin, end, count, border);
    if (kept <= std::ssize(by_length_)) {
      ExactSum<Voxel>& change = by_length_[kept - 1];
      change.add(voxel(zone.value), zone.begin - end);
      change.add(next_value(lower), end - zone.begin);
    }
    return zone.begin;
  }

  [[nodiscard]] Voxel next_value(const Cell* lower) const {
    if (zones_.empty() && lower == nullptr)  // the whole line: no window fits any more
      return linear::filtered_voxel<Voxel>(linear::never<Cell>(filter_), filter_);
    if (zones_.empty()) return voxel(*lower);
    return voxel(lower == nullptr ? zones_.back().value : std::max(zones_.back().value, *lower));
  }

  ExactSum<Voxel> all_;
  std::vector<ExactSum<Voxel>> by_length_;  // the change from i + 1 cells to i + 2
  LineFilter filter_;
  std::vector<Zone> zones_;
};

/// Lines of a problem, a task's number of them at a time.
template <typename Voxel>
class LineScan {
 public:
  LineScan(const GranulometryProblem& problem, const Voxel* voxels)
      : problem_(problem),
        voxels_(voxels),
        cells_each_(problem.lines.size()[problem.lines.major()]),
        lines_each_(std::max<std::int64_t>(1, kCellsPerTask / cells_each_)),
        steps_(static_cast<std::size_t>(cells_each_)) {
    const LineFamily& lines = problem.lines;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      steps_[i] = geometry().offset({lines.shifts(0)[i], lines.shifts(1)[i], lines.shifts(2)[i]});
  }

  [[nodiscard]] std::int64_t tasks() const {
    return (problem_.lines.line_count() + lines_each_ - 1) / lines_each_;
  }
  /// Returns the mean number of cells of a task: lines at an angle are cut off by the image.
  [[nodiscard]] std::int64_t task_cells() const {
    return std::max<std::int64_t>(1, geometry().voxel_count() / tasks());
  }
  [[nodiscard]] Changes<Voxel> no_changes() const {
    return {last_that_counts(problem_.longest, cells_each_), problem_.filter};
  }

  /// Returns the changes of a part's lines. Threads take tasks as they come.
  [[nodiscard]] Changes<Voxel> scan(const LayerRange& part, Context& context) const {
    const int threads =
        static_cast<int>(std::clamp<std::int64_t>(part.layers(), 1, context.threads()));
    std::vector<Changes<Voxel>> of_thread(static_cast<std::size_t>(threads), no_changes());
    std::atomic<std::int64_t> next = part.begin;
    run_workers(threads, [&](int thread) {
      for (std::int64_t task = next++; task < part.end; task = next++) {
        context.checkpoint(static_cast<double>(task - part.begin) /
                           static_cast<double>(part.layers()));
        add_lines(task, of_thread[thread]);
      }
    });
    for (int thread = 1; thread < threads; ++thread)
      of_thread[0] += of_thread[thread];
    return std::move(of_thread[0]);
  }

 private:
  [[nodiscard]] const Geometry& geometry() const { return problem_.image.geometry(); }

  void add_lines(std::int64_t task, Changes<Voxel>& changes) const {
    const LineFamily& lines = problem_.lines;
    const bool turned = problem_.filter == LineFilter::Closing;
    const std::int64_t end = std::min(lines.line_count(), (task + 1) * lines_each_);
    std::vector<CellOf<Voxel>> line;
    for (std::int64_t i = task * lines_each_; i < end; ++i) {
      const DigitalLine at = lines.line(i);
      const std::int64_t base = geometry().offset(at.base);
      line.clear();
      for (std::int64_t place = at.first; place < at.last; ++place)
        line.push_back(to_cell(voxels_[base + steps_[place]], turned));
      changes.add(line, problem_.border);
    }
  }

  const GranulometryProblem& problem_;
  const Voxel* voxels_;
  std::int64_t cells_each_;
  std::int64_t lines_each_;
  std::vector<std::int64_t> steps_;
};

template <typename Voxel>
std::vector<double> sums_of(const GranulometryProblem& problem, const Voxel* voxels,
                            Context& context) {
  const LineScan<Voxel> lines(problem, voxels);
  Changes<Voxel> all = lines.no_changes();
  std::mutex mutex;  // guards all
  for_each_part(
      {.own = own_items(context, lines.tasks()), .cells_each = lines.task_cells()},
      [&](const LayerRange& part, Context& own) {
        const Changes<Voxel> changes = lines.scan(part, own);
        const std::lock_guard lock(mutex);
        all += changes;
      },
      context);
  if (Ranks* const ranks = context.ranks()) all.add_all(*ranks);
  return all.sums(problem.longest + 1);
}

void check(const GranulometryProblem& problem) {
  if (problem.longest < 1)
    throw UsageError("the longest line must have at least 1 cell, not " +
                     std::to_string(problem.longest));
  seedwave::check(LinearOpeningProblem{.image = problem.image, .lines = problem.lines});
}

}  // namespace

std::vector<double> granulometry(const GranulometryProblem& problem, Context& context) {
  check(problem);
  return visit_voxels(problem.image,
                      [&](auto voxels) { return sums_of(problem, voxels.data(), context); });
}

std::vector<double> granulometry_by(const LinearOpeningSolver& open,
                                    const GranulometryProblem& problem, Context& context) {
  check(problem);
  std::vector<double> sums;
  for (std::int64_t length = 1; length <= problem.longest + 1; ++length) {
    context.checkpoint(static_cast<double>(length) / static_cast<double>(problem.longest + 1));
    Context one(Context::Settings{.stop = context.stop_token(), .threads = context.threads()});
    LineFanProblem fan{.image = problem.image,
                       .directions = {{problem.lines, length}},
                       .border = problem.border,
                       .filter = problem.filter};
    sums.push_back(angular_spectrum_by(open, fan, one).front());
  }
  return sums;
}

}  // namespace seedwave
