// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QString>

class QPalette;

namespace seedwave::ui {

/// Returns an icon of resources/icons in the palette's text colour, visible in light and dark
/// themes.
[[nodiscard]] QIcon make_icon(const QString& name, const QPalette& palette);

/// Returns the icon of the program.
[[nodiscard]] QIcon application_icon();

}  // namespace seedwave::ui
