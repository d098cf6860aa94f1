// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction_by_runs.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/run_components.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Number of voxels between checks for a third value, so an image of many values costs no more.
constexpr std::int64_t kVoxelsPerLook = 4096;

// The loops over voxels are separate functions: inside larger ones they are not vectorised.

template <typename Voxel>
[[gnu::noinline]] bool has_others(const Voxel* voxels, std::int64_t count, Voxel a, Voxel b) {
  int others = 0;
  for (std::int64_t i = 0; i < count; ++i)
    others |= static_cast<int>(voxels[i] != a) & static_cast<int>(voxels[i] != b);
  return others != 0;
}
template <typename Voxel>
[[gnu::noinline]] void note_equal(const Voxel* __restrict voxels, std::int64_t count, Voxel value,
                                  std::uint8_t* __restrict equal) {
  for (std::int64_t i = 0; i < count; ++i)
    equal[i] = static_cast<std::uint8_t>(voxels[i] == value);
}
template <typename Cell>
[[gnu::noinline]] Cell highest_of(const Cell* cells, std::int64_t count) {
  Cell highest = cells[0];
  for (std::int64_t i = 1; i < count; ++i)
    highest = std::max(highest, cells[i]);
  return highest;
}
template <typename Voxel>
[[gnu::noinline]] std::pair<Voxel, Voxel> lowest_and_highest(std::span<const Voxel> voxels) {
  Voxel lowest = voxels.front();
  Voxel highest = lowest;
  for (const Voxel voxel : voxels) {
    lowest = voxel < lowest ? voxel : lowest;
    highest = voxel > highest ? voxel : highest;
  }
  return {lowest, highest};
}
template <typename Cell>
[[gnu::noinline]] std::int64_t count_above(const Cell* cells, const Cell* limits,
                                           std::int64_t count) {
  std::int64_t above = 0;
  for (std::int64_t i = 0; i < count; ++i)
    above += cells[i] > limits[i] ? 1 : 0;
  return above;
}

/// Many runs are short, and a function call would cost more than they do.
template <typename Voxel>
void set(Voxel value, std::int32_t count, Voxel* voxels) {
  constexpr std::int32_t kShort = 16;
  if (count > kShort) {
    std::fill_n(voxels, count, value);
    return;
  }
  for (std::int32_t i = 0; i < count; ++i)
    voxels[i] = value;
}

/// Returns the mask's two values as voxels, the lower one first in the direction of the problem.
template <typename Voxel>
std::optional<std::pair<Voxel, Voxel>> two_values(std::span<const Voxel> mask, bool turned) {
  const Voxel first = mask.front();
  Voxel second = first;
  for (std::int64_t begin = 0; begin < std::ssize(mask); begin += kVoxelsPerLook) {
    const std::int64_t count = std::min(kVoxelsPerLook, std::ssize(mask) - begin);
    const Voxel* voxels = mask.data() + begin;
    if (!has_others(voxels, count, first, second)) continue;
    if (second != first) return std::nullopt;
    second = *std::find_if(voxels, voxels + count, [&](Voxel voxel) { return voxel != first; });
    if (has_others(voxels, count, first, second)) return std::nullopt;
  }
  if (second == first) return std::nullopt;
  const bool rises = to_cell(first, turned) < to_cell(second, turned);
  return rises ? std::pair(first, second) : std::pair(second, first);
}

template <typename Voxel>
class Runs {
 public:
  using Cell = CellOf<Voxel>;

  /// `values` are those of the mask, the lower one first.
  Runs(const ReconstructionProblem& problem, const std::pair<Voxel, Voxel>& values,
       Context& context)
      : geometry_(problem.mask.geometry()),
        marker_(problem.marker.voxels<Voxel>().data()),
        turned_(problem.direction == ReconstructionDirection::Erosion),
        low_voxel_(values.first),
        low_(to_cell(values.first, turned_)),
        high_(to_cell(values.second, turned_)),
        context_(context),
        components_(
            geometry_.size, problem.connectivity,
            [&, mask = problem.mask.voxels<Voxel>().data()](std::int64_t row,
                                                            std::uint8_t* inside) {
              note_equal(mask + row * geometry_.size[0], geometry_.size[0], values.second, inside);
            },
            context),
        highest_(large_array<Cell>(static_cast<std::size_t>(components_.run_count()))) {}

