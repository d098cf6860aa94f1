// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::app {

/// On a machine without any font (a bare server), takes those of the installed folder, so that
/// letters are not drawn as boxes. Elsewhere does nothing. Needs a QApplication.
void add_own_fonts_where_there_are_none();

}  // namespace seedwave::app
