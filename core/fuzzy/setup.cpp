// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/setup.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/number_text.h"
#include "core/fuzzy/affinity.h"
#include "core/fuzzy/kept_scene.h"
#include "core/fuzzy/scene.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::fuzzy {
namespace {

constexpr std::size_t kFewestDistinct = 8;
constexpr std::int64_t kBoxMargin = 10;
/// Number of cells that a thread takes at once.
constexpr std::int64_t kGrainCells = 1 << 18;

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
    for (const NeighbourStep& step : steps_) {
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
  std::vector<NeighbourStep> steps_;
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
  if (!image.greys.empty() || image.wide.type() == VoxelType::I32) return 0.5;
  ValueRange range = range_of_seeds(image, seeds);
  if (range.low == range.high) range = range_of_box(image, box_around(image.geometry, seeds));
  return range.low == range.high ? 0.5 : kHalfAStep * (range.high - range.low);
}

/// Estimates the object of `label` from its seeds, in image units.
///
/// m is the median of their intensities, and sigma_o is 1.4826 times the median absolute deviation.
/// Seeds of fewer than 8 distinct intensities are not representative (a stroke on a flat region).
/// In that case their 26 neighbours (8 in 2-D) are included, each cell once. Cells outside the mask
/// do not count. The label must have a seed.
///
/// sigma_o is at least half a step of the intensities: 0.5 for integer images. For f32 the step is
/// 1/65535 of the range of all seeds' intensities. If these are equal, the range in the seeds'
/// bounding box enlarged by 10 voxels is used. If these are equal too, the step is 1.
ObjectFeature estimate_object(const AffinityImage& image, std::span<const Seed> seeds,
                              Label label) {
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
  const double spread = deviation_about(middle, values);
  return {image.first + middle, std::max(spread, least_sigma(image, seeds))};
}

/// Returns sqrt(mean d^2) over the intensities of adjacent cells in the seeds' bounding box
/// enlarged by 10 voxels, in image units. Returns 0 if there are no pairs. Pairs with an end
/// outside the mask do not count. The result is bitwise equal for any number of threads.
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

/// Returns a count with its noun: "1 seed voxel", "3 seed voxels".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

bool takes_part(Label label, const Request& request) {
  return request.seeds == Request::Seeds::All || !request.object || label == *request.object;
}

/// Returns the seeds that take part. Throws if a painted label is left without seeds because of the
/// mask or because it was painted outside the image.
std::vector<Seed> seeds_taking_part(const SeedVoxels& painted, const AffinityImage& image,
                                    const Request& request, std::vector<std::string>& warnings) {
  for (const Label label : painted.labels_outside) {
    if (!takes_part(label, request)) continue;
    throw InputError("all strokes of label " + std::to_string(label) +
                     " lie outside the image: paint some inside it, or remove them");
  }
  if (painted.outside > 0) {
    warnings.push_back(counted(painted.outside, "stroke point") +
                       (painted.outside == 1 ? " lies" : " lie") +
                       " outside the image and left no seed there");
  }
  std::vector<Seed> seeds;
  std::set<Label> wanted;
  std::int64_t dropped = 0;
  for (const Seed& seed : painted.seeds) {
    if (!takes_part(seed.label, request)) continue;
    wanted.insert(seed.label);
    if (image.mask && (*image.mask)[seed.offset] == 0) {
      ++dropped;
    } else {
      seeds.push_back(seed);
    }
  }
  for (const Seed& seed : seeds)
    wanted.erase(seed.label);
  if (!wanted.empty()) {
    throw InputError("all seeds of label " + std::to_string(*wanted.begin()) +
                     " lie outside the mask: paint some inside it");
  }
  if (dropped > 0) {
    warnings.push_back(counted(dropped, "seed voxel") + " outside the mask " +
                       (dropped == 1 ? "was" : "were") + " left out");
  }
  return seeds;
}

void check_labels(const std::set<Label>& labels, const Request& request) {
  if (request.object_needs_seeds && request.object && !labels.contains(*request.object)) {
    throw InputError("label " + std::to_string(*request.object) +
                     " has no seeds: paint some, or choose another object");
  }
  if (static_cast<int>(labels.size()) >= request.fewest_labels) return;
  if (labels.empty()) throw InputError("there are no seeds: paint some first");
  throw InputError("only label " + std::to_string(*labels.begin()) +
                   " has seeds: paint some of at least one other label, such as background");
}

/// Rejects a value for a label to which it cannot apply. If every label is described, a label
/// without seeds may have values: they wait for its first stroke.
void check_given(const char* name, const GivenNumber& given, const Request& request) {
  if (!request.object) return;
  for (const auto& [label, value] : given.by_label) {
    if (label == *request.object) continue;
    throw UsageError(std::string(name) + " has a number for label " + std::to_string(label) +
                     ", but the object is label " + std::to_string(*request.object) +
                     ": leave that number out, or choose all as the object");
  }
}

/// Returns m and sigma_o of one label: the given values, with missing ones estimated from its
/// seeds.
ObjectFeature feature_of(Label label, const AffinityImage& image, const std::vector<Seed>& seeds,
                         const std::set<Label>& labels, const Request& request) {
  const std::optional<double> m = request.m.of(label);
  const std::optional<double> sigma_o = request.sigma_o.of(label);
  if (m && sigma_o) return {*m, *sigma_o};
  if (!labels.contains(label)) {
    throw InputError("label " + std::to_string(label) +
                     " has no seeds to take m and sigma_o from: paint some, choose another object, "
                     "or give both numbers");
  }
  ObjectFeature feature = estimate_object(image, seeds, label);
  feature.m = m.value_or(feature.m);
  feature.sigma_o = sigma_o.value_or(feature.sigma_o);
  return feature;
}

/// m and sigma_o by label, with the scale. Every edge that they can connect is resolved as finely
/// as 16 bits allow.
struct Features {
  std::map<Label, ObjectFeature> by_label;
  std::map<Label, ObjectWindows> windows;  // of the other labels
  GreyScale scale;

