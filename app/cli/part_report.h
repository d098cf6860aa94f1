// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/compared_objects.h"
#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/io/labels.h"
#include "core/metrics/part_scores.h"
#include "core/parallel/context.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Scores by label, and how a report shows them: of the connected parts of each label, or of the
/// objects of each class.
struct PartComparison {
  PartScores labels{};
  /// Names of labels as far as their files have them.
  std::vector<io::LabelName> names{};
  Fraction limit{};
  /// That of parts; nothing for classes, whose labels are only places in the list of names.
  std::optional<Connectivity> connectivity{};
  std::vector<std::string> warnings{};
};

/// Scores the parts. Warns if labels look like objects that both maps number independently. Throws
/// InputError, Cancelled.
[[nodiscard]] PartComparison compare_parts(const LabelMap& result, const LabelMap& reference,
                                           const Fraction& limit, Connectivity connectivity,
                                           Context& context);

/// Scores the objects of each class of two GeoJSON files, whose classes are compared by their
/// names. Objects without one are a class of their own, "Unclassified". Throws Cancelled.
[[nodiscard]] PartComparison compare_classes(const ComparedObjects& objects, const Fraction& limit,
                                             Context& context);

/// Names the labels as the reference does, or else the result. Warns of the first label that both
/// name differently: labels are compared by their numbers.
void add_names(PartComparison& parts, const std::vector<io::LabelName>& result,
               const std::vector<io::LabelName>& reference);

/// Adds the scores by label with their `connectivity`, or by class, their means, and as `objects`
/// those of all labels together.
void add_parts(nlohmann::ordered_json& json, const PartComparison& parts);

/// Formats a table with a line a label or class, their means, and all labels together.
[[nodiscard]] std::string part_text(const PartComparison& parts);

}  // namespace seedwave::cli
