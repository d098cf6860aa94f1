// SPDX-License-Identifier: Apache-2.0
#include "core/border/model.h"

#include "core/base/error.h"
#include "core/border/kernel.h"
#include "core/image/crop.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <span>
#include <utility>

namespace seedwave::border {
namespace {

constexpr std::size_t kClasses = 64;
/// Sigma of the Gaussian that smooths a histogram, in classes.
constexpr double kSmoothing = 2.0;
/// Share of a density that is spread evenly.
constexpr double kEven = 0.01;
constexpr double kTailShare = 0.005;
constexpr double kMostEvidence = 4.0;
/// Estimated evidence is rounded, so that its text is short.
constexpr double kPerNat = 100.0;

// Weight of the evidence by the share of the densities that lies apart.
constexpr double kLeastWeight = 0.3;
constexpr double kFullWeight = 1.0;
constexpr double kApartForLeast = 0.5;
constexpr double kApartForFull = 0.8;

using Density = std::array<double, kClasses>;

Density smoothed(const Density& counts) {
  constexpr int kReach = 8;
  std::array<double, 2 * kReach + 1> weights{};
  double sum = 0.0;
  for (int k = -kReach; k <= kReach; ++k) {
    weights[k + kReach] = std::exp(-k * k / (2.0 * kSmoothing * kSmoothing));
    sum += weights[k + kReach];
  }
  Density result{};
  double total = 0.0;
  for (int i = 0; i < static_cast<int>(kClasses); ++i) {
    for (int k = -kReach; k <= kReach; ++k) {
      if (i + k >= 0 && i + k < static_cast<int>(kClasses))
        result[i] += counts[i + k] * weights[k + kReach] / sum;
    }
    total += result[i];
  }
  for (double& share : result)
    share = (total > 0.0 ? share / total * (1.0 - kEven) : 0.0) + kEven / kClasses;
  return result;
}

/// Marks seeds inside the label as sure.
void mark_seeds(const Geometry& geometry, std::span<const Seed> seeds, Ring& ring) {
  const Geometry grid = crop(geometry, ring.box);
  for (const Seed& seed : seeds) {
    Index3 at = geometry.index_of(seed.offset);
    for (int axis = 0; axis < 3; ++axis)
      at[axis] -= ring.box.lo[axis];
    if (!grid.contains(at)) continue;
    RingMark& mark = ring.marks[grid.offset(at)];
    if (mark == RingMark::Near) mark = RingMark::Sure;
  }
}

/// The voxels of a ring with their intensities, by rows.
template <typename T>
class Marked {
 public:
  Marked(const Geometry& geometry, std::span<const T> voxels, const Ring& ring)
      : geometry_(geometry), voxels_(voxels), ring_(ring), size_(crop(geometry, ring.box).size) {}

  [[nodiscard]] std::int64_t rows() const { return size_[1] * size_[2]; }
  [[nodiscard]] std::int64_t length() const { return size_[0]; }
  [[nodiscard]] const RingMark* marks(std::int64_t row) const {
    return ring_.marks.data() + row * size_[0];
  }
  [[nodiscard]] const T* values(std::int64_t row) const {
    return voxels_.data() + geometry_.offset({ring_.box.lo[0], ring_.box.lo[1] + row % size_[1],
                                              ring_.box.lo[2] + row / size_[1]});
  }
  /// Calls visitor(row, next row, length) with the rows of neighbours along an axis, the first of
  /// which lie in a row.
  template <typename Visitor>
  void visit_pairs(int axis, std::int64_t row, Visitor&& visitor) const {
    if (geometry_.size[axis] == 1) return;
    if (axis == 1 && row % size_[1] == size_[1] - 1) return;
    if (axis == 2 && row / size_[1] == size_[2] - 1) return;
    const std::int64_t next = axis == 0 ? row : axis == 1 ? row + 1 : row + size_[1];
    const std::int64_t shift = axis == 0 ? 1 : 0;
    visitor(MarkedRow<T>{values(row), bytes(row)},
            MarkedRow<T>{values(next) + shift, bytes(next) + shift}, size_[0] - shift);
  }

 private:
  static_assert(RingMark{} == RingMark::Away && sizeof(RingMark) == 1);
  [[nodiscard]] const std::uint8_t* bytes(std::int64_t row) const {
    return reinterpret_cast<const std::uint8_t*>(marks(row));
  }

