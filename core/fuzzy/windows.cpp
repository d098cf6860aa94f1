// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/windows.h"

#include "core/base/median.h"
#include "core/fuzzy/answer.h"
#include "core/fuzzy/stray_seeds.h"
#include "core/fuzzy/stroke_parts.h"
#include "core/parallel/label_boxes.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

namespace seedwave::fuzzy {
namespace {

/// Narrowest window, in deviations of the label, and the widest for a label much wider than noise.
constexpr double kNarrowest = 2.0;
constexpr double kWidestIfMixed = 3.0;
/// Gradient at which a seed counts half, in gradients of the most uniform part.
constexpr double kSteep = 2.0;
/// Gradient of a part that gets no window of its own, likewise.
constexpr double kTooSteep = 3.0;
/// Least gradient that distinguishes parts, in deviations of the noise.
constexpr double kNoiseGradient = 0.3;
/// Difference of medians at which a part hardly counts, in deviations of the most uniform part.
constexpr double kAgreement = 2.0;
constexpr double kAgreementIfStrict = 1.0;
/// Parts of other labels that differ less than this from it describe nothing.
constexpr double kLookAlike = 1.0;
/// Largest deviation of a label, in deviations of its most uniform part.
constexpr double kWidestDeviation = 1.5;
constexpr double kWidestDeviationIfStrict = 1.0;
/// A part whose median lies so many window widths from the label's gets a window of its own.
constexpr double kOwnWindow = 1.5;
/// Number of sigmas within which a window covers a seed, and the least share of seeds outside all
/// windows that gets one.
constexpr double kCovered = 2.5;
constexpr double kFewestOfRest = 0.15;
/// A part is of two tissues if at least this share of its seeds lies inside the windows, and as
/// many outside.
constexpr double kMixed = 0.1;
/// Smaller parts do not show whether they are of two tissues, or noisy.
constexpr std::size_t kFewestOfMixed = 100;
/// Weight of a region of the first result beside all seeds of its label.
constexpr double kRegionWeight = 0.5;
constexpr std::size_t kFewestOfRegion = 50;
constexpr std::size_t kFullRegion = 500;
constexpr std::size_t kMostOfRegion = 2000;
constexpr std::int64_t kMostLookedAt = 200'000;

/// Intensities with weights.
struct Samples {
  std::vector<double> values;
  std::vector<double> weights;

  void add(double value, double weight) {
    values.push_back(value);
    weights.push_back(weight);
  }
  void add(const Samples& other) {
    values.insert(values.end(), other.values.begin(), other.values.end());
    weights.insert(weights.end(), other.weights.begin(), other.weights.end());
  }
  [[nodiscard]] double total() const {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
  }
};

double weighted_median(const Samples& samples) {
  std::vector<std::size_t> order(samples.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return samples.values[i]; });
  const double half = samples.total() / 2.0;
  double sum = 0.0;
  for (const std::size_t i : order) {
    sum += samples.weights[i];
    if (sum >= half) return samples.values[i];
  }
  return samples.values[order.back()];
}

double deviation_from(double middle, Samples samples) {
  for (double& value : samples.values)
    value = std::abs(value - middle);
  return kMadToSigma * weighted_median(samples);
}

/// A density on equally spaced classes.
class Density {
 public:
  Density(double first, double step, std::size_t classes)
      : first_(first), step_(step), shares_(classes) {}

