// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace seedwave::app {

enum class Mode { Window, Screenshot, Measure, ShowHelp, ShowVersion };

/// Options of the window program.
struct ProgramOptions {
  Mode mode = Mode::Window;
  QString screenshot;
  /// Unset: as the user left the window, at first 1440x900.
  std::optional<QSize> size;
  bool no_gpu = false;
  bool software_gl = false;
  QStringList paths;
};

/// Parses the arguments, without the program's name. Throws UsageError that names the flag.
///
/// Called before there is a QApplication: --software-gl must act before OpenGL is requested, and
/// --help must work without a display.
[[nodiscard]] ProgramOptions parse_options(std::vector<std::string> arguments);

/// Returns the text of --help.
[[nodiscard]] std::string help_text();

}  // namespace seedwave::app
