// SPDX-License-Identifier: Apache-2.0
#include "core/texture/tissue.h"

#include "core/base/error.h"
#include "core/image/crop.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"
#include "core/texture/autocorrelation_factors.h"
#include "core/texture/clusters/class_means.h"
#include "core/texture/clusters/repeated_k_means.h"
#include "core/texture/clusters/seeded_mixture.h"
#include "core/texture/feature_sample.h"
#include "core/texture/majority.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

namespace seedwave {
namespace {

/// Further starts of k-means: the first start alone merged dermis and epidermis in an image of
/// skin.
constexpr std::int64_t kFurtherStarts = 15;
/// Largest number of the grid's windows used besides strokes. All 14 641 of an image of 512 x 512
/// gave no better regions.
constexpr std::int64_t kMostUnseeded = 2048;

WindowPlace place_of(const TpcfProblem& windows, std::int64_t x, std::int64_t y) {
  const Index3& size = windows.phases.geometry().size;
  return {first_cell_around(x, windows.window, size[0]),
          first_cell_around(y, windows.window, size[1])};
}

/// The nearest classes of the windows that determine the pixels in a box.
class BoxAnswers {
 public:
  BoxAnswers(const Box& box, const TpcfProblem& windows, const FeatureClasses& classes,
             const TissueSolvers& solvers, Context& context)
      : size_(windows.phases.geometry().size), window_(windows.window) {
    Box needed = box;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      needed.lo[axis] = first_cell_around(box.lo[axis], window_, size_[axis]);
      needed.hi[axis] = first_cell_around(box.hi[axis] - 1, window_, size_[axis]) + window_;
    }
    first_ = needed.lo;
    const auto stage = context.stage("classify");
    if (needed == Box::whole(windows.phases.geometry())) {
      nearest_ = solvers.nearest(windows, classes, context);
      return;
    }
    TpcfProblem part = windows;
    part.phases = crop(windows.phases, needed);
    nearest_ = solvers.nearest(part, classes, context);
  }

  /// Returns of(index of the window in `nearest`) for each pixel of a box inside that of the
  /// answers.
  template <typename T, typename Of>
  [[nodiscard]] std::vector<T> each_pixel(const Box& box, Context& context, Of&& of) const {
    const std::int64_t columns = box.hi[0] - box.lo[0];
    std::vector<T> pixels(static_cast<std::size_t>(columns * (box.hi[1] - box.lo[1])));
    parallel_for(context, box.hi[1] - box.lo[1], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t y = begin; y < end; ++y) {
        const std::int64_t row = first_cell_around(box.lo[1] + y, window_, size_[1]) - first_[1];
        for (std::int64_t x = 0; x < columns; ++x) {
          const std::int64_t column =
              first_cell_around(box.lo[0] + x, window_, size_[0]) - first_[0];
          pixels[y * columns + x] = of(row * nearest_.columns + column);
        }
      }
    });
    return pixels;
  }

  [[nodiscard]] const NearestClasses& nearest() const noexcept { return nearest_; }

  [[nodiscard]] Volume distance(const Box& box, const Geometry& picture, Context& context) const {
    return Volume(crop(picture, box), each_pixel<float>(box, context, [&](std::int64_t window) {
                    return nearest_.distances[window];
                  }));
  }

 private:
  Index3 size_;  // of the image
  std::int64_t window_;
  Index3 first_{};  // first cell of the first window
  NearestClasses nearest_;
};

/// The seeds used, label by label, with their classes.
struct Examples {
  std::vector<Label> labels;  // ascending: of class 0, 1 ..
  std::vector<WindowPlace> places;
  std::vector<std::int32_t> class_of;
};

Examples examples_of(const TissueProblem& problem) {
  const auto offsets = seed_sample(problem.seeds);
  if (offsets.size() == 1)
    throw InputError("the strokes have one label, " + std::to_string(offsets.begin()->first) +
                     ": tissues are told apart by two or more, or without strokes");
  const std::int64_t columns = problem.windows.phases.geometry().size[0];
  Examples examples;
  for (const auto& [label, pixels] : offsets) {
    for (const std::int64_t offset : pixels) {
      examples.places.push_back(place_of(problem.windows, offset % columns, offset / columns));
      examples.class_of.push_back(static_cast<std::int32_t>(examples.labels.size()));
    }
    examples.labels.push_back(label);
  }
  return examples;
}

/// The factors of an image.
struct Factors {
  AutocorrelationFactors map;
  /// The grid's windows in these factors.
  Points sample;
  /// The features of the requested windows.
  Points asked;
};

/// Features of the grid's windows and the problem that they depend on, for later runs with other
/// settings.
struct KeptSample {
  TpcfProblem windows;
  Points features;
};