  /// Adds samples with a Gaussian of `sigma` each, and divides by the weight of all.
  void set(const Samples& samples, double sigma) {
    const double total = samples.total();
    if (!(total > 0.0)) return;
    std::vector<double> counts(shares_.size());
    for (std::size_t i = 0; i < samples.values.size(); ++i) {
      const double at = std::floor((samples.values[i] - first_) / step_ + 0.5);
      if (at >= 0.0 && at < static_cast<double>(counts.size()))
        counts[static_cast<std::size_t>(at)] += samples.weights[i] / total;
    }
    const double classes = sigma / step_;
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(4.0 * classes));
    std::vector<double> weights;
    double sum = 0.0;
    for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
      const double x = static_cast<double>(k) / classes;
      weights.push_back(std::exp(-0.5 * x * x));
      sum += weights.back();
    }
    const auto count = std::ssize(counts);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      if (counts[i] == 0.0) continue;
      const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, i - reach);
      const std::ptrdiff_t end = std::min(count, i + reach + 1);
      for (std::ptrdiff_t k = begin; k < end; ++k)
        shares_[k] += counts[i] * weights[k - i + reach] / sum;
    }
  }

  [[nodiscard]] const std::vector<double>& shares() const { return shares_; }
  /// Returns the share of the class that a value of the samples falls into.
  [[nodiscard]] double at(double value) const {
    return shares_[static_cast<std::size_t>(std::floor((value - first_) / step_ + 0.5))];
  }

 private:
  double first_;
  double step_;
  std::vector<double> shares_;
};

/// Distances of intensities from the middle of a window, in units of its sides. Those of 16 bits
/// are looked up.
template <typename T>
class InWindow {
 public:
  /// first: the intensity of the value 0.
  InWindow(const IntensityWindow& window, double first) : window_(window), first_(first) {
    if constexpr (kLooksUp) {
      table_.resize(std::size_t{1} << 16);
      for (std::size_t value = 0; value < table_.size(); ++value)
        table_[value] = computed(static_cast<T>(value));
    }
  }

  [[nodiscard]] double at(T value) const {
    if constexpr (kLooksUp) {
      return table_[value];
    } else {
      return computed(value);
    }
  }

 private:
  static constexpr bool kLooksUp = sizeof(T) == 2;

  [[nodiscard]] double computed(T value) const {
    constexpr double kFar = 30.0;
    const double x = first_ + static_cast<double>(value) - window_.m;
    return std::clamp(x / (x < 0.0 ? window_.below : window_.above), -kFar, kFar);
  }

  IntensityWindow window_;
  double first_;
  std::vector<double> table_;
};

}  // namespace

/// The parts of all labels' seeds, with their intensities.
class SeedParts {
 public:
  SeedParts(WindowsProblem of, Context& context)
      : problem(std::move(of)),
        intensities(problem.image, problem.mask, problem.smooth, problem.seeds, context) {
    const std::vector<Seed> telling = telling_seeds();
    for (const Seed& seed : telling)
      by_label.try_emplace(seed.label);
    for (auto& [label, parts] : by_label)
      parts = parts_of(problem.image.geometry(), telling, label, intensities, context);
  }

  const WindowsProblem problem;
  const SeededIntensities intensities;
  std::map<Label, std::vector<StrokePart>> by_label;

 private:
  /// Returns the seeds without the doubtful ones whose intensity another label has more of; all
  /// seeds of a label that would lose every one.
  [[nodiscard]] std::vector<Seed> telling_seeds() const {
    std::vector<Seed> telling = problem.seeds;
    if (problem.doubtful.empty()) return telling;
    // The densities of all seeds mix the labels; those of what the first pass leaves do so less.
    constexpr int kPasses = 3;
    for (int pass = 0; pass < kPasses; ++pass)
      telling = likely_seeds(densities_of(telling));
    return telling;
  }

  [[nodiscard]] std::vector<Seed> likely_seeds(const std::map<Label, Density>& densities) const {
    std::vector<Seed> unlikely;
    std::ranges::copy_if(problem.doubtful, std::back_inserter(unlikely), [&](const Seed& seed) {
      const double value = intensities.at(seed.offset);
      const double own = densities.at(seed.label).at(value);
      return std::ranges::any_of(densities,
                                 [&](const auto& other) { return other.second.at(value) > own; });
    });
    const std::vector<Label> left = labels_of(without(problem.seeds, unlikely));
    std::erase_if(unlikely,
                  [&](const Seed& seed) { return !std::ranges::binary_search(left, seed.label); });
    return without(problem.seeds, unlikely);
  }

