// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave {
namespace {

// Openings of one line by windows that lie wholly on it, one algorithm per class. Every class keeps
// its memory from line to line. A cell in no window gets the lowest value.

/// The definition.
template <typename Cell>
class NaiveScan {
 public:
  void open(const std::vector<Cell>& line, std::int64_t length, std::vector<Cell>& opened) {
    opened.assign(line.size(), linear::kLowest<Cell>);
    for (std::int64_t first = 0; first + length <= std::ssize(line); ++first) {
      const auto window = line.begin() + first;
      const Cell lowest = *std::min_element(window, window + length);
      for (std::int64_t i = first; i < first + length; ++i)
        opened[i] = std::max(opened[i], lowest);
    }
  }
};

/// Erosion, then dilation, each from running extremes of blocks of the window's length, forwards
/// and backwards. Two cells and one comparison give any window.
template <typename Cell>
class HgwScan {
 public:
  void open(const std::vector<Cell>& line, std::int64_t length, std::vector<Cell>& opened) {
    const std::int64_t windows = std::ssize(line) - length + 1;
    if (windows < 1) {
      opened.assign(line.size(), linear::kLowest<Cell>);
      return;
    }
    const auto lesser = [](Cell a, Cell b) { return std::min(a, b); };
    const auto greater = [](Cell a, Cell b) { return std::max(a, b); };
    run(line, length, lesser);
    // A cell lies in the windows that begin at most length - 1 before it.
    eroded_.assign(static_cast<std::size_t>(windows + 2 * (length - 1)), linear::kLowest<Cell>);
    for (std::int64_t i = 0; i < windows; ++i)
      eroded_[length - 1 + i] = lesser(backward_[i], forward_[i + length - 1]);
    run(eroded_, length, greater);
    opened.resize(line.size());
    for (std::int64_t i = 0; i < std::ssize(line); ++i)
      opened[i] = greater(backward_[i], forward_[i + length - 1]);
  }

 private:
  template <typename Choose>
  void run(const std::vector<Cell>& cells, std::int64_t length, Choose choose) {
    const std::int64_t count = std::ssize(cells);
    forward_.resize(cells.size());
    backward_.resize(cells.size());
    for (std::int64_t i = 0; i < count; ++i)
      forward_[i] = i % length == 0 ? cells[i] : choose(forward_[i - 1], cells[i]);
    for (std::int64_t i = count - 1; i >= 0; --i) {
      const bool begins = i == count - 1 || (i + 1) % length == 0;
      backward_[i] = begins ? cells[i] : choose(backward_[i + 1], cells[i]);
    }
  }

  std::vector<Cell> eroded_;
  std::vector<Cell> forward_;
  std::vector<Cell> backward_;
};

/// A stack of flat zones with their beginnings, each higher than those below. When the line falls,
/// the zones above it end. A zone that is long enough gives the answer for itself and all zones
/// below it.
template <typename Cell>
class MorardScan {
 public:
  void open(const std::vector<Cell>& line, std::int64_t length, std::vector<Cell>& opened) {
    opened.assign(line.size(), linear::kLowest<Cell>);
    zones_.clear();
    written_ = 0;
    for (std::int64_t i = 0; i < std::ssize(line); ++i) {
      std::int64_t begin = i;
      while (!zones_.empty() && zones_.back().value > line[i])
        begin = end_zone(i, length, opened);
      if (zones_.empty() || zones_.back().value < line[i]) zones_.push_back({line[i], begin});
    }
    while (!zones_.empty())
      end_zone(std::ssize(line), length, opened);
  }

 private:
  struct Zone {
    Cell value;
    std::int64_t begin;
  };

  /// Ends the highest zone before `end`. Returns its beginning, from which a lower zone continues.
  std::int64_t end_zone(std::int64_t end, std::int64_t length, std::vector<Cell>& opened) {
    if (end - zones_.back().begin >= length) write_all(end, opened);
    const std::int64_t begin = zones_.back().begin;
    zones_.pop_back();
    return begin;
  }

  /// Zones below are longer. Cells written before had a higher answer.
  void write_all(std::int64_t end, std::vector<Cell>& opened) {
    std::int64_t last = end;
    for (std::size_t i = zones_.size(); i > 0 && last > written_; --i) {
      const std::int64_t first = std::max(zones_[i - 1].begin, written_);
      std::fill(opened.begin() + first, opened.begin() + last, zones_[i - 1].value);
      last = first;
    }
    written_ = end;
  }

  std::vector<Zone> zones_;
  std::int64_t written_ = 0;  // all cells before it are written
};

/// A queue of flat zones in the order of the line. Peaks narrower than the window are erased as
/// soon as the line falls again. A zone that leaves the queue `length` cells after the scan is
/// final.
template <typename Cell>
class BartovskyScan {
 public:
  void open(const std::vector<Cell>& line, std::int64_t length, std::vector<Cell>& opened) {
    const std::int64_t count = std::ssize(line);
    opened.assign(line.size(), linear::kLowest<Cell>);
    if (count < length) return;
    queue_.resize(static_cast<std::size_t>(length) + 1);
    front_ = size_ = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      take(line[i], i, length);
      if (i + 1 >= length) put(i + 1 - length, opened);
    }
    take_end(count, length);
    for (std::int64_t i = count - length + 1; i < count && size_ > 0; ++i)
      put(i, opened);
  }

 private:
  struct Zone {
    Cell value;
    std::int64_t begin;
    bool passed;  // part of a zone that is long enough in any case
  };