  Reconstruction solve() {
    take_markers();
    for (std::int64_t run = 0; run < components_.run_count(); ++run) {
      if (highest_[static_cast<std::size_t>(run)] == low_) continue;
      Cell& highest = highest_[static_cast<std::size_t>(components_.component_of(run))];
      highest = std::max(highest, highest_[static_cast<std::size_t>(run)]);
    }
    // A component's first run comes before its others.
    for (std::int64_t run = 0; run < components_.run_count(); ++run) {
      highest_[static_cast<std::size_t>(run)] =
          highest_[static_cast<std::size_t>(components_.component_of(run))];
    }
    return {answer(), clipped_.load()};
  }

 private:
  /// Calls body(row, scratch) for all rows. A thread's scratch holds two rows of cells.
  template <typename Body>
  void for_rows(Body&& body) {
    const auto length = static_cast<std::size_t>(geometry_.size[0]);
    parallel_for(context_, components_.strip_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Cell> cells(length);
      std::vector<Cell> limits(length);
      for (std::int64_t strip = begin; strip < end; ++strip) {
        context_.checkpoint(0.0);
        for (std::int64_t row = components_.first_row(strip); row < components_.last_row(strip);
             ++row) {
          body(row, cells.data(), limits.data());
        }
      }
    });
  }

  /// Finds the highest marker of each run, and counts those above the mask.
  void take_markers() {
    const std::int64_t length = geometry_.size[0];
    for_rows([&](std::int64_t row, Cell* cells, Cell* limits) {
      const auto first = static_cast<std::size_t>(components_.first_run(row));
      const auto runs = components_.runs(row);
      // The case of most rows of a sparse marker.
      if (!has_others(marker_ + row * length, length, low_voxel_, low_voxel_)) {
        std::fill_n(highest_.get() + first, runs.size(), low_);
        return;
      }
      to_cells(marker_ + row * length, length, turned_, cells);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunComponents::Run run = runs[i];
        highest_[first + i] = std::min(high_, highest_of(cells + run.begin, run.end - run.begin));
      }
      std::fill_n(limits, length, low_);
      for (const RunComponents::Run run : runs)
        std::fill(limits + run.begin, limits + run.end, high_);
      const std::int64_t above = count_above(cells, limits, length);
      if (above != 0) clipped_.fetch_add(above, std::memory_order_relaxed);
    });
  }

  Volume answer() {
    const std::int64_t length = geometry_.size[0];
    auto voxels =
        large_array<Voxel>(static_cast<std::size_t>(geometry_.voxel_count()), LastPage::Whole);
    for_rows([&](std::int64_t row, Cell*, Cell*) {
      Voxel* to = voxels.get() + row * length;
      std::fill_n(to, length, from_cell<Voxel>(low_, turned_));
      auto highest = static_cast<std::size_t>(components_.first_run(row));
      for (const RunComponents::Run run : components_.runs(row)) {
        const Cell value = highest_[highest++];
        if (value != low_)
          set(from_cell<Voxel>(value, turned_), run.end - run.begin, to + run.begin);
      }
    });
    return Volume(geometry_, std::move(voxels));
  }

  const Geometry& geometry_;
  const Voxel* marker_;
  bool turned_;
  Voxel low_voxel_;
  Cell low_;
  Cell high_;
  Context& context_;
  RunComponents components_;
  LargeArray<Cell> highest_;  // by run: of the run, then of its component
  std::atomic<std::int64_t> clipped_{0};
};

}  // namespace

bool has_two_values(const ReconstructionProblem& problem) {
  if (problem.mask.geometry().voxel_count() > RunComponents::kMostCells) return false;
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    const bool turned = problem.direction == ReconstructionDirection::Erosion;
    const auto values = two_values<Voxel>(voxels, turned);
    if (!values) return false;
    const auto marker = problem.marker.voxels<Voxel>();
    return turned ? lowest_and_highest(marker).second <= values->first
                  : lowest_and_highest(marker).first >= values->first;
  });
}

Reconstruction reconstruct_by_runs(const ReconstructionProblem& problem, Context& context) {
  require(has_two_values(problem));
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    const bool turned = problem.direction == ReconstructionDirection::Erosion;
    return Runs<Voxel>(problem, *two_values<Voxel>(voxels, turned), context).solve();
  });
}

}  // namespace seedwave