  /// Returns the density of each label's seeds, all on the same classes.
  [[nodiscard]] std::map<Label, Density> densities_of(const std::vector<Seed>& seeds) const {
    std::map<Label, Samples> samples;
    for (const Seed& seed : seeds)
      samples[seed.label].add(intensities.at(seed.offset), 1.0);
    constexpr double kClassesPerSigma = 4.0;
    constexpr double kMostClasses = 4096.0;
    // The range of all seeds, so that each has a class.
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Seed& seed : problem.seeds) {
      low = std::min(low, intensities.at(seed.offset));
      high = std::max(high, intensities.at(seed.offset));
    }
    const double noise = intensities.noise();
    const double step = std::max(noise / kClassesPerSigma, (high - low) / kMostClasses);
    const auto classes = static_cast<std::size_t>((high - low) / step) + 2;
    std::map<Label, Density> densities;
    for (const auto& [label, of_label] : samples)
      densities.try_emplace(label, low, step, classes).first->second.set(of_label, noise);
    return densities;
  }
};

namespace {

class Estimator {
 public:
  Estimator(const SeedParts& seeds, const WindowsRules& rules, Context& context)
      : problem_(seeds.problem),
        rules_(rules),
        geometry_(seeds.problem.image.geometry()),
        intensities_(seeds.intensities),
        parts_(seeds.by_label),
        context_(context) {
    if (!rules.first.empty()) boxes_ = label_boxes(rules.first, context);
  }

  WindowsEstimate estimate() {
    WindowsEstimate result;
    double sum = 0.0;
    for (const Label label : problem_.described) {
      result.windows[label] = windows_of_label(label);
      sum += homogeneity(result.windows[label].front());
    }
    if (!problem_.described.empty())
      result.sigma_h = sum / static_cast<double>(problem_.described.size());
    return result;
  }

 private:
  /// Median gradient of the most uniform part.
  [[nodiscard]] double reference_gradient(const std::vector<StrokePart>& parts) const {
    double least = std::numeric_limits<double>::infinity();
    for (const bool large : {true, false}) {
      for (const StrokePart& part : parts) {
        if (!large || part.cells.size() >= kFewestOfPart) least = std::min(least, part.gradient);
      }
      if (std::isfinite(least)) break;
    }
    return std::max(least, kNoiseGradient * intensities_.raw_noise());
  }

  /// Seeds of a part, weighed by their gradients.
  [[nodiscard]] static Samples weighed(const StrokePart& part, double reference) {
    Samples samples;
    for (std::size_t i = 0; i < part.values.size(); ++i) {
      const double steep = part.gradients[i] / (kSteep * reference);
      samples.add(part.values[i], 1.0 / (1.0 + steep * steep));
    }
    return samples;
  }

  /// The part that describes its label best: least deviation times least gradient.
  [[nodiscard]] const StrokePart& anchor_of(const std::vector<StrokePart>& parts) const {
    const auto cost = [&](const StrokePart& part) {
      if (part.cells.size() < kFewestOfPart) return std::numeric_limits<double>::infinity();
      return std::max(part.deviation, intensities_.noise()) *
             std::max(part.gradient, kNoiseGradient * intensities_.raw_noise());
    };
    const StrokePart* best = &parts.front();
    for (const StrokePart& part : parts) {
      if (cost(part) < cost(*best)) best = &part;
    }
    return *best;
  }

  /// Intensities of a region of the first result: voxels of the label, or all others, whose face
  /// neighbours are too, without seeds of the other side. Of a large box every n-th voxel is looked
  /// at; at most kMostOfRegion are picked, evenly.
  [[nodiscard]] std::vector<double> region(Label label, bool inside) const {
    if (rules_.first.empty()) return {};
    std::vector<std::int64_t> cells;
    visit_labels(rules_.first.labels(), [&]<LabelType T>(std::span<const T> labels) {
      const auto of_label = boxes_.find(label);
      const Box label_box = of_label == boxes_.end() ? Box{} : of_label->second;
      const Box box = inside ? label_box : Box::whole(geometry_);
      if (box.empty()) return;
      const Index3 size{box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]};
      const std::int64_t count = size[0] * size[1] * size[2];
      const std::int64_t every = std::max<std::int64_t>(1, count / kMostLookedAt);
      for (std::int64_t i = 0; i < count; i += every) {
        if (i % kCellsPerCheck < static_cast<std::size_t>(every)) context_.checkpoint(0.0);
        const Index3 at{box.lo[0] + i % size[0], box.lo[1] + i / size[0] % size[1],
                        box.lo[2] + i / (size[0] * size[1])};
        if (is_deep(labels, label, inside, at)) cells.push_back(geometry_.offset(at));
      }
    });
    std::erase_if(cells, [&](std::int64_t cell) {
      return !takes_part(cell) || has_seed_of_other_side(cell, label, inside);
    });
    if (cells.size() < kFewestOfRegion) return {};
    const std::size_t every = std::max<std::size_t>(1, cells.size() / kMostOfRegion);
    std::vector<double> values;
    for (std::size_t i = 0; i < cells.size(); i += every)
      values.push_back(intensities_.at(cells[i]));
    return values;
  }

