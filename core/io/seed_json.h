// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/image/seed_set.h"
#include "core/io/labels.h"

#include <cstddef>
#include <vector>

namespace seedwave::io {

/// Largest radius of a stroke, so that a file cannot request a day of painting.
inline constexpr double kLargestRadiusMm = 1000.0;
/// The same on images in pixels, which are smaller than millimetres.
inline constexpr double kLargestRadiusPixels = 20000.0;

/// The allowed form of strokes; the defaults are for LPS millimetres.
struct StrokeForm {
  double largest_radius = kLargestRadiusMm;
  /// 2 if points of a 2-D image, [x, y], are allowed; the third number is then 0.
  std::size_t fewest_numbers = 3;
};

/// The "strokes" and "labels" lists of seeds JSON, shared by seed files and sessions. Points are in
/// LPS millimetres here; a seed file in another space converts them.
[[nodiscard]] nlohmann::json strokes_to_json(const std::vector<Stroke>& strokes);
[[nodiscard]] nlohmann::json labels_to_json(const std::vector<LabelName>& labels);

/// Throw InputError that names the place: a label outside 0..65534, a radius outside the form's, a
/// coordinate that is not a number or is beyond 1e6, a stroke without points, a colour that is not
/// "#rrggbb".
[[nodiscard]] SeedSet strokes_from_json(const JsonPlace& strokes, const StrokeForm& form = {});
[[nodiscard]] std::vector<LabelName> labels_from_json(const JsonPlace& labels);

}  // namespace seedwave::io