  const Geometry& geometry_;
  std::span<const T> voxels_;
  const Ring& ring_;
  Index3 size_;
};

/// Intensities of a ring: how often each occurs with each mark.
template <typename T>
class Tally {
 public:
  Tally(const Marked<T>& marked, Context& context) {
    if constexpr (kCounts) {
      count(marked, context);
    } else {
      collect(marked, context);
    }
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool any(RingMark mark) const { return of_mark_[static_cast<std::size_t>(mark)]; }

  /// Returns the value below which a share of the values lie.
  [[nodiscard]] double quantile(double share) {
    const auto at = static_cast<std::int64_t>(share * static_cast<double>(size_ - 1));
    if constexpr (kCounts) {
      std::int64_t below = 0;
      for (std::size_t i = 0; i < kValues; ++i) {
        for (std::size_t mark = 1; mark < kMarks; ++mark)
          below += counts_[kMarks * i + mark];
        if (below > at) return value_of(i);
      }
      return 0.0;
    } else {
      std::vector<double> values = values_;
      std::nth_element(values.begin(), values.begin() + at, values.end());
      return values[at];
    }
  }

  /// Calls visitor(value, mark, how many times).
  template <typename Visitor>
  void visit(Visitor&& visitor) const {
    if constexpr (kCounts) {
      for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (i % kMarks != 0 && counts_[i] != 0)
          visitor(value_of(i / kMarks), static_cast<RingMark>(i % kMarks), counts_[i]);
      }
    } else {
      for (std::size_t i = 0; i < values_.size(); ++i)
        visitor(values_[i], marks_[i], 1);
    }
  }

 private:
  static constexpr bool kCounts = sizeof(T) <= 2;
  static constexpr std::size_t kValues = std::size_t{1}
                                         << (8 * std::min<std::size_t>(sizeof(T), 2));
  static constexpr std::size_t kMarks = 4;

  static double value_of(std::size_t i) {
    return static_cast<double>(i) + static_cast<double>(std::numeric_limits<T>::min());
  }

  void count(const Marked<T>& marked, Context& context) {
    constexpr std::int64_t kRows = 512;
    counts_.resize(kMarks * kValues);
    std::mutex mutex;  // guards counts_
    parallel_for(context, marked.rows(), kRows, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> counts(kMarks * kValues);
      for (std::int64_t row = begin; row < end; ++row) {
        const RingMark* marks = marked.marks(row);
        const T* values = marked.values(row);
        for (std::int64_t x = 0; x < marked.length(); ++x)
          ++counts[kMarks * (values[x] - int{std::numeric_limits<T>::min()}) +
                   static_cast<std::size_t>(marks[x])];
      }
      const std::lock_guard lock(mutex);
      std::ranges::transform(counts, counts_, counts_.begin(), std::plus<>());
    });
    visit([&](double, RingMark mark, std::int64_t times) {
      size_ += times;
      of_mark_[static_cast<std::size_t>(mark)] = true;
    });
  }

  void collect(const Marked<T>& marked, Context& context) {
    for (std::int64_t row = 0; row < marked.rows(); ++row) {
      if (row % kRowsPerCheck == 0) context.checkpoint(0.0);
      for (std::int64_t x = 0; x < marked.length(); ++x) {
        const RingMark mark = marked.marks(row)[x];
        if (mark == RingMark::Away) continue;
        values_.push_back(static_cast<double>(marked.values(row)[x]));
        marks_.push_back(mark);
        of_mark_[static_cast<std::size_t>(mark)] = true;
        if (!std::isfinite(values_.back()))
          throw InputError("the image has NaN or infinite values near a border");
      }
    }
    size_ = std::ssize(values_);
  }

  static constexpr std::int64_t kRowsPerCheck = 256;

  std::int64_t size_ = 0;
  std::array<bool, kMarks> of_mark_{};
  std::vector<std::int64_t> counts_;  // by value and mark
  // Instead of counts, for types of more than 16 bits:
  std::vector<double> values_;
  std::vector<RingMark> marks_;
};

/// Returns the mean squared difference of neighbours, with intensities limited to low and high; 0
/// if there are none. Adds in the order of the axes and voxels.
template <typename T>
double mean_square_in_order(const Marked<T>& marked, double low, double high) {
  const auto limited = [&](T value) { return std::clamp(static_cast<double>(value), low, high); };
  double sum = 0.0;
  double pairs = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::int64_t row = 0; row < marked.rows(); ++row) {
      marked.visit_pairs(axis, row, [&](MarkedRow<T> a, MarkedRow<T> b, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
          if (a.marks[i] == 0 || b.marks[i] == 0) continue;
          const double difference = limited(b.values[i]) - limited(a.values[i]);
          sum += difference * difference;
          pairs += 1.0;
        }
      });
    }
  }
  return pairs == 0.0 ? 0.0 : sum / pairs;
}