  template <LabelType T>
  [[nodiscard]] bool is_deep(std::span<const T> labels, Label label, bool inside,
                             const Index3& at) const {
    const std::int64_t cell = geometry_.offset(at);
    if ((labels[cell] == label) != inside) return false;
    std::int64_t stride = 1;
    for (int axis = 0; axis < 3; stride *= geometry_.size[axis++]) {
      if (geometry_.size[axis] == 1) continue;
      if (at[axis] == 0 || at[axis] + 1 == geometry_.size[axis]) return false;
      if ((labels[cell - stride] == label) != inside || (labels[cell + stride] == label) != inside)
        return false;
    }
    return true;
  }

  [[nodiscard]] bool takes_part(std::int64_t cell) const {
    const auto& mask = intensities_.read().mask;
    return !mask || (*mask)[static_cast<std::size_t>(cell)] != 0;
  }

  [[nodiscard]] bool has_seed_of_other_side(std::int64_t cell, Label label, bool inside) const {
    const auto seed = std::ranges::lower_bound(problem_.seeds, cell, {}, &Seed::offset);
    return seed != problem_.seeds.end() && seed->offset == cell && (seed->label == label) != inside;
  }

  /// Samples of the other labels, each with a weight of 1 in all, and of the region outside.
  [[nodiscard]] Samples others_of(Label label, const StrokePart& anchor,
                                  double anchor_deviation) const {
    Samples all;
    for (const auto& [other, parts] : parts_) {
      if (other == label) continue;
      const double reference = reference_gradient(parts);
      Samples of_label;
      std::vector<bool> counts;
      for (const StrokePart& part : parts) {
        const bool alike = parts.size() > 1 &&
                           std::abs(part.middle - anchor.middle) < kLookAlike * anchor_deviation;
        const Samples samples = weighed(part, reference);
        of_label.add(samples);
        counts.insert(counts.end(), samples.values.size(), !alike);
      }
      const double total = of_label.total();
      for (std::size_t i = 0; i < counts.size(); ++i)
        of_label.weights[i] = counts[i] ? of_label.weights[i] / total : 0.0;
      all.add(of_label);
    }
    const std::vector<double> outside = region(label, false);
    for (const double value : outside)
      all.add(value, kRegionWeight / static_cast<double>(outside.size()));
    return all;
  }

  [[nodiscard]] Samples samples_of(Label label, const StrokePart& anchor,
                                   double anchor_deviation) const {
    const std::vector<StrokePart>& parts = parts_.at(label);
    const double reference = reference_gradient(parts);
    const double reach = rules_.strict ? kAgreementIfStrict : kAgreement;
    Samples all;
    for (const StrokePart& part : parts) {
      Samples samples = weighed(part, reference);
      const double away = (part.middle - anchor.middle) / (reach * anchor_deviation);
      for (double& weight : samples.weights)
        weight *= std::exp(-0.5 * away * away);
      all.add(samples);
    }
    const double total = all.total();
    const std::vector<double> inside = region(label, true);
    const auto count = static_cast<double>(inside.size());
    for (const double value : inside)
      all.add(value, kRegionWeight * total / count * std::min(1.0, count / kFullRegion));
    return all;
  }

