// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/metrics/overlap.h"
#include "core/parallel/context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace seedwave {

/// A positive quotient of whole numbers, compared exactly.
struct Fraction {
  std::int64_t above = 1;
  std::int64_t below = 2;
};

/// Returns true if a is larger than b.
[[nodiscard]] bool exceeds(const Fraction& a, const Fraction& b) noexcept;

/// Number of the limits 0.50, 0.55 ... 0.95.
inline constexpr std::size_t kIouLimits = 10;

/// Scores of a result whose objects, such as nuclei, are numbered independently of the reference.
///
/// An object is the set of all voxels of one label, connected or not; 0 is background. Two objects
/// may be matched if their IoU, |A and B| / |A or B|, exceeds a limit. At limits from 0.5 on each
/// object has at most one such partner. Below, the objects are paired one to one so that there are
/// as many pairs as possible, as in StarDist; this number does not depend on the choice of pairs.
///
/// Ratios are empty if their denominator is zero: all of them if neither map has objects, recall if
/// the reference has none, precision if the result has none. In the last two cases F1, PQ and AJI
/// are 0.
struct ObjectScores {
  /// Number of objects in the reference and in the result.
  std::int64_t reference = 0;
  std::int64_t found = 0;
  /// Number of pairs whose IoU exceeds the caller's limit.
  std::int64_t matched = 0;
  /// The same for the limits 0.50, 0.55 ... 0.95.
  std::array<std::int64_t, kIouLimits> matched_by_iou{};
  /// Sum of the IoU of the pairs above 0.5.
  double iou_sum = 0.0;
  /// Number of objects of the reference that two or more objects of the result lie in: with more
  /// than half of their own voxels.
  std::int64_t split = 0;
  /// Number of objects of the result that two or more objects of the reference lie in: with more
  /// than half of their own voxels (P. Matula et al., PLoS ONE 10(12):e0144959, 2015: vertices to
  /// be split).
  std::int64_t merged = 0;
  /// Sums of the intersections and of the unions in the aggregated Jaccard index.
  std::int64_t aji_both = 0;
  std::int64_t aji_either = 0;
  /// The overlap of all objects together.
  Overlap foreground;

  /// Number of objects of the reference without a match.
  [[nodiscard]] std::int64_t missed() const { return reference - matched; }
  /// Number of objects of the result without a match, pieces of split objects among them.
  [[nodiscard]] std::int64_t spurious() const { return found - matched; }
  /// matched / found.
  [[nodiscard]] std::optional<double> precision() const;
  /// matched / reference.
  [[nodiscard]] std::optional<double> recall() const;
  /// 2 matched / (found + reference).
  [[nodiscard]] std::optional<double> f1() const;
  /// F1 for each of the limits 0.50, 0.55 ... 0.95.
  [[nodiscard]] std::array<std::optional<double>, kIouLimits> f1_by_iou() const;
  /// The mean of f1_by_iou().
  [[nodiscard]] std::optional<double> f1_mean() const;
  /// Panoptic quality of one class: 2 iou_sum / (found + reference), the mean IoU of the pairs
  /// above 0.5 (SQ) times their F1 (RQ). 0.5 belongs to its definition: the caller's limit does not
  /// matter. Source: A. Kirillov et al., CVPR 2019, equations 1 and 2.
  [[nodiscard]] std::optional<double> pq() const;
  /// Aggregated Jaccard index: aji_both / aji_either. Each object of the reference takes the object
  /// of the result with which its IoU is largest, the one with the smallest label of several, and
  /// adds their intersection and union. One that overlaps none adds its voxels to aji_either, and
  /// so does each object of the result that was never taken. An object of the result may be taken
  /// more than once and then counts each time; AJI+, in the program of HoVer-Net, pairs one to one
  /// instead.
  /// Source: N. Kumar et al., IEEE Trans. Med. Imaging 36(7):1550-1560, 2017, Algorithm 1.
  [[nodiscard]] std::optional<double> aji() const;
};

/// Scores the objects of two maps of the same size. `limit` lies between 0 and 1.
///
/// Every comparison of IoU is exact. The result does not depend on the number of threads. Cost: one
/// pass over both maps on all threads, then time and memory by the number of pairs of objects that
/// overlap, whatever the labels. Throws InputError if the sizes differ, and Cancelled.
[[nodiscard]] ObjectScores object_scores(const LabelMap& result, const LabelMap& reference,
                                         const Fraction& limit, Context& context);

}  // namespace seedwave
