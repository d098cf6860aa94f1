// SPDX-License-Identifier: Apache-2.0
#include "core/ops/hardly_grown.h"

#include "core/image/connectivity.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace seedwave {
namespace {

/// A part of the result is at least so many times as large as its seeds, if it has grown.
constexpr std::size_t kGrowth = 2;
/// Share of a label's seeds in other parts that is worth a warning: one in so many.
constexpr std::size_t kShare = 10;

class Parts {
 public:
  Parts(const LabelMap& result, Label label, std::span<const Seed> seeds)
      : result_(result), label_(label), steps_(neighbour_steps(Connectivity::C6)) {
    for (const Seed& seed : seeds) {
      if (seed.label == label) cells_.push_back(seed.offset);
    }
  }

  /// Returns the number of seeds in parts that are hardly larger than their seeds.
  std::size_t seeds_not_grown() {
    std::size_t count = 0;
    for (const std::int64_t cell : cells_) {
      if (!part_of_.contains(cell)) count += flood(cell);
    }
    return count;
  }
  [[nodiscard]] std::size_t seeds() const { return cells_.size(); }

 private:
  /// Visits the part that holds a seed, until it has surely grown. Returns its seeds if it has not.
  std::size_t flood(std::int64_t from) {
    const std::size_t most = kGrowth * cells_.size();
    std::vector<std::int64_t> open{from};
    part_of_[from] = from;
    std::size_t seeds = 0;
    bool has_grown = false;
    for (std::size_t i = 0; i < open.size() && !has_grown; ++i) {
      if (std::ranges::binary_search(cells_, open[i])) ++seeds;
      const Geometry& geometry = result_.geometry();
      const Index3 at = geometry.index_of(open[i]);
      for (const NeighbourStep& step : steps_) {
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!geometry.contains(to) || result_.at(to) != label_) continue;
        const auto [place, is_new] = part_of_.try_emplace(geometry.offset(to), from);
        if (is_new) open.push_back(place->first);
        // Another flood that was left off has met this part: it has grown.
        has_grown = has_grown || place->second != from;
      }
      has_grown = has_grown || open.size() > most;
    }
    return has_grown || open.size() > kGrowth * seeds ? 0 : seeds;
  }

  const LabelMap& result_;
  Label label_;
  std::vector<NeighbourStep> steps_;
  std::vector<std::int64_t> cells_;
  std::unordered_map<std::int64_t, std::int64_t> part_of_;  // by its first seed
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