  [[nodiscard]] ObjectWindows windows_of_label(Label label) const {
    const std::vector<StrokePart>& parts = parts_.at(label);
    const StrokePart& anchor = anchor_of(parts);
    const double noise = intensities_.noise();
    const double anchor_deviation = std::max(anchor.deviation, noise);
    const Samples own = samples_of(label, anchor, anchor_deviation);
    const Samples others = others_of(label, anchor, anchor_deviation);
    const double m = weighted_median(own);
    const double widest = rules_.strict ? kWidestDeviationIfStrict : kWidestDeviation;
    const double deviation =
        std::min(std::max(deviation_from(m, own), noise), widest * anchor_deviation);
    const auto [below, above] = widths(m, deviation, own, others);
    ObjectWindows windows{{m, below / kWindowReach, above / kWindowReach}};
    if (!rules_.own_windows) return windows;
    const double reference = reference_gradient(parts);
    for (const StrokePart& part : parts) {
      if (parts.size() < 2 || part.cells.size() < kFewestOfPart) continue;
      const double away = part.middle - m;
      if (std::abs(away) < kOwnWindow * (away < 0.0 ? below : above)) continue;
      if (part.gradient > kTooSteep * reference) continue;
      const double sigma = std::max(part.deviation, noise);
      windows.push_back({part.middle, sigma, sigma});
    }
    add_window_of_rest(parts, others, windows);
    return windows;
  }

  /// Adds a window for the seeds that lie in none, if they are many and at intensities where the
  /// other labels are rarer: those of a second tissue that no part shows by itself.
  void add_window_of_rest(const std::vector<StrokePart>& parts, const Samples& others,
                          ObjectWindows& windows) const {
    const auto is_covered = [&](double value) {
      return std::ranges::any_of(windows, [value](const IntensityWindow& window) {
        const double away = value - window.m;
        return std::abs(away) <= kCovered * (away < 0.0 ? window.below : window.above);
      });
    };
    std::vector<double> all;
    std::size_t mixed = 0;
    std::size_t large = 0;
    for (const StrokePart& part : parts) {
      all.insert(all.end(), part.values.begin(), part.values.end());
      if (part.cells.size() < kFewestOfMixed) continue;
      ++large;
      const auto inside = static_cast<double>(std::ranges::count_if(part.values, is_covered));
      const double share = inside / static_cast<double>(part.values.size());
      if (share >= kMixed && share <= 1.0 - kMixed) ++mixed;
    }
    if (2 * mixed < large || mixed < 2) return;
    std::vector<double> rest;
    std::ranges::copy_if(all, std::back_inserter(rest),
                         [&](double value) { return !is_covered(value); });
    if (static_cast<double>(rest.size()) < kFewestOfRest * static_cast<double>(all.size())) return;
    if (rest.size() < kFewestOfPart) return;
    Samples samples;
    for (const double value : rest)
      samples.add(value, 1.0);
    const double m = weighted_median(samples);
    const double deviation = std::max(deviation_from(m, samples), intensities_.noise());
    Samples own;
    for (const double value : all)
      own.add(value, 1.0);
    const auto share = [&](const Samples& of) {
      double sum = 0.0;
      for (std::size_t i = 0; i < of.values.size(); ++i) {
        if (std::abs(of.values[i] - m) <= deviation) sum += of.weights[i];
      }
      return of.total() > 0.0 ? sum / of.total() : 0.0;
    };
    if (share(own) <= share(others)) return;
    const auto [below, above] = widths(m, deviation, own, others);
    windows.push_back({m, below / kWindowReach, above / kWindowReach});
  }

