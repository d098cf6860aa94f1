// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/metrics/object_scores.h"
#include "core/parallel/context.h"

#include <map>
#include <optional>
#include <vector>

namespace seedwave {

/// Scores by label of objects, such as the connected parts of labels: lesions of each kind. Both
/// maps name the labels by the same numbers.
using PartScores = std::map<Label, ObjectScores>;

/// Scores the connected parts of each label that occurs, apart from the parts of other labels: a
/// part matches none of another label, however much they overlap. Parts of a label are ordered by
/// their first voxels, where ObjectScores says labels.
///
/// `limit`: as of object_scores(). The result does not depend on the number of threads. Cost: five
/// passes over each map, then as object_scores(). Throws InputError (sizes differ; 2^32 parts or
/// more), Cancelled.
[[nodiscard]] PartScores part_scores(const LabelMap& result, const LabelMap& reference,
                                     const Fraction& limit, Connectivity connectivity,
                                     Context& context);

/// Objects of a map that are numbered from 1, each with a label, such as nuclei of several kinds.
struct LabelledObjects {
  LabelMap numbers;
  /// The label of each object: that of number 1 comes first. Objects may lack voxels.
  std::vector<Label> labels;
};

/// Scores the objects of each label apart from those of other labels, as part_scores() scores
/// parts: objects that touch stay apart. The smaller number comes first where ObjectScores says
/// labels; objects without voxels do not count. Throws InputError (sizes differ), Cancelled.
[[nodiscard]] PartScores scores_by_label(const LabelledObjects& result,
                                         const LabelledObjects& reference, const Fraction& limit,
                                         Context& context);

/// A ratio of ObjectScores, such as &ObjectScores::pq.
using ObjectRatio = std::optional<double> (ObjectScores::*)() const;

/// Returns the mean of a ratio over the labels that have parts in the reference and for which it is
/// defined; nothing without any. That of pq() is mPQ of one image as PanNuke defines it (J. Gamper
/// et al., arXiv:2003.10778, 2020): a class that only the result has does not count.
[[nodiscard]] std::optional<double> mean_over_labels(const PartScores& labels, ObjectRatio ratio);

/// Returns the scores of the parts of all labels together: counts and sums are added up, so a label
/// with many parts counts more.
[[nodiscard]] ObjectScores pooled(const PartScores& labels);

}  // namespace seedwave
