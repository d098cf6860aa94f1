// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace seedwave {

using Rgb = std::array<std::uint8_t, 3>;
/// Returns "#rrggbb".
[[nodiscard]] std::string to_hex(const Rgb& color);
/// Reads "#rrggbb"; nothing if it is something else.
[[nodiscard]] std::optional<Rgb> rgb_of(const std::string& hex);

/// Returns the default colour of a label. It depends on the label alone, so that no label is ever
/// recoloured.
///
/// 1..8: the colour-blind-safe set of Okabe and Ito, ordered by contrast on gray. Beyond:
/// candidates of a fixed set, each the one farthest from all colours before it. 0 is black.
[[nodiscard]] Rgb label_color(Label label);

}  // namespace seedwave
