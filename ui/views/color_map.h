// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"

#include <QColor>
#include <QRgb>
#include <QString>

#include <array>
#include <string>
#include <vector>

namespace seedwave::ui {

/// Colour maps. All except Cyclic increase in lightness in even steps, so that every kind of colour
/// vision and a print show the same order.
enum class ColorScheme {
  Viridis,
  Inferno,
  Grey,
  /// For periodic values: closed, in even steps (see cyclic_color()).
  Cyclic,
};
/// The schemes offered to the user, for values that are not periodic.
inline constexpr ColorScheme kColorSchemes[] = {ColorScheme::Viridis, ColorScheme::Inferno,
                                                ColorScheme::Grey};

/// Colours from the lowest value to the highest. Cyclic: one full period; the last colour is one
/// step before the first.
using ColorTable = std::array<QRgb, 256>;
[[nodiscard]] const ColorTable& color_table(ColorScheme scheme);

/// Returns the colours of ranks 1 to `count`: viridis from dark to bright in even steps of
/// lightness.
[[nodiscard]] std::vector<Rgb> rank_colors(int count);

/// Returns the name for a list: "Viridis", "Inferno", "Grey", "Cyclic".
[[nodiscard]] QString title_of(ColorScheme scheme);
/// Returns the name in a session file: "viridis", "inferno", "grey"; viridis for any other name.
[[nodiscard]] std::string name_of(ColorScheme scheme);
[[nodiscard]] ColorScheme color_scheme_named(const std::string& name);

}  // namespace seedwave::ui
