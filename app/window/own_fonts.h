// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::app {

/// Loads the fonts of the installed folder on a machine without any font (a bare server), so that
/// letters are not drawn as boxes. Does nothing elsewhere. Needs a QApplication.
void add_own_fonts_where_there_are_none();

}  // namespace seedwave::app