  Zone& zone(std::size_t i) {
    const std::size_t place = front_ + i;
    return queue_[place < queue_.size() ? place : place - queue_.size()];
  }
  Zone& back() { return zone(size_ - 1); }
  void push(const Zone& last) {
    ++size_;
    back() = last;
  }

  void take(Cell value, std::int64_t i, std::int64_t length) {
    Zone next{value, i, false};
    while (size_ > 0 && back().value > value) {
      if (back().passed || i - back().begin >= length) {
        next = {value, i, true};
        break;
      }
      next.begin = back().begin;
      --size_;
    }
    if (next.passed || size_ == 0 || back().value < value) push(next);
  }

  /// Nothing follows the line, so peaks at its end that are too narrow are erased too.
  void take_end(std::int64_t count, std::int64_t length) {
    while (size_ > 0 && !back().passed && count - back().begin < length)
      --size_;
  }

  void put(std::int64_t i, std::vector<Cell>& opened) {
    while (size_ > 1 && zone(1).begin <= i) {
      front_ = front_ + 1 == queue_.size() ? 0 : front_ + 1;
      --size_;
    }
    if (zone(0).begin <= i) opened[i] = zone(0).value;
  }

  std::vector<Zone> queue_;  // ring buffer
  std::size_t front_ = 0;
  std::size_t size_ = 0;
};

constexpr std::int64_t kLineCellsPerTask = 1 << 14;

/// Copies each line, extended at both ends and for a closing inverted, opens it, and writes it
/// back.
template <typename Voxel, typename Scan>
class LineByLine {
 public:
  using Cell = CellOf<Voxel>;

  LineByLine(const LinearOpeningProblem& problem, const Voxel* voxels, Voxel* opened)
      : problem_(problem), voxels_(voxels), opened_(opened) {
    const LineFamily& lines = problem.lines;
    const Geometry& geometry = problem.image.geometry();
    steps_.resize(static_cast<std::size_t>(geometry.size[lines.major()]));
    for (std::size_t i = 0; i < steps_.size(); ++i)
      steps_[i] = geometry.offset({lines.shifts(0)[i], lines.shifts(1)[i], lines.shifts(2)[i]});
  }

  void run(Context& context) const {
    const std::int64_t cells_each = problem_.lines.size()[problem_.lines.major()];
    const std::int64_t grain = std::max<std::int64_t>(1, kLineCellsPerTask / cells_each);
    const std::int64_t count = problem_.lines.line_count();
    parallel_for(context, count, grain, [&](std::int64_t begin, std::int64_t end) {
      Scan scan;
      std::vector<Cell> line;
      std::vector<Cell> opened;
      for (std::int64_t i = begin; i < end; ++i) {
        context.checkpoint(static_cast<double>(i) / static_cast<double>(count));
        open(problem_.lines.line(i), scan, line, opened);
      }
    });
  }

 private:
  void open(const DigitalLine& at, Scan& scan, std::vector<Cell>& line,
            std::vector<Cell>& opened) const {
    const std::int64_t count = at.last - at.first;
    if (count == 0) return;
    const bool turned = problem_.filter == LineFilter::Closing;
    const std::int64_t length = linear::least_length(problem_.border, problem_.length, count);
    const auto [front, behind] = margins(problem_.border, length);
    const std::int64_t base = problem_.image.geometry().offset(at.base);
    line.assign(static_cast<std::size_t>(front + count + behind), linear::kHighest<Cell>);
    for (std::int64_t i = 0; i < count; ++i)
      line[front + i] = to_cell(voxels_[base + steps_[at.first + i]], turned);
    scan.open(line, length, opened);
    for (std::int64_t i = 0; i < count; ++i) {
      const Cell cell = opened[front + i];
      opened_[base + steps_[at.first + i]] =
          linear::filtered_voxel<Voxel>(turned ? static_cast<Cell>(~cell) : cell, problem_.filter);
    }
  }

  const LinearOpeningProblem& problem_;
  const Voxel* voxels_;
  Voxel* opened_;
  std::vector<std::int64_t> steps_;  // offsets along a line
};

template <typename Voxel, template <typename> class Scan>
void run(const LinearOpeningProblem& problem, const Voxel* voxels, Voxel* opened,
         Context& context) {
  LineByLine<Voxel, Scan<CellOf<Voxel>>>(problem, voxels, opened).run(context);
}

}  // namespace

std::string name_of(LineAlgorithm algorithm) {
  switch (algorithm) {
    case LineAlgorithm::Naive:
      return "naive";
    case LineAlgorithm::Hgw:
      return "hgw";
    case LineAlgorithm::Morard:
      return "morard";
    case LineAlgorithm::Bartovsky:
      break;
  }
  return "bartovsky";
}

Volume linear_opening_by(LineAlgorithm algorithm, const LinearOpeningProblem& problem,
                         Context& context) {
  check(problem);
  const auto stage = context.stage(problem.filter == LineFilter::Opening ? "opening" : "closing");
  const Geometry& geometry = problem.image.geometry();
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto opened = large_array<Voxel>(voxels.size());
    switch (algorithm) {
      case LineAlgorithm::Naive:
        run<Voxel, NaiveScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Hgw:
        run<Voxel, HgwScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Morard:
        run<Voxel, MorardScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Bartovsky:
        run<Voxel, BartovskyScan>(problem, voxels.data(), opened.get(), context);
        break;
    }
    return Volume(geometry, std::move(opened));
  });
}

}  // namespace seedwave
