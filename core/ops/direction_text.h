// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <optional>
#include <string>

namespace seedwave {

/// "1,0,0.5" as (1, 0, 0.5); nothing where it is not three finite numbers, or all are 0.
[[nodiscard]] std::optional<Vec3> parse_direction(const std::string& text);
/// The text that reads back as the same direction.
[[nodiscard]] std::string direction_text(const Vec3& direction);

}  // namespace seedwave