/// Does the same; adds whole numbers on all threads.
template <typename T>
double mean_square(const Marked<T>& marked, double low, double high, Context& context) {
  if constexpr (sizeof(T) > 2) {
    return mean_square_in_order(marked, low, high);
  } else {
    constexpr std::int64_t kRows = 256;
    const Differences<T> differences = best_kernel().differences(T{});
    std::atomic<std::uint64_t> sum = 0;
    std::atomic<std::int64_t> pairs = 0;
    parallel_for(context, marked.rows(), kRows, [&](std::int64_t begin, std::int64_t end) {
      SquaredDifferences all;
      for (std::int64_t row = begin; row < end; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
          marked.visit_pairs(axis, row, [&](MarkedRow<T> a, MarkedRow<T> b, std::int64_t count) {
            const SquaredDifferences of_row = differences(
                a, b, count, static_cast<std::int32_t>(low), static_cast<std::int32_t>(high));
            all.sum += of_row.sum;
            all.pairs += of_row.pairs;
          });
        }
      }
      sum += all.sum;
      pairs += all.pairs;
    });
    // Up to here doubles add whole numbers without rounding, in any order.
    constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
    if (sum > kExact) return mean_square_in_order(marked, low, high);
    return pairs == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(pairs);
  }
}

}  // namespace

BorderModel estimate_model(const Volume& image, Ring ring, std::span<const Seed> seeds,
                           Context& context) {
  BorderModel model{.evidence = std::vector<double>(kEvidenceKnots)};
  if (ring.box.empty()) return model;
  mark_seeds(image.geometry(), seeds, ring);
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    const Marked<T> marked(image.geometry(), voxels, ring);
    Tally<T> tally(marked, context);
    if (tally.empty()) return model;
    model.low = tally.quantile(kTailShare);
    model.high = tally.quantile(1.0 - kTailShare);
    if (!(model.high > model.low)) model.high = model.low + 1.0;
    Density inside{};
    Density outside{};
    const double per_class = (model.high - model.low) / (kClasses - 1);
    const RingMark left_out = tally.any(RingMark::Sure) ? RingMark::Near : RingMark::Away;
    tally.visit([&](double intensity, RingMark mark, std::int64_t times) {
      if (mark == left_out) return;
      const double value = std::clamp(intensity, model.low, model.high);
      const auto at = static_cast<std::size_t>(std::lround((value - model.low) / per_class));
      (mark == RingMark::Outside ? outside : inside)[at] += static_cast<double>(times);
    });
    inside = smoothed(inside);
    outside = smoothed(outside);
    for (std::size_t i = 0; i < kClasses; ++i)
      model.apart += 0.5 * std::abs(inside[i] - outside[i]);
    for (std::size_t k = 0; k < kEvidenceKnots; ++k) {
      const double at = static_cast<double>(k) * (kClasses - 1) / (kEvidenceKnots - 1);
      const auto below = std::min(static_cast<std::size_t>(at), kClasses - 2);
      const double share = at - static_cast<double>(below);
      const auto ratio = [&](std::size_t i) { return std::log(inside[i]) - std::log(outside[i]); };
      const double nats = (1.0 - share) * ratio(below) + share * ratio(below + 1);
      model.evidence[k] =
          std::round(std::clamp(nats, -kMostEvidence, kMostEvidence) * kPerNat) / kPerNat;
    }
    model.contrast = std::sqrt(mean_square(marked, model.low, model.high, context));
    if (!(model.contrast > 0.0)) model.contrast = model.high - model.low;
    const double share =
        std::clamp((model.apart - kApartForLeast) / (kApartForFull - kApartForLeast), 0.0, 1.0);
    model.evidence_weight = kLeastWeight + (kFullWeight - kLeastWeight) * share;
    return model;
  });
}

}  // namespace seedwave::border
