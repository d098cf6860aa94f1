// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/statistics.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

namespace seedwave::fuzzy {
namespace {

constexpr std::size_t kFewestDistinct = 8;
constexpr std::int64_t kBoxMargin = 10;
/// Number of cells that a thread takes at once.
constexpr std::int64_t kGrainCells = 1 << 18;
/// Scales the median absolute deviation to an estimate of sigma for a normal distribution.
constexpr double kMadToSigma = 1.4826;

bool takes_part(const AffinityImage& image, std::int64_t offset) {
  return !image.mask || (*image.mask)[offset] != 0;
}

/// Returns the bounding box of the seeds, enlarged by the margin.
Box box_around(const Geometry& geometry, std::span<const Seed> seeds) {
  Box box;
  for (const Seed& seed : seeds)
    box.include(geometry.index_of(seed.offset));
  return box.grown(kBoxMargin, geometry);
}

std::uint64_t square_of_difference(std::uint16_t a, std::uint16_t b) {
  const std::uint32_t d = a < b ? b - a : a - b;
  return d * d;  // below 2^32
}
template <typename T>
double square_of_difference(T a, T b) {
  const double d = static_cast<double>(a) - static_cast<double>(b);
  return d * d;
}

/// Sum of squared differences of pairs of adjacent cells, and the number of pairs. Sums of u16 are
/// exact.
template <typename T>
struct SquaredSteps {
  using Sum = std::conditional_t<std::is_same_v<T, std::uint16_t>, std::uint64_t, double>;
  Sum sum{};
  std::uint64_t pairs = 0;

  SquaredSteps& operator+=(const SquaredSteps& other) {
    sum += other.sum;
    pairs += other.pairs;
    return *this;
  }
  /// Returns the mean, or 0 if there are no pairs.
  [[nodiscard]] double mean() const {
    return pairs == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(pairs);
  }
};

template <typename T>
class StepsInBox {
 public:
  StepsInBox(const AffinityImage& image, std::span<const T> values, const Box& box,
             Connectivity connectivity)
      : geometry_(&image.geometry),
        values_(values.data()),
        mask_(image.mask ? image.mask->data() : nullptr),
        box_(box),
        steps_(neighbour_steps(connectivity)) {
    steps_.erase(steps_.begin(), steps_.begin() + steps_.size() / 2);  // each pair once
  }

  /// Returns the sums over pairs with the first cell in row (y, z) and both cells in the box.
  [[nodiscard]] SquaredSteps<T> of_row(std::int64_t y, std::int64_t z) const {
    SquaredSteps<T> result;
    for (const Step& step : steps_) {
      if (y + step.dy < box_.lo[1] || y + step.dy >= box_.hi[1] || z + step.dz >= box_.hi[2]) {
        continue;
      }
      const std::int64_t first = std::max(box_.lo[0], box_.lo[0] - step.dx);
      const std::int64_t last = std::min(box_.hi[0], box_.hi[0] - step.dx);
      if (first >= last) continue;
      const std::int64_t here = geometry_->offset(Index3{first, y, z});
      const std::int64_t there =
          geometry_->offset(Index3{first + step.dx, y + step.dy, z + step.dz});
      result += of_pairs(here, there, last - first);
    }
    return result;
  }

 private:
  [[nodiscard]] SquaredSteps<T> of_pairs(std::int64_t here, std::int64_t there,
                                         std::int64_t count) const {
    const T* a = values_ + here;
    const T* b = values_ + there;
    SquaredSteps<T> result;
    if (mask_ == nullptr) {  // separate, so the loop can be vectorised
      for (std::int64_t i = 0; i < count; ++i)
        result.sum += square_of_difference(a[i], b[i]);
      result.pairs = static_cast<std::uint64_t>(count);
      return result;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      if (mask_[here + i] == 0 || mask_[there + i] == 0) continue;
      result.sum += square_of_difference(a[i], b[i]);
      ++result.pairs;
    }
    return result;
  }

