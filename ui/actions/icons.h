// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QString>

class QPalette;

namespace seedwave::ui {

/// An icon of resources/icons in the palette's text colour, so that it is seen in light and dark.
[[nodiscard]] QIcon make_icon(const QString& name, const QPalette& palette);

/// The program's own icon.
[[nodiscard]] QIcon application_icon();

}  // namespace seedwave::ui