  /// Distances from m to either side at which the others' density first exceeds the label's.
  [[nodiscard]] std::pair<double, double> widths(double m, double deviation, const Samples& own,
                                                 const Samples& others) const {
    const double noise = intensities_.noise();
    const double widest = deviation * std::clamp(kWindowReach - (deviation / noise - 1.0),
                                                 kWidestIfMixed, kWindowReach);
    const double sigma = std::max(noise, deviation / 2.0);
    constexpr double kClassesPerSigma = 8.0;
    const double step = sigma / kClassesPerSigma;
    const double margin = widest + 4.0 * sigma;
    const auto half = static_cast<std::ptrdiff_t>(std::ceil(margin / step));
    const double first = m - static_cast<double>(half) * step;
    Density inside(first, step, static_cast<std::size_t>(2 * half + 1));
    Density outside = inside;
    inside.set(own, sigma);
    outside.set(others, sigma);
    const auto width = [&](std::ptrdiff_t direction) {
      double found = std::numeric_limits<double>::infinity();
      for (std::ptrdiff_t k = 0; k <= half; ++k) {
        const std::ptrdiff_t at = half + direction * k;
        constexpr double kNothing = 1e-9;
        if (outside.shares()[at] > std::max(inside.shares()[at], kNothing)) {
          found = static_cast<double>(k) * step;
          break;
        }
      }
      return std::clamp(found, kNarrowest * deviation, widest);
    };
    return {width(-1), width(1)};
  }

  /// Root mean square of the differences of neighbours around the seeds, in units of the window,
  /// put back into image units.
  [[nodiscard]] double homogeneity(const IntensityWindow& window) const {
    const Box& box = intensities_.box();
    const std::int64_t rows = box.hi[1] - box.lo[1];
    const std::int64_t count = rows * (box.hi[2] - box.lo[2]);
    std::vector<SquaredSum> of_rows(static_cast<std::size_t>(count));
    intensities_.read().visit([&]<typename T>(std::span<const T> values) {
      const InWindow<T> in_window(window, intensities_.read().first);
      parallel_for(context_, count, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Index3 first{box.lo[0], box.lo[1] + i % rows, box.lo[2] + i / rows};
          of_rows[i] = differences_of_row(values, in_window, first);
        }
      });
    });
    SquaredSum all;
    for (const SquaredSum& row : of_rows) {
      all.sum += row.sum;
      all.pairs += row.pairs;
    }
    constexpr double kLeast = 0.1;
    const double in_units = all.pairs == 0.0 ? 0.0 : std::sqrt(all.sum / all.pairs);
    return std::max(in_units, kLeast) * (window.below + window.above) / 2.0;
  }

  struct SquaredSum {
    double sum = 0.0;
    double pairs = 0.0;
  };

  /// Adds up the differences of a row's cells to the next ones along each axis, inside the box.
  template <typename T>
  [[nodiscard]] SquaredSum differences_of_row(std::span<const T> values,
                                              const InWindow<T>& in_window,
                                              const Index3& first) const {
    const Box& box = intensities_.box();
    const std::int64_t row = geometry_.offset(first);
    const bool all_take_part = intensities_.read().mask == nullptr;
    SquaredSum result;
    std::int64_t stride = 1;
    for (int axis = 0; axis < 3; stride *= geometry_.size[axis++]) {
      if (axis > 0 && first[axis] + 1 >= box.hi[axis]) continue;
      const std::int64_t length = box.hi[0] - box.lo[0] - (axis == 0 ? 1 : 0);
      for (std::int64_t cell = row; cell < row + length; ++cell) {
        if (!all_take_part && (!takes_part(cell) || !takes_part(cell + stride))) continue;
        const double difference = in_window.at(values[cell + stride]) - in_window.at(values[cell]);
        result.sum += difference * difference;
        result.pairs += 1.0;
      }
    }
    return result;
  }

  const WindowsProblem& problem_;
  const WindowsRules& rules_;
  Geometry geometry_;
  const SeededIntensities& intensities_;
  const std::map<Label, std::vector<StrokePart>>& parts_;
  Context& context_;
  std::map<Label, Box> boxes_;  // of the first result
};

}  // namespace

WindowsEstimator::WindowsEstimator(WindowsProblem problem, Context& context)
    : context_(context), parts_(std::make_unique<const SeedParts>(std::move(problem), context)) {}

WindowsEstimator::~WindowsEstimator() = default;

WindowsEstimate WindowsEstimator::estimate(const WindowsRules& rules) {
  return Estimator(*parts_, rules, context_).estimate();
}

}  // namespace seedwave::fuzzy
