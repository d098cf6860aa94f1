// SPDX-License-Identifier: Apache-2.0
#include "app/window/program_options.h"

#include "core/base/error.h"

#include <QFileInfo>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace seedwave::app {

namespace {

constexpr int kSmallestSide = 320;
constexpr int kLargestSide = 8192;

QSize parse_size(const std::string& text) {
  const QStringList parts = QString::fromStdString(text).split('x');
  bool wide = false;
  bool high = false;
  if (parts.size() == 2) {
    const QSize size(parts[0].toInt(&wide), parts[1].toInt(&high));
    const auto fits = [](int side) { return side >= kSmallestSide && side <= kLargestSide; };
    if (wide && high && fits(size.width()) && fits(size.height())) return size;
  }
  throw UsageError("--size: '" + text + "' is not WxH with sides from " +
                   std::to_string(kSmallestSide) + " to " + std::to_string(kLargestSide) +
                   ", as in 1440x900");
}

}  // namespace

ProgramOptions parse_options(std::vector<std::string> arguments) {
  ProgramOptions options;
  std::vector<std::string> paths;
  std::string screenshot;
  std::string size;
  CLI::App app;
  app.set_help_flag();  // help_text() is ours
  app.option_defaults()->take_last();
  app.add_option("paths", paths);
  const CLI::Option* to_file = app.add_option("--screenshot", screenshot);
  const CLI::Option* sized = app.add_option("--size", size);
  const CLI::Option* measure = app.add_flag("--measure");
  app.add_flag("--no-gpu", options.no_gpu);
  app.add_flag("--software-gl", options.software_gl);
  const CLI::Option* help = app.add_flag("--help,-h");
  const CLI::Option* version = app.add_flag("--version");
  std::ranges::reverse(arguments);  // CLI11 takes them from the end
  try {
    app.parse(arguments);
  } catch (const CLI::ExtrasError&) {
    throw UsageError("unknown option " + app.remaining().front() + ": see --help");
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--size: 1 required TEXT missing"
    throw UsageError(text.substr(0, text.find(':')) + " needs a value: see --help");
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + ": see --help");
  }
  if (*sized) options.size = parse_size(size);
  options.screenshot = QString::fromStdString(screenshot);
  if (*help) {
    options.mode = Mode::ShowHelp;
  } else if (*version) {
    options.mode = Mode::ShowVersion;
  } else if (*to_file) {
    options.mode = Mode::Screenshot;
  } else if (*measure) {
    options.mode = Mode::Measure;
  }
  // Made absolute now: a file dialog may change the working folder later.
  for (const std::string& path : paths)
    options.paths << QFileInfo(QString::fromStdString(path)).absoluteFilePath();
  return options;
}

std::string help_text() {
  return R"(seedwave [OPTIONS] [PATH...]

Interactive segmentation: paint a few seeds, see the exact fuzzy-connectedness result.
For research, not for diagnosis.

PATH: a study (folder or file), an image, a session or seeds (default: the sample study).

  --screenshot FILE.png   open PATH, compute the result if there are seeds, save a screenshot, quit
  --size WxH              size of the window or screenshot (default: as last time, at first
                          and for screenshots 1440x900)
  --measure               print response times of the window on this machine, and quit
  --no-gpu                compute on the CPU even if there is a GPU
  --software-gl           draw with the software renderer (remote desktops, broken drivers)
  --version, --help

The same on the command line, without a window: seedwave-cli --help
)";
}

}  // namespace seedwave::app
