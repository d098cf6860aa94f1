// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/io/labels.h"
#include "core/metrics/part_scores.h"
#include "core/parallel/context.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Scores of the connected parts of each label, and how a report shows them.
struct PartComparison {
  PartScores labels;
  /// Names of labels as far as their files have them.
  std::vector<io::LabelName> names;
  Fraction limit;
  Connectivity connectivity = Connectivity::C6;
  std::vector<std::string> warnings;
};

/// Scores the parts. Warns if labels look like objects that both maps number independently. Throws
/// InputError, Cancelled.
[[nodiscard]] PartComparison compare_parts(const LabelMap& result, const LabelMap& reference,
                                           const Fraction& limit, Connectivity connectivity,
                                           Context& context);

/// Names the labels as the reference does, or else the result. Warns of the first label that both
/// name differently: labels are compared by their numbers.
void add_names(PartComparison& parts, const std::vector<io::LabelName>& result,
               const std::vector<io::LabelName>& reference);

/// Adds `connectivity`, the scores by label, their means, and as `objects` those of all labels
/// together.
void add_parts(nlohmann::ordered_json& json, const PartComparison& parts);

/// Formats a table with a line a label, their means, and all labels together.
[[nodiscard]] std::string part_text(const PartComparison& parts);

}  // namespace seedwave::cli
