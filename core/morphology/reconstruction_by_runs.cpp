// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction_by_runs.h"

#include "core/base/disjoint_sets.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/strips.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kWord = 64;

/// Packs 64 bytes of value 0 or 1 into bits: bit i is byte i.
std::uint64_t packed(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes + 8 * i, sizeof(eight));
    // Each byte's bit moves to its own position in the highest byte, and no sum carries.
    word |= (eight * 0x0102040810204080U >> 56) << (8 * i);
  }
  return word;
}

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

RunComponents::RunComponents(const Index3& size, Connectivity connectivity, const Object& object,
                             Context& context)
    : size_(size),
      before_(preceding_rows(connectivity)),
      rows_per_strip_(rows_per_strip(size)),
      words_per_row_(size[0] / kWord + 1),
      bits_(
          large_array<std::uint64_t>(static_cast<std::size_t>(size[1] * size[2] * words_per_row_))),
      first_runs_(static_cast<std::size_t>(size[1] * size[2] + 1)) {
  static_assert(std::endian::native == std::endian::little, "packed() takes byte 0 as the lowest");
  require(size[0] * size[1] * size[2] <= kMostCells);
  const std::int64_t rows = size[1] * size[2];
  const auto for_each_strip = [&](auto&& body) {
    parallel_for(context, strip_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t strip = begin; strip < end; ++strip) {
        context.checkpoint(0.0);
        body(strip);
      }
    });
  };
  for_each_strip([&](std::int64_t strip) { find_bits(strip, object); });
  for (std::int64_t row = 0; row < rows; ++row)
    first_runs_[static_cast<std::size_t>(row + 1)] += first_run(row);
  runs_ = large_array<Run>(static_cast<std::size_t>(run_count()), LastPage::Whole);
  sets_ = DisjointSets<std::uint32_t>(static_cast<std::uint32_t>(run_count()));
  for_each_strip([&](std::int64_t strip) { find_runs(strip); });
  bits_.reset();
  for_each_strip([&](std::int64_t strip) { join_with_rows_before(strip, true); });
  for (std::int64_t strip = 1; strip < strip_count(); ++strip)
    join_with_rows_before(strip, false);
}

std::int64_t RunComponents::last_row(std::int64_t strip) const noexcept {
  return std::min(size_[1] * size_[2], first_row(strip) + rows_per_strip_);
}

/// Computes the bits of a strip's rows, and the number of runs in each row.
void RunComponents::find_bits(std::int64_t strip, const Object& object) {
  // Cells beyond the row are outside, so the last run ends.
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(words_per_row_ * kWord));
  for (std::int64_t row = first_row(strip); row < last_row(strip); ++row) {
    object(row, inside.data());
    std::uint64_t* bits = bits_.get() + row * words_per_row_;
    std::uint64_t before = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < words_per_row_; ++i) {
      const std::uint64_t word = packed(inside.data() + i * kWord);
      bits[i] = word;
      count += std::popcount(word & ~(word << 1 | before));
      before = word >> (kWord - 1);
    }
    first_runs_[static_cast<std::size_t>(row + 1)] = count;
  }
}

/// Writes into memory of the right size: vectors that grow took a third of the time.
void RunComponents::find_runs(std::int64_t strip) {
  for (std::int64_t row = first_row(strip); row < last_row(strip); ++row) {
    const std::uint64_t* bits = bits_.get() + row * words_per_row_;
    Run* run = runs_.get() + first_run(row);
    std::uint64_t before = 0;
    bool is_inside = false;
    for (std::int64_t i = 0; i < words_per_row_; ++i) {
      std::uint64_t changes = bits[i] ^ (bits[i] << 1 | before);
      before = bits[i] >> (kWord - 1);
      for (; changes != 0; changes &= changes - 1) {
        const auto at = static_cast<std::int32_t>(i * kWord + std::countr_zero(changes));
        (is_inside ? run->end : run->begin) = at;
        run += is_inside ? 1 : 0;
        is_inside = !is_inside;
      }
    }
  }
}

/// Joins the runs of row a with the runs of row b that they touch.
void RunComponents::join_rows(std::int64_t a, std::int64_t b, int reach) {
  const std::span<const Run> ours = runs(a);
  const std::span<const Run> theirs = runs(b);
  const auto our_first = static_cast<std::uint32_t>(first_run(a));
  const auto their_first = static_cast<std::uint32_t>(first_run(b));
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < ours.size() && j < theirs.size()) {
    if (ours[i].end + reach <= theirs[j].begin) {
      ++i;
    } else if (theirs[j].end + reach <= ours[i].begin) {
      ++j;
    } else {
      sets_.join(our_first + i, their_first + j);
      // The run that ends first touches no other: runs of one row do not touch each other.
      if (ours[i].end < theirs[j].end) {
        ++i;
      } else {
        ++j;
      }
    }
  }
}

/// Joins the runs of a strip's rows with those of preceding rows, of the same strip or of others.
void RunComponents::join_with_rows_before(std::int64_t strip, bool within) {
  const std::int64_t first = first_row(strip);
  for (std::int64_t row = first; row < last_row(strip); ++row) {
    if (within) {
      const auto begin = static_cast<std::uint32_t>(first_run(row));
      const auto end = static_cast<std::uint32_t>(begin + runs(row).size());
      for (std::uint32_t run = begin; run < end; ++run)
        sets_.add(run);
    }
    const std::int64_t y = row % size_[1];
    const std::int64_t z = row / size_[1];
    for (const NeighbourStep& step : before_) {
      if (y + step.dy < 0 || y + step.dy >= size_[1] || z + step.dz < 0) continue;
      const std::int64_t other = row + step.dy + size_[1] * step.dz;
      if ((other >= first) == within) join_rows(row, other, step.dx);
    }
  }
}

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
