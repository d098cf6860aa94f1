// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <optional>
#include <string>

namespace seedwave {

/// Parses "1,0,0.5" as (1, 0, 0.5). Returns nothing if it is not three finite numbers, or if all
/// are 0.
[[nodiscard]] std::optional<Vec3> parse_direction(const std::string& text);
/// Returns the text that reads back as the same direction.
[[nodiscard]] std::string direction_text(const Vec3& direction);

}  // namespace seedwave
