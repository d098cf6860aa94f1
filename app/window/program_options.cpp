// SPDX-License-Identifier: Apache-2.0
#include "app/window/program_options.h"

#include "core/base/error.h"

#include <QFileInfo>

#include <cstddef>

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

ProgramOptions parse_options(const std::vector<std::string>& arguments) {
  ProgramOptions options;
  bool only_paths = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 >= arguments.size()) throw UsageError(argument + " needs a value: see --help");
      return arguments[++i];
    };
    if (only_paths || argument.empty() || argument[0] != '-') {
      // Made absolute now: a file dialog may change the working folder later.
      options.paths << QFileInfo(QString::fromStdString(argument)).absoluteFilePath();
    } else if (argument == "--") {
      only_paths = true;
    } else if (argument == "--screenshot") {
      options.mode = Mode::Screenshot;
      options.screenshot = QString::fromStdString(value());
    } else if (argument == "--size") {
      options.size = parse_size(value());
    } else if (argument == "--measure") {
      options.mode = Mode::Measure;
    } else if (argument == "--no-gpu") {
      options.no_gpu = true;
    } else if (argument == "--software-gl") {
      options.software_gl = true;
    } else if (argument == "--help" || argument == "-h") {
      options.mode = Mode::ShowHelp;
    } else if (argument == "--version") {
      options.mode = Mode::ShowVersion;
    } else {
      throw UsageError("unknown option " + argument + ": see --help");
    }
  }
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
