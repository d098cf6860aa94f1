// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/statistics.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

namespace seedwave::fuzzy {
namespace {

constexpr std::size_t kFewestDistinct = 8;
constexpr std::int64_t kBoxMargin = 10;
/// Cells that a thread is given at once.
constexpr std::int64_t kGrainCells = 1 << 18;
/// Makes the median absolute deviation an estimate of a normal distribution's sigma.
constexpr double kMadToSigma = 1.4826;

bool takes_part(const Scene& scene, std::int64_t offset) {
  return !scene.mask || (*scene.mask)[offset] != 0;
}

/// The squared differences of adjacent cells in a box, as a sum of integers: the order in which
/// rows are added, and by how many threads, does not show.
class SquaredSteps {
 public:
  SquaredSteps() = default;
  SquaredSteps(const Scene& scene, const Box& box, Connectivity connectivity)
      : scene_(&scene), box_(box), steps_(neighbour_steps(connectivity)) {
    steps_.erase(steps_.begin(), steps_.begin() + steps_.size() / 2);  // each pair once
  }

  /// Adds the pairs whose first cell lies in row (y, z), both cells in the box.
  void add_row(std::int64_t y, std::int64_t z) {
    const Geometry& geometry = scene_->geometry;
    for (const Step& step : steps_) {
      if (y + step.dy < box_.lo[1] || y + step.dy >= box_.hi[1] || z + step.dz >= box_.hi[2]) {
        continue;
      }
      const std::int64_t first = std::max(box_.lo[0], box_.lo[0] - step.dx);
      const std::int64_t last = std::min(box_.hi[0], box_.hi[0] - step.dx);
      if (first >= last) continue;
      const std::int64_t here = geometry.offset(Index3{first, y, z});
      const std::int64_t there = geometry.offset(Index3{first + step.dx, y + step.dy, z + step.dz});
      add_pairs(here, there, last - first);
    }
  }
  void join(const SquaredSteps& other) {
    sum_ += other.sum_;
    pairs_ += other.pairs_;
  }
  /// 0 where there is no pair.
  [[nodiscard]] double mean() const {
    return pairs_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(pairs_);
  }

 private:
  static std::uint64_t square_of_difference(std::uint16_t a, std::uint16_t b) {
    const std::uint32_t d = a < b ? b - a : a - b;
    return d * d;  // below 2^32
  }
  void add_pairs(std::int64_t here, std::int64_t there, std::int64_t count) {
    const std::uint16_t* a = scene_->grey->data() + here;
    const std::uint16_t* b = scene_->grey->data() + there;
    std::uint64_t sum = 0;
    if (!scene_->mask) {  // apart, so that it becomes vector code
      for (std::int64_t i = 0; i < count; ++i)
        sum += square_of_difference(a[i], b[i]);
      pairs_ += static_cast<std::uint64_t>(count);
    } else {
      const std::uint8_t* in_a = scene_->mask->data() + here;
      const std::uint8_t* in_b = scene_->mask->data() + there;
      for (std::int64_t i = 0; i < count; ++i) {
        if (in_a[i] == 0 || in_b[i] == 0) continue;
        sum += square_of_difference(a[i], b[i]);
        ++pairs_;
      }
    }
    sum_ += sum;
  }

  const Scene* scene_ = nullptr;
  Box box_;
  std::vector<Step> steps_;
  std::uint64_t sum_ = 0;
  std::uint64_t pairs_ = 0;
};

/// The seeds' cells and all that touch them, each once.
std::vector<std::int64_t> with_neighbours(const Scene& scene,
                                          const std::vector<std::int64_t>& cells) {
  const Geometry& geometry = scene.geometry;
  std::vector<std::int64_t> grown;
  for (const std::int64_t cell : cells) {
    const Index3 at = geometry.index_of(cell);
    const Box around = Box{at, {at[0] + 1, at[1] + 1, at[2] + 1}}.grown(1, geometry);
    for (std::int64_t z = around.lo[2]; z < around.hi[2]; ++z) {
      for (std::int64_t y = around.lo[1]; y < around.hi[1]; ++y) {
        for (std::int64_t x = around.lo[0]; x < around.hi[0]; ++x) {
          const std::int64_t offset = geometry.offset(Index3{x, y, z});
          if (takes_part(scene, offset)) grown.push_back(offset);
        }
      }
    }
  }
  std::sort(grown.begin(), grown.end());
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  return grown;
}

}  // namespace

ObjectFeature estimate_object(const ScaledScene& scene, std::span<const Seed> seeds,
                              std::uint16_t label) {
  const std::vector<std::uint16_t>& grey = *scene.scene.grey;
  std::vector<std::int64_t> cells;
  std::set<std::uint16_t> distinct;
  for (const Seed& seed : seeds) {
    if (seed.label != label) continue;
    cells.push_back(seed.offset);
    if (distinct.size() < kFewestDistinct) distinct.insert(grey[seed.offset]);
  }
  require(!cells.empty());
  if (distinct.size() < kFewestDistinct) cells = with_neighbours(scene.scene, cells);

  std::vector<double> values;
  values.reserve(cells.size());
  for (const std::int64_t cell : cells)
    values.push_back(grey[cell]);
  const double middle = median(values);
  for (double& value : values)
    value = std::abs(value - middle);
  const double step = scene.scale.step;
  return {scene.scale.value_of(middle), std::max(kMadToSigma * median(values) * step, 0.5 * step)};
}

double estimate_sigma_h(const ScaledScene& scene, std::span<const Seed> seeds,
                        Connectivity connectivity, Context& context) {
  const Geometry& geometry = scene.scene.geometry;
  Box box;
  for (const Seed& seed : seeds)
    box.include(geometry.index_of(seed.offset));
  box = box.grown(kBoxMargin, geometry);

  std::mutex mutex;  // guards all
  SquaredSteps all;
  const std::int64_t rows = box.hi[1] - box.lo[1];
  const std::int64_t count = rows * (box.hi[2] - box.lo[2]);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrainCells / (box.hi[0] - box.lo[0]));
  parallel_for(context, count, grain, [&](std::int64_t begin, std::int64_t end) {
    SquaredSteps steps(scene.scene, box, connectivity);
    for (std::int64_t i = begin; i < end; ++i) {
      if ((i - begin) % grain == 0) context.checkpoint(0.0);
      steps.add_row(box.lo[1] + i % rows, box.lo[2] + i / rows);
    }
    const std::lock_guard lock(mutex);
    all.join(steps);
  });
  return std::max(std::sqrt(all.mean()), 0.5) * scene.scale.step;
}

}  // namespace seedwave::fuzzy
