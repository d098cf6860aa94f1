// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPalette>
#include <QString>

namespace seedwave::ui {

/// How the window looks around the images, which are always on black.
enum class Theme { Platform, Light, Dark };

inline constexpr Theme kThemes[] = {Theme::Platform, Theme::Light, Theme::Dark};

[[nodiscard]] QString title_of(Theme theme);
/// The user's choice, kept between starts.
[[nodiscard]] Theme saved_theme();
void save_theme(Theme theme);
/// Applies it to the whole program. Platform gives back what the platform had at the start.
void apply_theme(Theme theme);

[[nodiscard]] QPalette dark_palette();

}  // namespace seedwave::ui
