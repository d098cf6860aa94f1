// SPDX-License-Identifier: Apache-2.0
//
// The window program: reads the command line, creates the table of operations, opens the window.
#include "app/make_table.h"
#include "app/window/display.h"
#include "app/window/program_options.h"
#include "app/window/unattended.h"
#include "app/write_signals.h"
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "core/session/autosave.h"
#include "ui/actions/icons.h"
#include "ui/panels/control_style.h"
#include "ui/panels/english_plurals.h"
#include "ui/panels/theme.h"
#include "ui/views/vtk_widget.h"
#include "ui/window/application.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QMessageBox>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace seedwave::app {
namespace {

/// Returns null if the folder cannot be created: the program works without it, and reports that.
std::shared_ptr<Autosave> make_autosave() {
  try {
    return std::make_shared<Autosave>(default_autosave_folder());
  } catch (const OutputError& error) {
    std::fprintf(stderr, "seedwave: %s\n", error.what());
    return nullptr;
  }
}

/// Opens the requested paths once the window is on screen, so that it appears at once whatever
/// their size.
void start_interactive(ui::MainWindow& window, const ProgramOptions& options,
                       const Autosave* autosave) {
  window.restore_arrangement(options.size);
  window.show();
  QTimer::singleShot(0, &window, [&window, paths = options.paths, autosave] {
    if (autosave != nullptr) window.files().offer_recovery(*autosave);
    if (window.opener().task().busy()) return;  // a session is being recovered
    if (paths.isEmpty()) {
      window.show_hint();
      window.files().open_sample();
    } else {
      window.files().open(paths);
    }
  });
}

int run_window(ui::Application& application, const ProgramOptions& options,
               const OperationTable& table, const GlInfo& gl, const QElapsedTimer& since_start) {
  const std::shared_ptr<Autosave> autosave =
      options.mode == Mode::Window ? make_autosave() : nullptr;
  ui::MainWindow window(table, autosave);
  if (options.size) window.resize(*options.size);
  application.set_rescue([&window, mode = options.mode](const QString& what) {
    if (mode == Mode::Window) {
      window.rescue(what);
    } else {
      QCoreApplication::exit(kExitFault);  // no user is there to continue
    }
  });
  if (options.mode == Mode::Measure) return measure(window, options.paths, since_start, gl);
  if (options.mode == Mode::Screenshot) {
    Screenshot screenshot(window, options.screenshot);
    screenshot.start(options.paths);
    return application.exec();
  }
  start_interactive(window, options, autosave.get());
  return application.exec();
}

/// Handles a missing OpenGL 3.2: restarts once with the software renderer; if that fails too,
/// prints an error.
int refuse_without_gl(const GlInfo& gl, const ProgramOptions& options, char** argv) {
  constexpr const char* kTried = "SEEDWAVE_TRIED_SOFTWARE_GL";
  if (std::getenv(kTried) == nullptr) {
    setenv(kTried, "1", 1);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    execv("/proc/self/exe", argv);  // returns only when it fails
  }
  std::fprintf(stderr, "seedwave: %s\n", gl.problem.c_str());
  if (options.mode == Mode::Window) {
    QMessageBox::critical(nullptr, QStringLiteral("Seedwave"), QString::fromStdString(gl.problem));
  }
  return kExitUnavailable;
}

OperationTable table_for(const ProgramOptions& options) {
  if (!options.no_gpu) return make_table();
  OperationTable table = make_operation_table();
  table.set_devices({}, "--no-gpu");
  return table;
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
  QElapsedTimer since_start;
  since_start.start();
  ui::set_default_surface_format();
  auto display_check = std::make_unique<DisplayCheck>();
  ui::Application application(argc, argv);
  display_check.reset();
  add_own_fonts_where_there_are_none();
  QApplication::setApplicationName(QStringLiteral("seedwave"));
  QApplication::setOrganizationName(QStringLiteral("seedwave"));
  QApplication::setApplicationVersion(QStringLiteral(SEEDWAVE_VERSION));
  QApplication::setWindowIcon(ui::application_icon());
  ui::EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  QApplication::setStyle(new ui::ControlStyle);
  ui::apply_theme(ui::saved_theme());
  const GlInfo gl = check_gl();
  if (!gl.problem.empty()) return refuse_without_gl(gl, options, argv);
  const OperationTable table = table_for(options);
  return run_window(application, options, table, gl, since_start);
}

}  // namespace
}  // namespace seedwave::app

int main(int argc, char** argv) {
  seedwave::ignore_write_signals();
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
