// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"
#include "core/image/label_map.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

/// Reports one row of a sweep in CSV and in JSON, for sweeps of one image or several.
namespace seedwave {

/// The properties that determine the columns of a table of rows.
struct RowLayout {
  SweepGrid grid;
  bool is_scored = false;
  bool counts_objects = false;
  bool gives_labels = false;
  /// The score by which rows are ranked.
  ScoreKind ranked_by = ScoreKind::Dice;
  /// The labels that have score columns, and those that have a voxel column. The field is empty if
  /// a row has no value for a label.
  std::vector<Label> labels;
  std::vector<Label> counted;
};

[[nodiscard]] RowLayout layout_of(const Sweep& sweep, std::span<const SweepRow> rows);

/// The names of the fields that fields_of() returns.
[[nodiscard]] std::vector<std::string> columns_of(const RowLayout& layout);
/// found: findings of the rows that this one belongs to. A row without a digest did not run: it has
/// neither voxels nor a time.
[[nodiscard]] std::vector<std::string> fields_of(const RowLayout& layout, const SweepRow& row,
                                                 const SweepFindings& found);

[[nodiscard]] nlohmann::ordered_json row_json(const RowLayout& layout, const SweepRow& row,
                                              const SweepFindings& found);
[[nodiscard]] nlohmann::ordered_json axes_json(const SweepGrid& grid);

/// The first row that did not fail; null if there is none.
[[nodiscard]] const SweepRow* first_that_ran(std::span<const SweepRow> rows);
/// {"algorithm", "backend", "device", "why"} of that row; {} if there is none.
[[nodiscard]] nlohmann::ordered_json how_json(std::span<const SweepRow> rows);

/// {"ranked_by": ..., "best": ..., "plateau": ..., "flat": ...} of a sweep; null if nothing was
/// scored.
[[nodiscard]] nlohmann::ordered_json findings_json(const RowLayout& layout,
                                                   const SweepFindings& found, double tolerance);

/// "label 1", "labels 1 and 7 (mean)"; "all labelled voxels" without labels. Followed by ", where
/// the reference is labelled" if only those voxels count.
[[nodiscard]] std::string scored_text(const std::vector<Label>& labels,
                                      Scored scored = Scored::Everywhere);

}  // namespace seedwave
