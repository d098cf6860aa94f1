// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The columns of a computed curve. The last column in the table of operations may stand for many
/// (ColumnSpec::repeats).
namespace seedwave {

struct CurveColumn {
  /// Points into the output's spec.
  const ColumnSpec* spec = nullptr;
  /// "Angle", or "Phase 2" for one of many columns.
  std::string title;
  /// The painted label that the column belongs to, if any.
  std::optional<Label> label{};
};

/// Returns one entry per column of the table. Returns none if the table does not match the output,
/// such as one from a session of a program whose operation had other columns.
[[nodiscard]] std::vector<CurveColumn> curve_columns(const OutputSpec& output, const Table& table);

/// Returns the name in a table of one of many columns, by its number: "phase_2",
/// "phase_2_of_label_3".
[[nodiscard]] std::string column_name(const std::string& id, std::int64_t number,
                                      std::optional<Label> label = std::nullopt);

}  // namespace seedwave
