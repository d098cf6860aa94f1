// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <nlohmann/json_fwd.hpp>

namespace seedwave {

/// The report as every program writes it: operation, algorithm, backend, device, why, values,
/// image, ms by stage and in total, outputs with digest and counts, dice, warnings. Keys keep this
/// order. docs/command_line.md shows one.
[[nodiscard]] nlohmann::ordered_json to_json(const RunReport& report);

/// A value as JSON: a number or a word.
[[nodiscard]] nlohmann::ordered_json to_json(const Value& value);

/// Everything that the table says: {"operations": [...]}, for scripts and other programs' panels.
[[nodiscard]] nlohmann::ordered_json to_json(const OperationTable& table);

}  // namespace seedwave