bool same_windows(const TpcfProblem& a, const TpcfProblem& b) {
  return a.phases.owner() == b.phases.owner() && a.count == b.count && a.window == b.window &&
         a.directions == b.directions && a.phases.geometry().size == b.phases.geometry().size;
}

/// Features of the grid's windows and of the requested ones.
struct Sampled {
  std::shared_ptr<const KeptSample> grid;
  Points asked;
};

Sampled sampled(const TpcfProblem& windows, const SampleGrid& grid,
                const std::vector<WindowPlace>& asked, const FeatureSampler& sample,
                Context& context) {
  constexpr const char* kKey = "sample of two-point correlations";
  const auto stage = context.stage("sample");
  if (const auto kept = context.cache().find<KeptSample>(kKey);
      kept != nullptr && same_windows(kept->windows, windows)) {
    Points none{.dimensions = kept->features.dimensions, .values = {}};
    return {.grid = kept,
            .asked = asked.empty() ? std::move(none) : sample(windows, asked, context)};
  }
  std::vector<WindowPlace> places = grid.places();
  places.insert(places.end(), asked.begin(), asked.end());
  Points features = sample(windows, places, context);
  const auto end = features.values.begin() + grid.count() * features.dimensions;
  Points of_asked{.dimensions = features.dimensions,
                  .values = std::vector<double>(end, features.values.end())};
  features.values.erase(end, features.values.end());
  const std::size_t bytes =
      windows.phases.labels().size_bytes() + features.values.size() * sizeof(double);
  auto kept = std::make_shared<KeptSample>(KeptSample{windows, std::move(features)});
  context.cache().put(kKey, kept, bytes);
  return {.grid = std::move(kept), .asked = std::move(of_asked)};
}

Factors factors_of(const TpcfProblem& windows, std::int64_t count,
                   const std::vector<WindowPlace>& asked, const FeatureSampler& sample,
                   Context& context) {
  const SampleGrid grid = sample_grid(windows);
  Sampled found = sampled(windows, grid, asked, sample, context);
  const Points& features = found.grid->features;
  const auto stage = context.stage("learn");
  Factors factors;
  factors.map = autocorrelation_factors(features, grid, windows.window, count, context);
  factors.sample = mapped(features, factors.map.mean, factors.map.axes, context);
  factors.asked = std::move(found.asked);
  return factors;
}

/// Divides each factor by its standard deviation. A factor that does not vary beyond rounding is
/// ignored.
void whiten(Factors& factors) {
  constexpr double kRounding = 1e-9;
  const std::int64_t count = factors.map.axes.count();
  for (std::int64_t k = 0; k < count; ++k) {
    const double variance = factors.map.variances[k];
    const double scale = variance > kRounding ? 1.0 / std::sqrt(variance) : 0.0;
    for (double& entry : factors.map.axes.row(k))
      entry *= scale;
    for (std::int64_t i = 0; i < factors.sample.count(); ++i)
      factors.sample.row(i)[k] *= scale;
  }
}

/// Returns the centres in descending order of their number of points.
Points by_size(const Clusters& clusters) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(clusters.centres.count()));
  for (const std::int32_t cluster : clusters.of_point)
    ++sizes[cluster];
  std::vector<std::int64_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return sizes[a] > sizes[b]; });
  Points sorted{.dimensions = clusters.centres.dimensions, .values = {}};
  for (const std::int64_t cluster : order) {
    const auto centre = clusters.centres.row(cluster);
    sorted.values.insert(sorted.values.end(), centre.begin(), centre.end());
  }
  return sorted;
}

TissueClasses clusters_of(const TissueProblem& problem, const TissueSolvers& solvers,
                          Context& context) {
  Factors factors = factors_of(problem.windows, problem.components, {}, solvers.sample, context);
  const auto stage = context.stage("learn");
  whiten(factors);
  const Clusters clusters = repeated_k_means(
      {.points = std::move(factors.sample), .weights = {}, .clusters = problem.clusters},
      kFurtherStarts, context);
  TissueClasses result{.classes = {.origin = std::move(factors.map.mean),
                                   .axes = std::move(factors.map.axes),
                                   .centres = by_size(clusters)},
                       .labels = {}};
  for (std::int64_t label = 1; label <= result.classes.centres.count(); ++label)
    result.labels.push_back(static_cast<Label>(label));
  return result;
}

