// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/metrics/object_scores.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// An object is a label, a connected part of one, or a region of a GeoJSON file with its class.
enum class ScoredObjects { Labels, Parts, Classes };

/// The objects to be scored.
struct ObjectRequest {
  ScoredObjects objects = ScoredObjects::Labels;
  /// The limit of IoU.
  Fraction limit;
  /// Number of neighbours of a voxel in a part; nothing: those that share an edge (in volumes a
  /// face).
  std::optional<std::int64_t> neighbours;
};

/// Returns the flags --objects, --iou, --parts, --connectivity and --classes.
[[nodiscard]] std::vector<Flag> object_flags();

/// Returns the request if objects are to be scored, else nothing. Throws UsageError for a limit
/// that is malformed or not between 0 and 1, and for flags that exclude each other.
[[nodiscard]] std::optional<ObjectRequest> object_request(const Arguments& arguments);

/// Returns the connectivity on a grid. Throws UsageError for one of another dimension.
[[nodiscard]] Connectivity part_connectivity(const ObjectRequest& request,
                                             const Geometry& geometry);

/// Returns every score by its id; null if undefined.
[[nodiscard]] nlohmann::ordered_json object_json(const ObjectScores& scores, const Fraction& limit);

/// Formats the scores as a table, one a line.
[[nodiscard]] std::string object_text(const ObjectScores& scores, const Fraction& limit);

/// Returns advice if one map has several objects and the other a single label, as a mask has.
[[nodiscard]] std::vector<std::string> object_warnings(const ObjectScores& scores);

}  // namespace seedwave::cli
