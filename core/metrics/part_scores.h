// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/metrics/object_scores.h"
#include "core/parallel/context.h"

#include <map>
#include <optional>

namespace seedwave {

/// Scores by label of objects that are the connected parts of labels, such as the lesions of each
/// kind. Both maps name the labels by the same numbers.
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
