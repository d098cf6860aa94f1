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

/// What the command line asks of the window program.
struct ProgramOptions {
  Mode mode = Mode::Window;
  QString screenshot;
  /// Nothing: as the user left the window, at first 1440x900.
  std::optional<QSize> size;
  bool no_gpu = false;
  bool software_gl = false;
  QStringList paths;
};

/// Reads the arguments, the program's name left out. Throws UsageError that names the flag.
///
/// Read before there is a QApplication: --software-gl must act before OpenGL is asked for, and
/// --help must work without a display.
[[nodiscard]] ProgramOptions parse_options(const std::vector<std::string>& arguments);

/// What --help prints.
[[nodiscard]] std::string help_text();

}  // namespace seedwave::app
