// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The columns of a curve that came out, where the last one that the table of operations lists may
/// stand for many (ColumnSpec::repeats).
namespace seedwave {

struct CurveColumn {
  /// Lives in the output's spec.
  const ColumnSpec* spec = nullptr;
  /// "Angle"; of one of many, "Phase 2".
  std::string title;
  /// The painted label that it is of, where it is of one.
  std::optional<std::uint16_t> label{};
};

/// As many as the table has; none where the table is not one of that output, as from a session of a
/// program whose operation gave others.
[[nodiscard]] std::vector<CurveColumn> curve_columns(const OutputSpec& output, const Table& table);

/// The name in a table of the number-th of many columns: "phase_2", "phase_2_of_label_3".
[[nodiscard]] std::string column_name(const std::string& id, std::int64_t number,
                                      std::optional<std::uint16_t> label = std::nullopt);

}  // namespace seedwave
