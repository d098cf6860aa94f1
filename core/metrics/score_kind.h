// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/object_scores.h"
#include "core/metrics/overlap.h"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace seedwave {

/// A score of a result against a reference, from 0 to 1: the larger, the better. Dice and Jaccard
/// compare voxels; the others objects (ObjectScores), at an IoU above 0.5 if they need a limit.
enum class ScoreKind { Dice, Jaccard, F1, F1Mean, Precision, Recall, Pq, Aji };

/// Returns all kinds, in the order of columns.
[[nodiscard]] std::span<const ScoreKind> score_kinds();
/// Returns the name in tables and flags: "dice", "f1_mean".
[[nodiscard]] std::string id_of(ScoreKind kind);
/// Returns the name for people: "Dice", "F1 of objects".
[[nodiscard]] std::string title_of(ScoreKind kind);
/// Returns nothing for another name.
[[nodiscard]] std::optional<ScoreKind> score_kind_named(const std::string& id);
/// Returns true if the score compares objects.
[[nodiscard]] bool is_of_objects(ScoreKind kind);

/// Scores by kind, without those that are not defined.
using ScoresByKind = std::map<ScoreKind, double>;

/// Returns Dice and Jaccard; 0 if neither map has a voxel.
[[nodiscard]] ScoresByKind scores_by_kind(const Overlap& overlap);
/// Returns the scores of objects that are defined.
[[nodiscard]] ScoresByKind scores_by_kind(const ObjectScores& objects);

}  // namespace seedwave
