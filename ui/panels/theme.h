// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPalette>
#include <QString>

namespace seedwave::ui {

/// The look of the window around the images, which are always on black.
enum class Theme { Platform, Light, Dark };

inline constexpr Theme kThemes[] = {Theme::Platform, Theme::Light, Theme::Dark};

[[nodiscard]] QString title_of(Theme theme);
/// Returns the user's choice, stored between sessions.
[[nodiscard]] Theme saved_theme();
void save_theme(Theme theme);
/// Applies a theme to the whole program. Platform restores the look at program start.
void apply_theme(Theme theme);

[[nodiscard]] QPalette dark_palette();

}  // namespace seedwave::ui
