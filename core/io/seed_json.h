// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/image/seed_set.h"
#include "core/io/labels.h"

#include <vector>

namespace seedwave::io {

/// A stroke's radius is at most this, so that a file cannot ask for a day of painting.
inline constexpr double kLargestRadiusMm = 1000.0;

/// The "strokes" and "labels" lists of seeds JSON, shared by seed files and sessions. Points are in
/// LPS millimetres here; a seed file in another space converts them.
[[nodiscard]] nlohmann::json strokes_to_json(const SeedSet& seeds);
[[nodiscard]] nlohmann::json labels_to_json(const std::vector<LabelName>& labels);

/// Throw InputError with the place: a label outside 0..65534, a radius outside 0..kLargestRadiusMm,
/// a coordinate that is no number or farther than 1e6, a stroke without points.
[[nodiscard]] SeedSet strokes_from_json(const JsonPlace& strokes);
[[nodiscard]] std::vector<LabelName> labels_from_json(const JsonPlace& labels);

}  // namespace seedwave::io
