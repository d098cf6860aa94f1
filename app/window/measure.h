// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/gl_check.h"
#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QStringList>

namespace seedwave::app {

/// Opens a study in a window on screen, acts as a user does, and prints how long each action took,
/// with processor and OpenGL renderer. Returns the exit code.
///
/// `since_start` runs since the program began.
int measure(ui::MainWindow& window, const QStringList& paths, const QElapsedTimer& since_start,
            const GlInfo& gl);

}  // namespace seedwave::app
