// SPDX-License-Identifier: Apache-2.0
#include "core/ops/hardly_grown.h"

#include "core/base/large_memory.h"
#include "core/image/connectivity.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave {
namespace {

/// A part of the result is at least so many times as large as its seeds, if it has grown.
constexpr std::size_t kGrowth = 2;
/// Share of a label's seeds in other parts that is worth a warning: one in so many.
constexpr std::size_t kShare = 10;

class Parts {
 public:
  Parts(const LabelMap& result, Label label, std::span<const Seed> seeds)
      : result_(result),
        label_(label),
        steps_(neighbour_steps(Connectivity::C6)),
        marks_(sparse_zeros<std::uint32_t>(
            static_cast<std::size_t>(result.geometry().voxel_count()))) {
    for (const Seed& seed : seeds) {
      if (seed.label != label) continue;
      cells_.push_back(seed.offset);
      marks_[seed.offset] = kSeed;
    }
  }

  /// Returns the number of seeds in parts that are hardly larger than their seeds.
  std::size_t seeds_not_grown() {
    std::size_t count = 0;
    for (const std::int64_t cell : cells_) {
      if (marks_[cell] == kSeed) count += flood(cell);
    }
    return count;
  }
  [[nodiscard]] std::size_t seeds() const { return cells_.size(); }

 private:
  static constexpr std::uint32_t kSeed = std::uint32_t{1} << 31;

  /// Visits the part that holds a seed, until it has surely grown. Returns its seeds if it has not.
  std::size_t flood(std::int64_t from) {
    const std::size_t most = kGrowth * cells_.size();
    const std::uint32_t flood = ++floods_;
    const Geometry& geometry = result_.geometry();
    std::vector<std::int64_t> open;
    std::size_t seeds = 0;
    const auto add = [&](std::int64_t cell) {
      if (marks_[cell] == kSeed) ++seeds;
      marks_[cell] |= flood;
      open.push_back(cell);
    };
    add(from);
    bool has_grown = false;
    for (std::size_t i = 0; i < open.size() && !has_grown; ++i) {
      const Index3 at = geometry.index_of(open[i]);
      for (const NeighbourStep& step : steps_) {
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!geometry.contains(to) || result_.at(to) != label_) continue;
        const std::int64_t cell = geometry.offset(to);
        const std::uint32_t by = marks_[cell] & ~kSeed;
        if (by == 0) add(cell);
        // Another flood that was left off has met this part: it has grown.
        has_grown = has_grown || (by != 0 && by != flood);
      }
      has_grown = has_grown || open.size() > most;
    }
    return has_grown || open.size() > kGrowth * seeds ? 0 : seeds;
  }

  const LabelMap& result_;
  Label label_;
  std::vector<NeighbourStep> steps_;
  std::vector<std::int64_t> cells_;
  std::uint32_t floods_ = 0;
  /// By voxel: kSeed, and the number of the flood that visited it.
  SparseZeros<std::uint32_t> marks_;
};

}  // namespace

std::vector<std::string> hardly_grown(const LabelMap& result, std::span<const Seed> seeds,
                                      const std::set<Label>& labels) {
  std::vector<std::string> warnings;
  for (const Label label : labels) {
    Parts parts(result, label, seeds);
    const std::size_t not_grown = parts.seeds_not_grown();
    if (not_grown == 0 || not_grown * kShare < parts.seeds()) continue;
    const std::string share =
        not_grown == parts.seeds()
            ? "the strokes"
            : std::to_string(not_grown) + " of " + std::to_string(parts.seeds()) + " stroke voxels";
    warnings.push_back(share + " of label " + std::to_string(label) +
                       " hardly grow: paint where it looks typical, or make it looser");
  }
  return warnings;
}

}  // namespace seedwave
