// SPDX-License-Identifier: Apache-2.0
//
// The window program: reads the command line, makes the table of operations, opens the window.
#include "app/make_table.h"
#include "app/window/program_options.h"
#include "app/window/screenshot.h"
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "core/session/autosave.h"
#include "ui/actions/icons.h"
#include "ui/views/vtk_widget.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::app {
namespace {

/// Null where the folder cannot be made: the program works without it, and says so.
std::shared_ptr<Autosave> make_autosave() {
  try {
    return std::make_shared<Autosave>(default_autosave_folder());
  } catch (const OutputError& error) {
    std::fprintf(stderr, "seedwave: %s\n", error.what());
    return nullptr;
  }
}

int run_window(QApplication& application, const ProgramOptions& options,
               const OperationTable& table) {
  const bool interactive = options.mode == Mode::Window;
  ui::MainWindow window(table, interactive ? make_autosave() : nullptr);
  window.resize(options.size);
  Screenshot screenshot(window, options.screenshot);
  if (options.mode == Mode::Screenshot) {
    screenshot.start(options.paths);
    return application.exec();
  }
  window.show();
  // Opening starts when the window is on screen: it is seen at once, whatever the study's size.
  QTimer::singleShot(0, &window, [&window, paths = options.paths] {
    if (paths.isEmpty()) {
      window.files().open_sample();
    } else {
      window.files().open(paths);
    }
  });
  return application.exec();
}

int run(int argc, char** argv) {
  const ProgramOptions options = parse_options({argv + 1, argv + argc});
  if (options.mode == Mode::ShowHelp) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  if (options.mode == Mode::ShowVersion) {
    std::puts("seedwave " SEEDWAVE_VERSION);
    return 0;
  }
  if (options.software_gl) setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  ui::set_default_surface_format();
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("seedwave"));
  QApplication::setApplicationVersion(QStringLiteral(SEEDWAVE_VERSION));
  QApplication::setWindowIcon(ui::application_icon());
  const OperationTable table = options.no_gpu ? make_operation_table() : make_table();
  return run_window(application, options, table);
}

}  // namespace
}  // namespace seedwave::app

int main(int argc, char** argv) {
  try {
    return seedwave::app::run(argc, argv);
  } catch (const seedwave::Error& error) {
    std::fprintf(stderr, "seedwave: %s\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seedwave: unexpected failure: %s\n", error.what());
    return 1;
  }
}