  const Geometry* geometry_;
  const T* values_;
  const std::uint8_t* mask_;
  Box box_;
  std::vector<Step> steps_;
};

/// Returns the cells of the seeds and all cells that touch them, each once.
std::vector<std::int64_t> with_neighbours(const AffinityImage& image,
                                          const std::vector<std::int64_t>& cells) {
  const Geometry& geometry = image.geometry;
  std::vector<std::int64_t> grown;
  for (const std::int64_t cell : cells) {
    const Index3 at = geometry.index_of(cell);
    const Box around = Box{at, {at[0] + 1, at[1] + 1, at[2] + 1}}.grown(1, geometry);
    for (std::int64_t z = around.lo[2]; z < around.hi[2]; ++z) {
      for (std::int64_t y = around.lo[1]; y < around.hi[1]; ++y) {
        for (std::int64_t x = around.lo[0]; x < around.hi[0]; ++x) {
          const std::int64_t offset = geometry.offset(Index3{x, y, z});
          if (takes_part(image, offset)) grown.push_back(offset);
        }
      }
    }
  }
  std::sort(grown.begin(), grown.end());
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  return grown;
}

ValueRange range_of_seeds(const AffinityImage& image, std::span<const Seed> seeds) {
  return image.visit([&](auto values) {
    ValueRange range{static_cast<double>(values[seeds.front().offset]),
                     static_cast<double>(values[seeds.front().offset])};
    for (const Seed& seed : seeds) {
      const auto value = static_cast<double>(values[seed.offset]);
      range = {std::min(range.low, value), std::max(range.high, value)};
    }
    return range;
  });
}

ValueRange range_of_box(const AffinityImage& image, const Box& box) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return image.visit([&](auto values) {
    ValueRange range{kInfinity, -kInfinity};
    for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
      for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
        for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) {
          const std::int64_t offset = image.geometry.offset(Index3{x, y, z});
          if (!takes_part(image, offset)) continue;
          const auto value = static_cast<double>(values[offset]);
          range = {std::min(range.low, value), std::max(range.high, value)};
        }
      }
    }
    return range;
  });
}

/// Returns half a step of the intensities.
double least_sigma(const AffinityImage& image, std::span<const Seed> seeds) {
  constexpr double kHalfAStep = 0.5 / 65535.0;
  if (image.greys || image.wide.type() == VoxelType::I32) return 0.5;
  ValueRange range = range_of_seeds(image, seeds);
  if (range.low == range.high) range = range_of_box(image, box_around(image.geometry, seeds));
  return range.low == range.high ? 0.5 : kHalfAStep * (range.high - range.low);
}

}  // namespace

ObjectFeature estimate_object(const AffinityImage& image, std::span<const Seed> seeds,
                              std::uint16_t label) {
  std::vector<double> values;
  image.visit([&]<typename T>(std::span<const T> intensities) {
    std::vector<std::int64_t> cells;
    std::set<T> distinct;
    for (const Seed& seed : seeds) {
      if (seed.label != label) continue;
      cells.push_back(seed.offset);
      if (distinct.size() < kFewestDistinct) distinct.insert(intensities[seed.offset]);
    }
    require(!cells.empty());
    if (distinct.size() < kFewestDistinct) cells = with_neighbours(image, cells);
    values.reserve(cells.size());
    for (const std::int64_t cell : cells)
      values.push_back(static_cast<double>(intensities[cell]));
  });
  const double middle = median(values);
  for (double& value : values)
    value = std::abs(value - middle);
  const double spread = kMadToSigma * median(values);
  return {image.first + middle, std::max(spread, least_sigma(image, seeds))};
}

double estimate_sigma_h(const AffinityImage& image, std::span<const Seed> seeds,
                        Connectivity connectivity, Context& context) {
  const Box box = box_around(image.geometry, seeds);
  const std::int64_t rows = box.hi[1] - box.lo[1];
  const std::int64_t count = rows * (box.hi[2] - box.lo[2]);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrainCells / (box.hi[0] - box.lo[0]));
  return image.visit([&]<typename T>(std::span<const T> values) {
    const StepsInBox<T> steps(image, values, box, connectivity);
    std::vector<SquaredSteps<T>> of_rows(static_cast<std::size_t>(count));
    parallel_for(context, count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        if ((i - begin) % grain == 0) context.checkpoint(0.0);
        of_rows[i] = steps.of_row(box.lo[1] + i % rows, box.lo[2] + i / rows);
      }
    });
    SquaredSteps<T> all;
    for (const SquaredSteps<T>& of_row : of_rows)  // in a fixed order, because f64 sums round
      all += of_row;
    return std::sqrt(all.mean());
  });
}

}  // namespace seedwave::fuzzy
