// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace seedwave {

/// Returns the report as every program writes it: operation, algorithm, backend, device, why,
/// values, image, ms by stage and in total, outputs with digest and counts, dice, warnings. Keys
/// keep this order. docs/command_line.md shows an example.
[[nodiscard]] nlohmann::ordered_json to_json(const RunReport& report);

/// Returns a value as JSON: a number or a word.
[[nodiscard]] nlohmann::ordered_json to_json(const Value& value);

/// Returns an object of values by id.
[[nodiscard]] nlohmann::ordered_json values_json(const Values& values);

[[nodiscard]] nlohmann::ordered_json number_or_null(const std::optional<double>& number);

/// Returns the contents of the table as {"operations": [...]}, for scripts and other programs.
[[nodiscard]] nlohmann::ordered_json to_json(const OperationTable& table);

}  // namespace seedwave
