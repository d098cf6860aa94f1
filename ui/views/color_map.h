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

/// How numbers become colours. All but Cyclic rise in lightness in even steps, so that they are
/// read alike with every kind of colour vision and in print.
enum class ColorScheme {
  Viridis,
  Inferno,
  Grey,
  /// For numbers that come round again: closed, in even steps (see cyclic_color()).
  Cyclic,
};
/// Those that a user chooses from, for numbers that do not come round.
inline constexpr ColorScheme kColorSchemes[] = {ColorScheme::Viridis, ColorScheme::Inferno,
                                                ColorScheme::Grey};

/// From the lowest value to the highest; Cyclic: once round, the last one step before the first.
using ColorTable = std::array<QRgb, 256>;
[[nodiscard]] const ColorTable& color_table(ColorScheme scheme);

/// What ranks 1 to `count` have: of Viridis, in even steps of lightness from dark to bright.
[[nodiscard]] std::vector<Rgb> rank_colors(int count);

/// For a list: "Viridis", "Inferno", "Grey", "Cyclic".
[[nodiscard]] QString title_of(ColorScheme scheme);
/// For a session file: "viridis", "inferno", "grey"; viridis for any other name.
[[nodiscard]] std::string name_of(ColorScheme scheme);
[[nodiscard]] ColorScheme color_scheme_named(const std::string& name);

}  // namespace seedwave::ui
