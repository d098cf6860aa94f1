// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

/// How one row of a sweep is told, in CSV and in JSON, whether it stands among those of one image
/// or of several.
namespace seedwave {

/// What decides which columns a table of rows has.
struct RowLayout {
  SweepGrid grid;
  bool is_scored = false;
  bool gives_labels = false;
  /// The labels that have columns of scores, and those that have one of voxels. Where a row knows
  /// nothing of a label its field is empty.
  std::vector<std::uint16_t> labels;
  std::vector<std::uint16_t> counted;
};

[[nodiscard]] RowLayout layout_of(const Sweep& sweep);

/// The names of the fields that fields_of() gives.
[[nodiscard]] std::vector<std::string> columns_of(const RowLayout& layout);
/// found: of the rows that this one stands among. A row without a digest did not run: it has
/// neither voxels nor a time.
[[nodiscard]] std::vector<std::string> fields_of(const RowLayout& layout, const SweepRow& row,
                                                 const SweepFindings& found);

[[nodiscard]] nlohmann::ordered_json row_json(const RowLayout& layout, const SweepRow& row,
                                              const SweepFindings& found);
[[nodiscard]] nlohmann::ordered_json axes_json(const SweepGrid& grid);
[[nodiscard]] nlohmann::ordered_json values_json(const Values& values);
[[nodiscard]] nlohmann::ordered_json number_or_null(const std::optional<double>& number);

/// The first row that did not fail; null where there is none.
[[nodiscard]] const SweepRow* first_that_ran(std::span<const SweepRow> rows);
/// {"algorithm", "backend", "device", "why"} of that row; {} where there is none.
[[nodiscard]] nlohmann::ordered_json how_json(std::span<const SweepRow> rows);

/// {"best": ..., "plateau": ...} of a sweep; null where nothing was scored.
[[nodiscard]] nlohmann::ordered_json findings_json(const Operation& operation,
                                                   const SweepGrid& grid,
                                                   const SweepFindings& found, double tolerance);

/// "label 1", "labels 1 and 7 (mean)"; of no label "all that is labelled"; with ", where the
/// reference is labelled" behind it where that is so.
[[nodiscard]] std::string scored_text(const std::vector<std::uint16_t>& labels,
                                      Scored scored = Scored::Everywhere);

/// Of the parameters at whose end the plateau lies, those whose range goes on beyond what was
/// tried.
[[nodiscard]] std::vector<std::string> could_go_on(const Operation& operation,
                                                   const SweepGrid& grid, const Plateau& plateau);

}  // namespace seedwave