  /// In the order of the labels.
  [[nodiscard]] std::vector<ObjectWindows> in_order() const {
    std::map<Label, ObjectWindows> all = windows;
    for (const auto& [label, feature] : by_label)
      all[label] = windows_of(feature);
    std::vector<ObjectWindows> objects;
    objects.reserve(all.size());
    for (auto& [label, object] : all)
      objects.push_back(std::move(object));
    return objects;
  }
};

Features features_of(const AffinityImage& image, const std::vector<Seed>& seeds,
                     const std::set<Label>& labels, const Request& request) {
  Features features;
  const std::set<Label>& all = request.described.empty() ? labels : request.described;
  const auto described = request.object ? std::set<Label>{*request.object} : all;
  for (const Label label : described) {
    const auto given = request.windows.find(label);
    if (given != request.windows.end()) {
      features.windows.insert(*given);
      continue;
    }
    features.by_label[label] = feature_of(label, image, seeds, labels, request);
  }
  features.scale = scale_for(image, connectable_range(features.in_order()));
  // An estimate next to a much wider object can be below the resolution of their common scale.
  const double least = 0.5 * features.scale.step;
  for (auto& [label, feature] : features.by_label) {
    if (!request.sigma_o.of(label)) feature.sigma_o = std::max(feature.sigma_o, least);
  }
  features.scale = scale_for(image, connectable_range(features.in_order()));
  return features;
}

/// Numbers the labels of a problem in their order if one of them does not fit 16 bits.
void number_labels(const std::set<Label>& labels, Setup& setup) {
  if (labels.empty() || *labels.rbegin() <= kLargestLabel) return;
  if (labels.size() >= kLargestLabel) {
    throw InputError("there are seeds of " + std::to_string(labels.size()) +
                     " labels: at most 65533 can compete");
  }
  Problem& problem = setup.problem;
  setup.painted = {0};
  setup.painted.insert(setup.painted.end(), labels.begin(), labels.end());
  const auto number_of = [&](Label label) {
    const auto found = std::lower_bound(setup.painted.begin(), setup.painted.end(), label);
    return static_cast<Label>(found - setup.painted.begin());
  };
  for (Seed& seed : problem.seeds)
    seed.label = number_of(seed.label);
  // A described object without seeds comes after all others.
  problem.object = problem.object == 0 || labels.contains(problem.object)
                       ? number_of(problem.object)
                       : static_cast<Label>(setup.painted.size());
}

}  // namespace

LabelMap painted_labels(const Setup& setup, std::vector<std::uint16_t> labels) {
  const Geometry& geometry = setup.problem.scene.geometry;
  if (setup.painted.empty()) return {geometry, std::move(labels)};
  std::vector<Label> painted(labels.size());
  std::transform(labels.begin(), labels.end(), painted.begin(),
                 [&](std::uint16_t number) { return setup.painted.at(number); });
  return {geometry, std::move(painted)};
}

Setup set_up(const Volume& image, const SeedVoxels& seeds, const LabelMap& mask,
             const Request& request, Context& context) {
  const auto stage = context.stage("prepare");
  check_given("m", request.m, request);
  check_given("sigma_o", request.sigma_o, request);
  KeptScene kept(image, mask, request.smooth, context);
  const AffinityImage read = kept.image();

  Setup setup;
  std::vector<std::string> seed_warnings;
  Problem& problem = setup.problem;
  problem.connectivity = request.connectivity;
  problem.object = request.object.value_or(0);
  problem.seeds = seeds_taking_part(seeds, read, request, seed_warnings);
  std::set<Label> labels;
  for (const Seed& seed : problem.seeds)
    labels.insert(seed.label);
  check_labels(labels, request);

  const Features features = features_of(read, problem.seeds, labels, request);
  const CachedScene& scene = kept.on(features.scale);
  problem.scene = scene.scaled.scene;
  problem.scene.geometry = image.geometry();
  setup.warnings = scene.scaled.warnings;
  setup.warnings.insert(setup.warnings.end(), seed_warnings.begin(), seed_warnings.end());
  setup.objects = features.by_label;
  setup.sigma_h =
      request.sigma_h
          ? *request.sigma_h
          : std::max(estimate_sigma_h(read, problem.seeds, request.connectivity, context),
                     0.5 * features.scale.step);
  const AffinityValues values{.sigma_h = setup.sigma_h, .objects = features.in_order()};
  problem.affinity_key = scene.digest + " size " + size_text(image.geometry()) + " connectivity " +
                         std::to_string(static_cast<int>(request.connectivity)) + " scale " +
                         number_text(features.scale.first) + ' ' + number_text(features.scale.step);
  for (const ObjectWindows& object : values.objects) {
    problem.affinity_key += " object";
    for (const IntensityWindow& window : object) {
      problem.affinity_key += ' ' + number_text(window.m) + ' ' + number_text(window.below) + ' ' +
                              number_text(window.above);
    }
  }
  problem.affinity_key += " sigma_h " + number_text(setup.sigma_h);
  problem.tables = make_affinity_tables(values, features.scale);
  number_labels(labels, setup);
  return setup;
}

}  // namespace seedwave::fuzzy