TissueClasses classes_of_seeds(const TissueProblem& problem, const TissueSolvers& solvers,
                               Context& context) {
  Examples examples = examples_of(problem);
  const std::int64_t classes = std::ssize(examples.labels);
  const std::int64_t count = std::max(kSeedFactors, classes);
  Factors factors = factors_of(problem.windows, count, examples.places, solvers.sample, context);
  const auto stage = context.stage("learn");
  const ClassMeansProblem known{
      .points = mapped(factors.asked, factors.map.mean, factors.map.axes, context),
      .class_of = std::move(examples.class_of),
      .classes = classes,
      .dimensions = count};
  const ClassMeans means = class_means(known, context);
  const SeededMixture mixture =
      seeded_mixture({.examples = mapped(known.points, means.origin, means.axes, context),
                      .class_of = known.class_of,
                      .classes = classes,
                      .others = mapped(evenly_chosen(factors.sample, kMostUnseeded), means.origin,
                                       means.axes, context)},
                     context);
  // Combines all maps. The second one's origin goes into the centres.
  const Points axes = product(mixture.axes, means.axes);
  Points centres = mixture.means;
  for (std::int64_t k = 0; k < axes.count(); ++k) {
    const double offset = dot(axes.row(k), means.origin);
    for (std::int64_t c = 0; c < centres.count(); ++c)
      centres.row(c)[k] += offset;
  }
  return {.classes = {.origin = std::move(factors.map.mean),
                      .axes = product(axes, factors.map.axes),
                      .centres = std::move(centres)},
          .labels = std::move(examples.labels)};
}

}  // namespace

TissueClasses learn_tissue(const TissueProblem& problem, const TissueSolvers& solvers,
                           Context& context) {
  check(problem.windows);
  return problem.seeds.empty() ? clusters_of(problem, solvers, context)
                               : classes_of_seeds(problem, solvers, context);
}

Tissue tissue_in(const Box& box, const TissueProblem& problem, const TissueClasses& learnt,
                 const TissueSolvers& solvers, Context& context) {
  const Geometry& picture = problem.windows.phases.geometry();
  const Box voting = box.grown(problem.majority_radius, picture);
  const BoxAnswers answers(voting, problem.windows, learnt.classes, solvers, context);
  const auto stage = context.stage("majority");
  // A majority of classes is one of labels: both are in the same order.
  const bool fits = learnt.labels.back() <= std::numeric_limits<std::uint16_t>::max();
  const LabelMap labels(
      crop(picture, voting),
      answers.each_pixel<std::uint16_t>(voting, context, [&](std::int64_t window) {
        const std::uint16_t found = answers.nearest().classes[window];
        return fits ? static_cast<std::uint16_t>(learnt.labels[found]) : found;
      }));
  LabelMap most = majority(labels, problem.majority_radius, context);
  if (!fits) {
    const auto classes = most.labels().as<std::uint16_t>();
    most = LabelMap(most.geometry(),
                    tabulate<Label>(std::ssize(classes), context,
                                    [&](std::int64_t i) { return learnt.labels[classes[i]]; }));
  }
  Box inner = box;
  for (std::size_t axis = 0; axis < inner.lo.size(); ++axis) {
    inner.lo[axis] -= voting.lo[axis];
    inner.hi[axis] -= voting.lo[axis];
  }
  return {.labels = box == voting ? std::move(most) : crop(most, inner),
          .distance = answers.distance(box, picture, context)};
}

Tissue tissue(const TissueProblem& problem, const TissueSolvers& solvers, Context& context) {
  const TissueClasses learnt = learn_tissue(problem, solvers, context);
  return tissue_in(Box::whole(problem.windows.phases.geometry()), problem, learnt, solvers,
                   context);
}

FeatureClasses learn_place(const LookAlikeProblem& problem, const TissueSolvers& solvers,
                           Context& context) {
  check(problem.windows);
  const Index3& size = problem.windows.phases.geometry().size;
  if (problem.x < 0 || problem.y < 0 || problem.x >= size[0] || problem.y >= size[1])
    throw UsageError("the place " + std::to_string(problem.x) + ", " + std::to_string(problem.y) +
                     " lies outside the image");
  Factors factors =
      factors_of(problem.windows, problem.components,
                 {place_of(problem.windows, problem.x, problem.y)}, solvers.sample, context);
  FeatureClasses place{
      .origin = std::move(factors.map.mean), .axes = std::move(factors.map.axes), .centres = {}};
  place.centres = coordinates_of(place, factors.asked);
  return place;
}

Volume look_alike_in(const Box& box, const LookAlikeProblem& problem, const FeatureClasses& learnt,
                     const TissueSolvers& solvers, Context& context) {
  return BoxAnswers(box, problem.windows, learnt, solvers, context)
      .distance(box, problem.windows.phases.geometry(), context);
}

Volume look_alike(const LookAlikeProblem& problem, const TissueSolvers& solvers, Context& context) {
  return look_alike_in(Box::whole(problem.windows.phases.geometry()), problem,
                       learn_place(problem, solvers, context), solvers, context);
}

}  // namespace seedwave
