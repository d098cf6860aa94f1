// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/metrics/object_scores.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Returns the flags --objects and --iou.
[[nodiscard]] std::vector<Flag> object_flags();

/// Returns the limit of IoU if objects are to be scored, else nothing. Throws UsageError for a
/// limit that is malformed or not between 0 and 1, and for flags that exclude each other.
[[nodiscard]] std::optional<Fraction> iou_limit(const Arguments& arguments);

/// Returns every score by its id; null if undefined.
[[nodiscard]] nlohmann::ordered_json object_json(const ObjectScores& scores, const Fraction& limit);

/// Formats the scores as a table, one a line.
[[nodiscard]] std::string object_text(const ObjectScores& scores, const Fraction& limit);

/// Returns advice if one map has several objects and the other a single label, as a mask has.
[[nodiscard]] std::vector<std::string> object_warnings(const ObjectScores& scores);

}  // namespace seedwave::cli
